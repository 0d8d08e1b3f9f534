/**
 * Builds the speech engine's addon: `npm run build:whisper`, and at the end of every `npm install`, which goes on
 * without it (--optional). Plain JavaScript, since it also runs in an installed package and under an old Node.
 */
import { existsSync } from 'node:fs';

const isOptional = process.argv.includes('--optional');
const builder = ['../src/engine/whisper/addon/build-addon.ts', '../dist/engine/whisper/addon/build-addon.js']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url));

try {
  if (builder === undefined) throw new Error('neither src nor dist is here: run npm run build first');
  const { buildAddon } = await import(builder.href);
  console.log(`The speech engine is built: ${buildAddon(process.env)}`);
} catch (error) {
  console.error(`The speech engine is not built: ${error instanceof Error ? error.message : String(error)}`);
  console.error('Chat works without it.');
  if (!isOptional) process.exitCode = 1;
}
