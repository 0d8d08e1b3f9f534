/**
 * Decodes damaged pictures of every format, and checks that each is decoded or refused, that good ones are decoded
 * afterwards, and that no process is left. Exits with 1 otherwise.
 *
 *   node scripts/fuzz/pictures.ts [--files 2000] [--clients 4] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { AppError } from '../../src/errors/errors.ts';
import { PictureDecoder } from '../../src/engine/pictures/picture-decoder.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { damagedFiles } from '../../test/support/audio/damaged-files.ts';
import { pictureFile, pictureNames } from '../../test/support/pictures/pictures.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});

const good = pictureNames.map((name) => ({ name, bytes: pictureFile(name) }));
const files = damagedFiles(good, Number(values.files), Number(values.seed));
const decoder = new PictureDecoder(createLog({ level: 'warn' }));
const { signal } = new AbortController();
const counts: Record<string, number> = {};
let slowestMs = 0;

async function client(number: number): Promise<void> {
  for (const { name, bytes } of files) {
    const startedAt = performance.now();
    const outcome = await decoder.decode(bytes, signal, { keyId: String(number) }).then(
      () => 'decoded',
      (error: unknown) => (error instanceof AppError ? error.code : `${name}: ${String(error)}`),
    );
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - startedAt));
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
}

try {
  await Promise.all(Array.from({ length: Number(values.clients) }, (_, number) => client(number)));
  for (const { bytes } of good) await decoder.decode(bytes, signal);
  console.log(JSON.stringify({ counts, slowestMs }, undefined, 2));
  if (Object.keys(counts).some((outcome) => outcome !== 'decoded' && outcome !== 'invalid_image'))
    process.exitCode = 1;
} finally {
  await decoder.close();
}
