import { loadedLibraries } from '../processes/loaded-libraries.ts';
import { processorWords } from './processor.ts';

/** Processors that addons are built for in a release. */
export interface ProcessorLevel {
  readonly name: string;
  /** The features that /proc/cpuinfo lists for each of them. */
  readonly words: readonly string[];
  /** For compilers. */
  readonly options: string;
}

/** Without `abm`: hypervisors hide it on processors that have all else. */
const v3 = 'cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma movbe xsave'.split(' ');
const v4 = [...v3, ...'avx512f avx512bw avx512cd avx512dq avx512vl'.split(' ')];
const v8Point2 = 'atomics crc32 asimdrdm asimddp fphp asimdhp'.split(' ');

/** By architecture as Node.js names it. The best comes first; the last are all processors that there are. */
export const processorLevels: Readonly<Record<string, readonly ProcessorLevel[]>> = {
  x64: [
    { name: 'x86-64-v4', words: v4, options: '-march=x86-64-v4 -mno-lzcnt' },
    { name: 'x86-64-v3', words: v3, options: '-march=x86-64-v3 -mno-lzcnt' },
    { name: 'x86-64', words: [], options: '-march=x86-64' },
  ],
  arm64: [
    { name: 'armv8.2-a+dotprod+fp16', words: v8Point2, options: '-march=armv8.2-a+dotprod+fp16' },
    { name: 'armv8-a', words: [], options: '-march=armv8-a' },
  ],
};

/** The facts that decide which of a release's addons a machine can load. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** Its C library is glibc, and not another one as in Alpine. */
  readonly hasGlibc: boolean;
  /** Text of /proc/cpuinfo. */
  readonly cpuInfo?: string;
}

/** Names of the levels that the machine's processor is of, the best first; none where releases are not made for it. */
export function levelsOf({ platform, arch, hasGlibc, cpuInfo }: Machine): string[] {
  if (platform !== 'linux' || !hasGlibc) return [];
  const words = new Set(processorWords(cpuInfo));
  const levels = processorLevels[arch] ?? [];
  return levels.filter((level) => level.words.every((word) => words.has(word))).map(({ name }) => name);
}

/** Older versions have their number in the file's name. */
const glibcFile = /\/libc(?:\.so\.6|-[\d.]+\.so)$/;

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  const { platform, arch } = process;
  const hasGlibc = platform === 'linux' && loadedLibraries().some((file) => glibcFile.test(file));
  return { platform, arch, hasGlibc };
}
