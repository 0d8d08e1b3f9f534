import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { packageVersion } from '../../config/package-version.ts';
import { findAddon, notBuilt } from '../../engine/addons/addon.ts';
import { mtmdAddon, stepperAddon } from '../../engine/llama/native/builds/stepper-addon.ts';
import { whisperAddon } from '../../engine/whisper/addon/addon-file.ts';
import { printFields } from '../output.ts';

/** Prints the versions of this program and of the libraries that it computes with. */
export function printVersions(): void {
  printFields([
    ['hearth', packageVersion],
    ['node', `${process.versions.node} (${process.platform} ${process.arch})`],
    ['llama.cpp', llamaRelease()],
    ['speech', findAddon(whisperAddon) ?? notBuilt],
    ['stepper', findAddon(stepperAddon) ?? notBuilt],
    ['libmtmd', findAddon(mtmdAddon) ?? notBuilt],
  ]);
}

/** The release of llama.cpp that node-llama-cpp comes with. */
function llamaRelease(): string {
  // The package exports neither of these files by name; its entry lies in `dist`.
  const entry = createRequire(import.meta.url).resolve('node-llama-cpp');
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../${name}`, pathToFileURL(entry)), 'utf8')) as Record<string, string>;
  const { tag = 'unknown' } = read('llama/llama.cpp.info.json');
  return `${tag} (node-llama-cpp ${read('package.json')['version'] ?? 'unknown'})`;
}
