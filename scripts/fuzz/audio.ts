/**
 * Sends damaged audio files of every kind to a real server, and checks that it answers each with 200 or 400 and
 * is afterwards as it was: no process, no file and no memory is left of them. Exits with 1 otherwise.
 * Needs ffmpeg to make the files. Linux only.
 *
 *   node scripts/fuzz/audio.ts [--files 2000] [--clients 4] [--seed 1] [--ffmpeg built-in]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeDemoSpeech } from '../make/demo-speech/write-demo-speech.ts';
import { sendDamagedAudio } from '../../test/support/audio/send-damaged-audio.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    ffmpeg: { type: 'string', default: 'ffmpeg' },
  },
});

const folder = await mkdtemp(join(tmpdir(), 'hearth-fuzz-audio-'));
try {
  await writeDemoSpeech(join(folder, 'ears.bin'), { multilingual: true });
  const result = await sendDamagedAudio({
    modelsDir: folder,
    ffmpeg: values.ffmpeg,
    files: Number(values.files),
    clients: Number(values.clients),
    seed: Number(values.seed),
    onProgress: (sent) => sent % 100 === 0 && console.log(`${sent} files`),
  });
  console.log(JSON.stringify(result, undefined, 2));
  if (result.problems.length > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
