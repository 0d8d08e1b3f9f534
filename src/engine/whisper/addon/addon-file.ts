import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MachineTroubleError } from '../../file-engines.ts';

/** The package's folder: src and dist lie equally deep in it. */
export const packageDir = fileURLToPath(new URL('../../../../', import.meta.url));
export const nativeDir = join(packageDir, 'src/engine/whisper/native');
const nativeSources = [
  'CMakeLists.txt',
  'addon.cc',
  'session.cc',
  'session.h',
  'token-rules.cc',
  'token-rules.h',
];

/** What to do about an AddonError; the command works in the current folder. */
export function speechRemedy(): string {
  if (process.platform === 'win32') return 'speech is made for Linux and macOS; on Windows run hearth in WSL';
  const script = join(packageDir, 'scripts/build-whisper.mjs');
  if (!existsSync(script)) return 'build the image of hearth on a machine with this processor';
  return `install cmake and a C++ compiler, then run: ${buildCommand(script)}`;
}

/** In an installed package npm would look for the script in the current folder, and hide what it prints. */
function buildCommand(script: string): string {
  const isClone = existsSync(join(packageDir, 'src/cli.ts'));
  if (!isClone) return `node "${script}"`;
  return relative(packageDir, process.cwd()) === ''
    ? 'npm run build:whisper'
    : `npm --prefix "${resolve(packageDir)}" run build:whisper`;
}

/** No addon fits this machine and these sources, or it does not load. Clients are told the message, but no paths. */
export class AddonError extends MachineTroubleError {
  readonly finding: string;

  /** `trouble`: why it does not load, of which the first line is told; undefined: it is not there. */
  constructor(trouble?: string) {
    const [reason = ''] = trouble?.split('\n') ?? [];
    const finding =
      trouble === undefined ? 'not built' : `built, but does not load (${reason.slice(0, 200)})`;
    super(`on the server the speech engine is ${finding}; what to do there is told by: hearth doctor`);
    this.finding = finding;
  }
}

/** Folder of the npm package that carries whisper.cpp's sources. */
export function whisperPackageDir(): string {
  return dirname(createRequire(import.meta.url).resolve('nodejs-whisper/package.json'));
}

/**
 * Hash of all that the addon is made of and made for: another processor may lack an instruction that it uses.
 * `cpuInfo` is the text of /proc/cpuinfo, '' where there is none: there the processor's name tells.
 */
export function addonKey(cpuInfo: string = readCpuInfo()): string {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(whisperPackageDir(), 'package.json')));
  for (const name of nativeSources) hash.update(readFileSync(join(nativeDir, name)));
  const processor = [process.platform, process.arch, os.cpus()[0]?.model, ...instructionSets(cpuInfo)];
  hash.update(processor.join(' '));
  return hash.digest('hex').slice(0, 16);
}

/** Where the installation puts the addon of `key`. */
export const installedAddonFile = (key: string) => join(packageDir, 'build', `whisper-${key}.node`);

/** The addon for this machine and these sources; throws AddonError where there is none. */
export function addonFile(): string {
  const file = installedAddonFile(addonKey());
  if (!existsSync(file)) throw new AddonError();
  return file;
}

/** What compilers make use of, as Linux names it. Its other words do not matter to them, and change with the kernel. */
const x86Sets =
  /^(?:s?sse\w*|pni|avx\w*|amx\w*|fma4?|f16c|bmi\d|abm|lzcnt|popcnt|movbe|xop|tbm|adx|cx16|gfni|sha\w*|v?aes|v?pclmulqdq)$/;
const armSets =
  /^(?:fp|fphp|fp16|asimd\w*|dotprod|sve\w*|sme\w*|i8mm|bf16|neon|vfp\w*|crc32|atomics|sha\w*|aes|pmull|jscvt|fcma|i?lrcpc\d?)$/;

function instructionSets(cpuInfo: string): string[] {
  const [, words = ''] = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuInfo) ?? [];
  const isSet = (word: string): boolean => x86Sets.test(word) || armSets.test(word);
  return words.split(/\s+/).filter(isSet).toSorted();
}

function readCpuInfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return ''; // Not Linux.
  }
}
