import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findNewer, isLater } from '../../../src/cli/about/update.ts';
import { packageVersion } from '../../../src/config/package-version.ts';
import type { ShippedPart } from '../../../src/cli/about/shipped-parts.ts';
import { hearthProcess } from '../../support/server/hearth-process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-about-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const hearth = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  hearthProcess(folder, args, { HOME: folder, ...env });

/** Puts a program of this name in front of the real one; `script` is its content. */
function fakeProgram(name: string, script: string): { PATH: string } {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  return { PATH: `${bin}:${process.env['PATH']}` };
}

it('tells the versions of what it is built on', async () => {
  const { code, stdout } = await hearth(['--version']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^hearth +${packageVersion}\\nnode +${process.versions.node} .*\\nllama\\.cpp +\\S+ \\(node-llama-cpp 3.*\\nspeech +\\S`,
    ),
  );
});

describe('licences', () => {
  it('names one for everything that is shipped', async () => {
    const { stdout } = await hearth(['licences', '--json']);
    const parts = JSON.parse(stdout) as ShippedPart[];
    expect(parts.filter(({ licence }) => !/^\(?[\w.-]/.test(licence))).toEqual([]);
    const names = new Set(parts.map(({ name }) => name));
    const read = (file: string) =>
      JSON.parse(readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8')) as {
        dependencies: object;
        packages: Record<string, { dev?: boolean }>;
      };
    const shipped = Object.keys(read('package.json').dependencies);
    for (const name of [...shipped, 'llama.cpp', 'ggml', 'whisper.cpp', 'hearth', 'hearth-demo (model)'])
      expect(names).toContain(name);
    const locked = Object.entries(read('package-lock.json').packages).filter(([, { dev }]) => dev !== true);
    for (const [path] of locked.filter(([one]) => one !== ''))
      expect(names, path).toContain(path.slice(path.lastIndexOf('node_modules/') + 13));
    // The page's libraries are found by the bundle.
    expect(parts.filter(({ within }) => within === 'page').map(({ name }) => name)).toContain('preact');
  });

  it('prints the text of one, and names a near one for a typing error', async () => {
    const one = await hearth(['licences', 'whisper.cpp']);
    expect(one.stdout).toContain('Permission is hereby granted');
    const none = await hearth(['licences', 'wisper.cpp']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('did you mean whisper.cpp?');
  });
});

describe.skipIf(process.platform !== 'linux')('service', () => {
  const file = () => join(folder, '.config/systemd/user/hearth.service');
  const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
  /** Notes its calls; the service is active once it was enabled, and no more once it was disabled. */
  const systemctl = () =>
    fakeProgram(
      'systemctl',
      `echo "$*" >> "$HOME/calls"
case "$*" in
  *enable*) touch "$HOME/active";;
  *disable*) rm "$HOME/active";;
  *is-active*) test -e "$HOME/active";;
esac`,
    );

  it('is shown, and not touched, by --dry-run', async () => {
    const { code, stdout } = await hearth(['service', 'install', '--dry-run', '--data-dir', 'a b']);
    expect(code).toBe(0);
    expect(stdout).toContain(`write ${file()}:`);
    expect(stdout).toContain(`serve --data-dir "${join(folder, 'a b')}"`);
    expect(stdout).toContain('run systemctl --user enable --now hearth.service');
    expect(existsSync(file())).toBe(false);
  });

  it('takes over what flags, environment and folder say, tells it, and writes no secret', async () => {
    const here = { HEARTH_HOST: '127.0.0.2', HEARTH_PORT: '9000', HEARTH_MODELS_DIR: 'models:/srv/gguf' };
    const env = { ...here, HEARTH_FFMPEG: 'built-in', HEARTH_LOG_LEVEL: 'debug', HF_TOKEN: 'hf_secret' };
    const { code, stdout } = await hearth(['service', 'install', '--dry-run', '--port', '9001'], env);
    expect(code).toBe(0);
    const folders = `--models-dir ${join(folder, 'models')} --models-dir /srv/gguf`;
    expect(stdout).toContain(`serve ${folders} --host 127.0.0.2 --port 9001 --log-level debug\n`);
    expect(stdout).toContain('Environment=HEARTH_FFMPEG=built-in\n');
    expect(stdout).toContain('the service has --port 9001, as given\n');
    expect(stdout).toContain('the service has --host 127.0.0.2, from HEARTH_HOST\n');
    expect(stdout).toContain(`write NAME=VALUE into ${join(folder, '.config/hearth/env')}`);
    expect(stdout).not.toContain('hf_secret');
  });

  it('is installed once, told, changed and removed', async () => {
    const env = systemctl();
    const first = await hearth(['service', 'install'], env);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`write ${file()}\nrun systemctl --user daemon-reload`);
    const again = await hearth(['service', 'install'], env);
    expect(again.stdout).not.toContain('run systemctl');
    const status = await hearth(['service', 'status', '--json'], env);
    expect({ code: status.code, ...JSON.parse(status.stdout) }).toEqual({
      code: 0,
      file: file(),
      installed: true,
      current: true,
      active: true,
    });
    await hearth(['service', 'install', '--data-dir', 'other'], env);
    expect(calls()).toContain('--user restart hearth.service');
    expect((await hearth(['service', 'uninstall'], env)).stdout).toContain(`remove ${file()}`);
    expect(existsSync(file())).toBe(false);
    expect(await hearth(['service', 'uninstall'], env)).toMatchObject({
      code: 0,
      stdout: 'no service is installed\n',
    });
    expect((await hearth(['service', 'status'], env)).code).toBe(1);
  });

  it('leaves a file alone that somebody else wrote, and all where systemd does not answer', async () => {
    mkdirSync(join(file(), '..'), { recursive: true });
    writeFileSync(file(), '[Service]\n');
    const foreign = await hearth(['service', 'install'], systemctl());
    expect(foreign.stderr).toContain('was not written by hearth');
    expect(readFileSync(file(), 'utf8')).toBe('[Service]\n');
    rmSync(file());
    const env = fakeProgram('systemctl', 'echo "Failed to connect to bus" >&2; exit 1');
    const silent = await hearth(['service', 'install'], env);
    expect(silent).toMatchObject({ code: 1, stdout: '' });
    expect(silent.stderr).toContain('systemd does not answer: Failed to connect to bus');
    expect(existsSync(file())).toBe(false);
  });
});

const isClone = existsSync(fileURLToPath(new URL('../../../.git', import.meta.url)));

describe.skipIf(!isClone)('update', () => {
  const git = (lsRemote: string) =>
    fakeProgram(
      'git',
      `case "$*" in
  *get-url*) echo url;;
  *ls-remote*) ${lsRemote};;
  *rev-parse*) echo 1111111111111111;;
  *merge-base*2222222222222222*) exit 1;;
