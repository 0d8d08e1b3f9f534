import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { levelsOf, processorLevels } from '../../../../src/engine/addons/processor-levels.ts';

const v3 = 'fpu sse2 cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave';
const v4 = `${v3} avx512f avx512bw avx512cd avx512dq avx512vl`;

describe('the levels of a processor', () => {
  const linux = { platform: 'linux', arch: 'x64', hasGlibc: true };
  const flags = (words: string) => `processor\t: 0\nflags\t\t: ${words}\nbugs\t\t: spectre_v1\n`;
  const features = (words: string) => `processor\t: 0\nFeatures\t: ${words}\n`;

  it.each([
    ['x86-64-v4 x86-64-v3 x86-64', v4],
    ['x86-64-v3 x86-64', v3],
    ['x86-64-v3 x86-64', v4.replace('avx512vl', '')],
    ['x86-64-v4 x86-64-v3 x86-64', v4.replace('abm ', '')],
    ['x86-64', v3.replace('f16c', '')],
    ['x86-64', v4.replace('avx2', '')],
    ['x86-64', 'fpu sse2'],
  ])('are %s where it can do that', (levels, words) => {
    expect(levelsOf({ ...linux, cpuInfo: flags(words) })).toEqual(levels.split(' '));
  });

  it('are told from what Linux says on arm64', () => {
    const on = (words: string) => levelsOf({ ...linux, arch: 'arm64', cpuInfo: features(words) });
    expect(on('fp asimd evtstrm aes')).toEqual(['armv8-a']);
    expect(on('fp asimd atomics crc32 asimdrdm asimddp fphp asimdhp')).toEqual([
      'armv8.2-a+dotprod+fp16',
      'armv8-a',
    ]);
  });

  it.each([
    ['macOS', { platform: 'darwin' }],
    ['Alpine', { hasGlibc: false }],
    ['riscv64', { arch: 'riscv64' }],
  ])('are of no use on %s, for which no release has addons', (_name, difference) => {
    expect(levelsOf({ ...linux, ...difference, cpuInfo: flags(v4) })).toEqual([]);
  });

  const prebuilt = new URL('../../../../src/engine/addons/prebuilt/', import.meta.url);
  it.each(Object.entries(processorLevels).map(([arch, levels]) => [arch, levels.at(-1)?.name ?? '']))(
    'have addons in the clone for every processor of %s',
    (arch, level) => {
      const files = readdirSync(new URL(`linux-${arch}/`, prebuilt)).join(' ');
      for (const addon of ['mtmd', 'stepper', 'whisper'])
        expect(files).toMatch(new RegExp(String.raw`${addon}-[0-9a-f]{16}-${level}\.node\.br`));
    },
  );
});
