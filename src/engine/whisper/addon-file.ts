import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's folder: src and dist lie equally deep in it. */
export const packageDir = fileURLToPath(new URL('../../../', import.meta.url));
export const nativeDir = join(packageDir, 'src/engine/whisper/native');
const nativeSources = [
  'CMakeLists.txt',
  'addon.cc',
  'session.cc',
  'session.h',
  'token-rules.cc',
  'token-rules.h',
];

/** What builds the addon: npm runs no scripts of ours in an installed package but those of the installation. */
export const buildCommand =
  extname(import.meta.url) === '.ts' ? 'npm run build:whisper' : 'npm rebuild hearth';

/** There is no addon that fits this machine and these sources. The message says what to do. */
export class AddonMissingError extends Error {
  override readonly name = 'AddonMissingError';
  readonly remedy = `install cmake and a C++ compiler, then run: ${buildCommand}`;

  constructor() {
    super('the speech engine is not built on the server');
    this.message += `; ${this.remedy}`;
  }
}

/** Folder of the npm package that carries whisper.cpp's sources. */
export function whisperPackageDir(): string {
  return dirname(createRequire(import.meta.url).resolve('nodejs-whisper/package.json'));
}

/** Hash of all that the addon is made of and made for: another processor may lack an instruction that it uses. */
export function addonKey(): string {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(whisperPackageDir(), 'package.json')));
  for (const name of nativeSources) hash.update(readFileSync(join(nativeDir, name)));
  hash.update(`${process.platform} ${process.arch} ${processorFeatures()}`);
  return hash.digest('hex').slice(0, 16);
}

/** Where the installation puts the addon of `key`. */
export const installedAddonFile = (key: string) => join(packageDir, 'build', `whisper-${key}.node`);

/** The addon for this machine and these sources; throws AddonMissingError. */
export function addonFile(): string {
  const file = installedAddonFile(addonKey());
  if (!existsSync(file)) throw new AddonMissingError();
  return file;
}

function processorFeatures(): string {
  const model = os.cpus()[0]?.model ?? '';
  try {
    const [flags = ''] = /^(?:flags|Features)\s*:.*$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
    return `${model} ${flags}`;
  } catch {
    return model; // Not Linux: there the model tells.
  }
}
