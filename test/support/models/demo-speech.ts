import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  writeDemoSpeech,
  type DemoSpeechOptions,
} from '../../../scripts/make/demo-speech/write-demo-speech.ts';
import { findAddon } from '../../../src/engine/addons/addon.ts';
import { mtmdAddon, stepperAddon } from '../../../src/engine/llama/native/builds/stepper-addon.ts';
import { addonFile } from '../../../src/engine/whisper/addon/addon-file.ts';

const cacheDir = fileURLToPath(new URL('../../.cache/', import.meta.url));
const generatorDir = fileURLToPath(new URL('../../../scripts/make/demo-speech/', import.meta.url));

/** Path of a demo speech model with these options, made on the first call and kept in test/.cache. */
export async function demoSpeech(options: DemoSpeechOptions = {}): Promise<string> {
  const key = createHash('sha256').update(JSON.stringify(options));
  for (const name of readdirSync(generatorDir).toSorted()) key.update(readFileSync(join(generatorDir, name)));
  const path = join(cacheDir, `speech-${key.digest('hex').slice(0, 16)}.bin`);
  if (!existsSync(path)) await writeDemoSpeech(path, options);
  return path;
}

/**
 * Whether speech can be tested: not on a machine without a compiler, where npm install leaves it out. Where the
 * project is checked for good it must be there.
 */
export const canTranscribe: boolean = process.env['CI'] !== undefined || isBuilt();

/** The same of pictures, sound in chats and voices, which take two addons. */
export const hasMedia: boolean = process.env['CI'] !== undefined || hasMediaAddons();

function hasMediaAddons(): boolean {
  const missing = [stepperAddon, mtmdAddon].filter((addon) => findAddon(addon) === undefined);
  if (missing.length > 0)
    console.warn(`pictures and voices are not tested: not built: ${missing.map(({ name }) => name).join()}`);
  return missing.length === 0;
}

function isBuilt(): boolean {
  try {
    return addonFile() !== '';
  } catch (error) {
    console.warn(`speech is not tested: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
