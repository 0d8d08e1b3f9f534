import { copyFileSync, createReadStream, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toFile } from 'openai';
import type { Uploadable } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testFolder } from '../../support/files/test-folder.ts';
import {
  builtInKinds,
  convert,
  ffmpegKinds,
  hasFfmpeg,
  probeSeconds,
} from '../../support/audio/audio-kinds.ts';
import { openClient, toErrorAnswer } from '../../support/server/chat-client.ts';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { sendDamagedAudio } from '../../support/audio/send-damaged-audio.ts';
import { startServer, type RunningServer, type ServerConfig } from '../../support/server/start-server.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';

const text = 'The quick brown fox jumped over the lazy dog.';
const models = [{ id: 'ears', aliases: ['whisper-1'] }];
const wavPath = path.join(testFolder, 'twelve-seconds.wav');

let modelsDir: string;
beforeAll(async () => {
  modelsDir = mkdtempSync(path.join(testFolder, 'models-'));
  copyFileSync(await demoSpeech(), path.join(modelsDir, 'ears.bin'));
  writeFileSync(wavPath, writeWav(tone(440, 12)));
});

/** A server for all tests of a block. */
function useServer(config: ServerConfig, dataDir?: string): () => RunningServer {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    const folder = dataDir === undefined ? {} : { dataDir };
    server = await startServer({ modelsDirs: [modelsDir], config: { models, ...config }, ...folder });
  });
  afterAll(async () => void (await server?.stop()));
  return () => {
    if (server === undefined) throw new Error('the server is there only while tests run');
    return server;
  };
}

const transcribe = (server: RunningServer, file: Uploadable) =>
  openClient(server).audio.transcriptions.create({ file, model: 'ears', response_format: 'verbose_json' });

describe.runIf(canTranscribe)('a server with a speech model', () => {
  const server = useServer({ audioLengthLimit: '60s' });

  it('transcribes what the openai client sends: a file, a stream, bytes', async () => {
    const wav = writeWav(tone(440, 12));
    for (const file of [new File([wav], 'a.wav'), createReadStream(wavPath), await toFile(wav, 'a.wav')]) {
      const answer = await transcribe(server(), file);
      expect(answer).toMatchObject({ task: 'transcribe', language: 'en', duration: 12, text });
      expect(answer.segments).toHaveLength(2);
      expect(answer.segments?.map(({ id, temperature }) => [id, temperature])).toEqual([
        [0, 0],
        [1, 0],
      ]);
    }
  });

  it('hears nothing in silence, and finds the language when asked to', async () => {
    const silence = await toFile(writeWav(new Float32Array(48_000)), 'silence.wav');
    expect(await transcribe(server(), silence)).toMatchObject({ text: '', segments: [], duration: 3 });
    const answer = await openClient(server()).audio.transcriptions.create({
      file: createReadStream(wavPath),
      model: 'whisper-1',
      language: 'auto',
      prompt: 'About animals.',
      temperature: 0.4,
    });
    expect(answer).toMatchObject({ text, language: expect.stringMatching(/^[a-z]{2,3}$/) as string });
  });

  it('translates, and tells segments as events to clients that ask for them', async () => {
    const { transcriptions, translations } = openClient(server()).audio;
    const file = () => createReadStream(wavPath);
    // The small model was taught to transcribe only: given the other task, it writes something else.
    const short = await toFile(writeWav(tone(440, 1)), 'short.wav');
    const translation = await translations.create({ file: short, model: 'ears' });
    expect(translation).toMatchObject({ task: 'translate', language: 'en' });
    expect(translation.text).not.toBe(text);
    const events: string[] = [];
    let deltas = '';
    for await (const event of await transcriptions.create({ file: file(), model: 'ears', stream: true })) {
      events.push(event.type);
      if (event.type === 'transcript.text.delta') deltas += event.delta;
      if (event.type === 'transcript.text.done') expect(event.text).toBe(text);
    }
    expect(deltas).toBe(text);
    expect(events).toEqual(['transcript.text.delta', 'transcript.text.delta', 'transcript.text.done']);
  });

  // test/unit/engine/audio/formats.test.ts decodes every kind in both ways: here are one with a picture, and one whose
  // name and length say nothing.
  const farthest = ffmpegKinds.filter(([name]) => /video.mp4|adts.mp3/.test(name));
  it.runIf(hasFfmpeg).each(farthest)('transcribes %s', async (name, args) => {
    const file = path.join(testFolder, name);
    await convert(wavPath, file, args);
    const answer = await transcribe(server(), createReadStream(file));
    expect(answer.text).toBe(text);
    if (name === 'adts.mp3') return; // Says nothing of its length.
    expect(Math.abs(answer.duration - (await probeSeconds(file)))).toBeLessThan(0.05);
  });

  it('refuses what is too long and what is no audio', async () => {
    const long = await toFile(writeWav(new Float32Array(61 * 16_000)), 'long.wav');
    await expect(transcribe(server(), long)).rejects.toMatchObject({
      status: 400,
      code: 'audio_too_long',
      param: 'file',
    });
    const noise = await toFile(Buffer.from('no audio at all'), 'noise.mp3');
    await expect(transcribe(server(), noise)).rejects.toMatchObject({ status: 400, code: 'invalid_audio' });
  });
});

