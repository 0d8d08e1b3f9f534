import { readFileSync } from 'node:fs';
import os from 'node:os';

/**
 * The features of this machine's processor that count for a compiler: a program made for another one may use an
 * instruction that it lacks. `cpuInfo` is the text of /proc/cpuinfo; '' where there is none: then the processor's name
 * takes their place.
 */
export function processorFeatures(cpuInfo?: string): string {
  return [process.platform, process.arch, os.cpus()[0]?.model, ...instructionSets(cpuInfo)].join(' ');
}

/** Features that compilers use, as Linux names them. Other words of Linux do not matter, and change with the kernel. */
const x86Sets =
  /^(?:s?sse\w*|pni|avx\w*|amx\w*|fma4?|f16c|bmi\d|abm|lzcnt|popcnt|movbe|xop|tbm|adx|cx16|gfni|sha\w*|v?aes|v?pclmulqdq)$/;
const armSets =
  /^(?:fp|fphp|fp16|asimd\w*|dotprod|sve\w*|sme\w*|i8mm|bf16|neon|vfp\w*|crc32|atomics|sha\w*|aes|pmull|jscvt|fcma|i?lrcpc\d?)$/;

function instructionSets(cpuInfo?: string): string[] {
  const isSet = (word: string): boolean => x86Sets.test(word) || armSets.test(word);
  return processorWords(cpuInfo).filter(isSet).toSorted();
}

/** The processor's features, as Linux names them. `cpuInfo` is as for `processorFeatures`. */
export function processorWords(cpuInfo: string = readCpuInfo()): string[] {
  const [, words = ''] = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuInfo) ?? [];
  return words.trim().split(/\s+/);
}

function readCpuInfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return ''; // Not Linux.
  }
}
