import { equal, match } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { tone, writeWav } from '../../../test/support/audio/wav.ts';
import { writeDemoSpeech } from '../../make/demo-speech/write-demo-speech.ts';
import { has, run, type Container } from './container.ts';

const question = 'What is the capital of France?';

/** Throws where `hearth chat` in the container has no answer. */
export async function answersFromInside(container: Container): Promise<void> {
  match(await container.exec(['hearth', 'chat', '--temperature', '0'], question), /Paris/);
}

/** Throws where a client on this machine has no answer. */
export async function answersFromOutside(container: Container, apiKey: string): Promise<void> {
  const client = new OpenAI({ baseURL: `${await container.address()}/v1`, apiKey, maxRetries: 0 });
  const { choices } = await client.chat.completions.create({
    model: 'hearth-demo',
    messages: [{ role: 'user', content: question }],
    temperature: 0,
  });
  match(choices[0]?.message.content ?? '', /Paris/);
}

/** Formats by the ending of their names. WAV is read by hearth, MP3 and M4A by the ffmpeg of the image. */
type Format = 'wav' | 'mp3' | 'm4a';

/**
 * Throws where it does not transcribe a file in each of the formats. It has then the demo's speech model among the models
 * of its volume. Formats are made by this machine's ffmpeg, and left out where there is none.
 */
export async function hears(
  container: Container,
  formats: readonly Format[] = ['wav', 'mp3', 'm4a'],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-try-'));
  try {
    await putModel(container, join(folder, 'ears.bin'));
    const wav = join(folder, 'tone.wav');
    await writeFile(wav, writeWav(tone(440, 12)));
    for (const format of formats) {
      const file = join(folder, `tone.${format}`);
      if (format !== 'wav' && !has('ffmpeg')) console.warn(`not tried, as ffmpeg is not here: ${format}`);
      else {
        if (format !== 'wav') await run('ffmpeg', ['-v', 'error', '-i', wav, file]);
        equal(
          await hear(container, format, await readFile(file)),
          'The quick brown fox jumped over the lazy dog.',
        );
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function putModel(container: Container, file: string): Promise<void> {
  await writeDemoSpeech(file, { multilingual: true, stutters: false });
  await container.exec(
    ['sh', '-c', 'mkdir -p /data/models && cat > /data/models/ears.bin'],
    await readFile(file),
  );
}

async function hear(container: Container, format: Format, bytes: Buffer): Promise<string> {
  const path = `/tmp/tone.${format}`;
  await container.exec(['sh', '-c', `cat > ${path}`], bytes);
  return (await container.exec(['hearth', 'transcribe', path, '--text'])).replaceAll(/\s+/g, ' ').trim();
}