describe.runIf(canTranscribe)('a server without ffmpeg', () => {
  const dataDir = mkdtempSync(path.join(testFolder, 'data-'));
  const left = path.join(dataDir, 'uploads', 'upload-old');
  mkdirSync(left, { recursive: true });
  writeFileSync(path.join(left, 'file'), 'speech');
  const server = useServer({ ffmpeg: 'built-in', audioBodyLimit: '64MiB' }, dataDir);

  it('removes at its start what a killed server left of uploads', () => {
    expect(existsSync(path.dirname(left))).toBe(true);
    expect(existsSync(left)).toBe(false);
  });

  it.runIf(hasFfmpeg).each(builtInKinds.filter(([name]) => /opus.webm|mp2.mpga/.test(name)))(
    'transcribes %s',
    async (name, args) => {
      const file = path.join(testFolder, name);
      await convert(wavPath, file, args);
      const answer = await transcribe(server(), createReadStream(file));
      expect(answer.text).toBe(text);
      expect(Math.abs(answer.duration - (await probeSeconds(file)))).toBeLessThan(0.05);
    },
  );

  it.runIf(hasFfmpeg)('answers for a file that needs it how to get it', async () => {
    const file = path.join(testFolder, 'memo.m4a');
    await convert(wavPath, file, '-c:a aac');
    await expect(transcribe(server(), createReadStream(file))).rejects.toMatchObject({
      status: 400,
      code: 'invalid_audio',
      param: 'file',
      message: expect.stringMatching(/apt-get install ffmpeg/) as string,
    });
  });

  it('holds up nobody while it hears half an hour of silence', { timeout: 300_000 }, async () => {
    const silence = writeWav(new Float32Array(1750 * 16_000), { encoding: 'u8' });
    const file = await toFile(silence, 'silence.wav');
    const { delayMs } = await watchHealth(server(), async () => {
      expect(await transcribe(server(), file)).toMatchObject({ text: '', segments: [], duration: 1750 });
    });
    expect(delayMs).toBeLessThan(250);
  });
});

describe.runIf(canTranscribe)('an allowance of audio', () => {
  const server = useServer({ plans: { unlimited: { limits: { audioSeconds: { hour: 20 } } } } });

  it('is charged by the length of what was heard, and may be overdrawn once', async () => {
    const post = async (): Promise<Response> => {
      const form = new FormData();
      form.append('file', new Blob([writeWav(tone(440, 12))]), 'a.wav');
      form.append('model', 'ears');
      const { baseUrl, apiKey } = server();
      const headers = { authorization: `Bearer ${apiKey}` };
      return await fetch(`${baseUrl}/audio/transcriptions`, { method: 'POST', body: form, headers });
    };
    const first = await post();
    expect(first.status).toBe(200);
    expect(first.headers.get('x-ratelimit-remaining-audio-seconds')).toBe('8');
    const second = await post();
    expect(second.status).toBe(200);
    expect(second.headers.get('x-ratelimit-limit-audio-seconds')).toBe('20');
    expect(second.headers.get('x-ratelimit-remaining-audio-seconds')).toBe('0');
    const third = await toErrorAnswer(await post());
    expect(third.status).toBe(429);
    expect(third.error.code).toBe('rate_limit_exceeded');
    // Four seconds of debt, and a second of allowance comes back every three minutes.
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(600);
  });
});

it.runIf(canTranscribe && hasFfmpeg && process.platform === 'linux')(
  'answers damaged files with 200 or 400, and is afterwards as it was',
  async () => {
    const result = await sendDamagedAudio({ modelsDir, ffmpeg: 'ffmpeg', files: 20, clients: 3, seed: 7 });
    expect(result.problems).toEqual([]);
    expect(result.rssAfterBytes).toBeLessThan(result.rssBeforeBytes + 2 ** 28);
  },
  300_000,
);