esac`,
    );

  it('says what the origin of a clone has, and how to get it', async () => {
    const newer = await hearth(['update'], git('echo "2222222222222222 HEAD"'));
    expect(newer.stdout).toContain('has 222222222222; this is 111111111111');
    expect(newer.stdout).toMatch(/git -C ".*" pull/);
    const newest = await hearth(['update', '--json'], git('echo "1111111111111111 HEAD"'));
    expect(JSON.parse(newest.stdout)).toMatchObject({ isNewer: false, latest: '111111111111' });
  });

  it('says in one sentence that it cannot ask', async () => {
    const { code, stdout, stderr } = await hearth(
      ['update'],
      git('echo "could not resolve host" >&2; exit 128'),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('cannot be asked now: could not resolve host (is this machine online?');
  });

  describe('of an installed package', () => {
    const own = { name: 'hearth', description: 'A service' };
    /** The newer version found where npm prints `answer` and ends with `exitCode`. */
    const ask = (answer: string, exitCode = 0) => {
      const { PATH } = fakeProgram('npm', `printf '%s' '${answer}'; exit ${exitCode}`);
      vi.stubEnv('PATH', PATH);
      try {
        return findNewer(folder, own);
      } finally {
        vi.unstubAllEnvs();
      }
    };

    it('asks the registry', () => {
      expect(ask('{"version": "99.0.0", "description": "A service"}')).toMatchObject({
        latest: '99.0.0',
        isNewer: true,
        commands: ['npm install -g hearth@99.0.0'],
      });
      expect(ask(`{"version": "${packageVersion}", "description": "A service"}`).isNewer).toBe(false);
    });

    it.each([
      ['{"version": "1.0.0", "description": "Another"}', 0, 'is not on'],
      ['"1.0.0"', 0, 'is not on'],
      ['{"version": "1.0.0; rm", "description": "A service"}', 0, 'is not on'],
      ['{"error": {"code": "E404", "summary": "Not Found"}}', 1, 'is not on'],
      ['{"error": {"code": "ECONNREFUSED", "summary": "connect refused"}}', 1, 'asked now: connect refused'],
      ['<html>', 0, 'did not understand'],
      ['', 0, 'did not understand'],
    ])('says in one sentence what %s means', (answer, exitCode, message) =>
      expect(() => ask(answer, exitCode)).toThrow(message),
    );
  });

  it.each([
    ['1.0.0', '0.9.9', true],
    ['0.10.0', '0.9.0', true],
    ['0.2.0', '0.2.0', false],
    ['0.1.9', '0.2.0', false],
  ])('holds %s beside %s', (a, b, later) => expect(isLater(a, b)).toBe(later));
});
