import { expect, test } from 'vitest';
import { sameFolder, shellCommand, type Invocation } from '../../../src/cli/own-command.ts';

const clone: Invocation = {
  script: '/home/me/hearth/src/cli.ts',
  cwd: '/home/me/hearth',
  env: {},
  platform: 'linux',
  homeDir: '/home/me',
};

test('in a clone a command is its script, found from where the user is', () => {
  const from = (folder: string) => shellCommand(['doctor'], { ...clone, env: { INIT_CWD: folder } });
  expect(shellCommand(['models', 'pull'], clone)).toBe('./hearth models pull');
  expect(from('/home/me/hearth/docs')).toBe('../hearth doctor');
  expect(from('/tmp')).toBe('/home/me/hearth/hearth doctor');
});

test('in a clone on Windows a command goes through npm, which brings its Node', () => {
  expect(shellCommand(['doctor'], { ...clone, platform: 'win32' })).toBe('npm run --silent hearth -- doctor');
});

test.each([
  ['/usr/local/bin/hearth', 'hearth doctor'],
  ['/srv/app/node_modules/.bin/hearth', 'npx hearth doctor'],
  ['/app/dist/cli.js', 'node /app/dist/cli.js doctor'],
])('started as %s it is called again as "%s"', (script, expected) => {
  expect(shellCommand(['doctor'], { ...clone, script })).toBe(expected);
});

test('words that a shell would read otherwise are quoted', () => {
  expect(shellCommand(['keys', 'create', '--name', "Ada's key"], clone)).toBe(
    String.raw`./hearth keys create --name 'Ada'\''s key'`,
  );
  const windows = { ...clone, script: String.raw`C:\npm\hearth`, platform: 'win32' } as const;
  expect(shellCommand(['--data-dir', String.raw`C:\My Data`], windows)).toBe(
    String.raw`hearth --data-dir "C:\My Data"`,
  );
});

test('the data folder and the settings are named only where another command would not find them', () => {
  const usual = { configFile: undefined, dataDir: '/home/me/.local/share/hearth' };
  expect(sameFolder(usual, clone)).toEqual([]);
  expect(sameFolder({ ...usual, configFile: '/home/me/hearth/hearth.yaml' }, clone)).toEqual([]);
  const elsewhere = { ...clone, cwd: '/tmp' };
  expect(sameFolder({ ...usual, configFile: '/home/me/hearth/hearth.yaml' }, elsewhere)).toContain(
    '--config',
  );
  expect(sameFolder({ configFile: '/etc/hearth.yaml', dataDir: '/data' }, clone)).toEqual([
    '--config',
    '/etc/hearth.yaml',
    '--data-dir',
    '/data',
  ]);
});
