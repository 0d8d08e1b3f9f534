import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { launchdPlist } from '../../../src/system-service/launchd-plist.ts';
import { planService } from '../../../src/system-service/service-plan.ts';
import { execLine, systemdUnit } from '../../../src/system-service/systemd-unit.ts';

const deployed = fileURLToPath(new URL('../../../scripts/deploy/hearth.service', import.meta.url));

it('is what the unit for packagers is, below its comment', () => {
  const text = readFileSync(deployed, 'utf8');
  const unit = systemdUnit({ command: ['/usr/bin/env', 'hearth', 'serve'], scope: 'system' });
  expect(text.slice(text.indexOf('[Unit]'))).toBe(unit);
  // A server takes hearth.yaml of the folder that it is started in.
  expect(unit).toContain('\nWorkingDirectory=-/etc/hearth\n');
});

it('quotes words so that systemd takes them as they are', () => {
  const words = [
    '/opt/my node/bin',
    'plain-1.0',
    'a b',
    '100%',
    '$HOME',
    String.raw`a\b`,
    'say "x"',
    "it's",
    '',
  ];
  expect(execLine(words)).toBe(
    String.raw`"/opt/my node/bin" plain-1.0 "a b" 100%% $$HOME "a\\b" "say \"x\"" "it's" ""`,
  );
  expect(() => execLine(['/bin/x', 'two\nlines'])).toThrow(/control characters/);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!hasSystemd).each(['user', 'system'] as const)('passes the check of systemd (%s)', (scope) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hearth-unit-'));
  try {
    const file = path.join(folder, 'hearth.service');
    const command = [process.execPath, '/srv/100% my "hearth"/cli.js', 'serve', '--data-dir', '/srv/$x y'];
    writeFileSync(file, systemdUnit({ command, environment: { HF_ENDPOINT: 'https://a b/100%' }, scope }));
    const { stderr } = spawnSync('systemd-analyze', [`--${scope}`, '--man=no', 'verify', file], {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
    // Complaints about other units of this machine are none of ours.
    expect(stderr.split('\n').filter((line) => line.includes('hearth.service'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('is a property list that a parser reads back to the same words', () => {
  const words = ['/opt/a b/node', '<&>', "it's", '100%'];
  const text = launchdPlist({
    command: words,
    environment: { A: '<1>' },
    logFile: '/Users/me & you/hearth.log',
  });
  const found = [...text.matchAll(/^ {6}<string>(.*)<\/string>$/gm)].map(([, word = '']) =>
    word.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
  expect(found.slice(0, words.length)).toEqual(words);
  expect(text).toContain('<string>/Users/me &amp; you/hearth.log</string>');
  const hasPython = spawnSync('python3', ['--version']).status === 0;
  if (!hasPython) return;
  const script = 'import plistlib,json,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const parsed = execFileSync('python3', ['-c', script], { input: text, encoding: 'utf8' });
  expect(JSON.parse(parsed)).toMatchObject({
    ProgramArguments: words,
    EnvironmentVariables: { NODE_ENV: 'production', A: '<1>' },
    ExitTimeOut: 60,
    RunAtLoad: true,
  });
});

it('has a place per platform, and none for a daemon of macOS or on Windows', () => {
  const setting = {
    homeDir: '/home/me',
    configHome: undefined,
    uid: 501,
    command: ['/bin/hearth'],
    environment: {},
  };
  const plan = (platform: NodeJS.Platform, scope: 'user' | 'system') =>
    planService({ ...setting, platform, scope })?.file;
  expect(plan('linux', 'user')).toBe('/home/me/.config/systemd/user/hearth.service');
  expect(plan('linux', 'system')).toBe('/etc/systemd/system/hearth.service');
  expect(plan('darwin', 'user')).toBe('/home/me/Library/LaunchAgents/hearth.server.plist');
  expect(plan('darwin', 'system')).toBeUndefined();
  expect(plan('win32', 'user')).toBeUndefined();
});
