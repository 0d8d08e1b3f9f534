import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { addonKey, installedAddonFile } from '../../../../src/engine/addons/addon.ts';
import { addonTrouble } from '../../../../src/engine/addons/addon-trouble.ts';
import { addonFile, whisperAddon } from '../../../../src/engine/whisper/addon/addon-file.ts';
import { giveMachineSpeed } from '../../../support/server/machine-speed.ts';
import { canTranscribe, demoSpeech } from '../../../support/models/demo-speech.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-addon-')));
afterAll(() => rmSync(scratch, { recursive: true }));

describe('the addon’s key', () => {
  const flags = (words: string) => `processor\t: 0\nflags\t\t: ${words}\nbugs\t\t: spectre_v1\n`;
  const keyOn = (cpuInfo: string) => addonKey(whisperAddon, cpuInfo);
  const features = (words: string) => `processor\t: 0\nFeatures\t: ${words}\n`;

  it('stays when a kernel knows more words or another order', () => {
    expect(keyOn(flags('fpu sse2 avx2 cpuid tsc_known_freq pti ibrs_enhanced md_clear'))).toBe(
      keyOn(flags('fpu avx2 sse2')),
    );
    expect(keyOn(features('fp asimd evtstrm cpuid ssbs'))).toBe(keyOn(features('fp asimd')));
  });

  it.each([
    ['avx2', flags('sse2 avx2'), flags('sse2')],
    ['avx512_bf16', flags('avx512f avx512_bf16'), flags('avx512f')],
    ['f16c', flags('fma f16c'), flags('fma')],
    ['asimddp', features('asimd asimddp'), features('asimd')],
    ['i8mm', features('asimd i8mm'), features('asimd')],
  ])('differs without %s', (_name, withIt, without) => {
    expect(keyOn(withIt)).not.toBe(keyOn(without));
  });
});

describe('an addon that does not load', () => {
  /** A package of the same sources, with a damaged addon. */
  const packageDir = join(scratch, 'package');
  for (const name of ['package.json', 'scripts/build/addons.mjs', 'models/catalog.yaml', 'src'])
    cpSync(join(repository, name), join(packageDir, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(packageDir, 'node_modules'));
  const addon = join(packageDir, 'build', basename(installedAddonFile(whisperAddon, addonKey(whisperAddon))));
  mkdirSync(dirname(addon));
  writeFileSync(addon, 'no library');

  it.skipIf(!canTranscribe)('is told from one that does', () => {
    expect(addonTrouble(whisperAddon, addonFile())).toBeUndefined();
    expect(addonTrouble(whisperAddon, addon)).toContain(basename(addon));
  });

  it('is no fault of the model', async () => {
    const program = join(packageDir, 'src/engine/model-check/load-check-child.ts');
    const child = fork(program, [await demoSpeech()], { execArgv: [] });
    const [verdict] = await once(child, 'message');
    child.kill('SIGKILL');
    expect(verdict).toEqual({
      loadable: false,
      reason: expect.stringContaining('does not load'),
      transient: true,
    });
    expect(verdict.reason).toContain('hearth doctor');
  });

  it('is what doctor speaks of', async () => {
    const data = join(scratch, 'data');
    const cli = join(packageDir, 'src/cli.ts');
    await giveMachineSpeed(data);
    const doctor = promisify(execFile)(
      process.execPath,
      [cli, 'doctor', '--json', '--data-dir', data, '--models-dir', scratch],
      { cwd: scratch, env: { PATH: process.env['PATH'] } },
    );
    // Something is wrong, and its exit code says so.
    const { code, stdout } = await doctor.then(
      () => ({ code: 0, stdout: '' }),
      (error: { code: number; stdout: string }) => error,
    );
    expect(code).toBe(1);
    const findings = JSON.parse(stdout) as { subject: string }[];
    expect(findings.find(({ subject }) => subject === 'addons')).toEqual({
      subject: 'addons',
      ok: false,
      finding: expect.stringContaining('the speech engine: built, but does not load'),
      remedy: expect.stringContaining(`npm --prefix "${packageDir}" run build:addons`),
    });
  });
});
