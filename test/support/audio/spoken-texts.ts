import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VoiceFamily } from '../../../scripts/make/tiny-voice/write-tiny-voice.ts';
import { tinyVoice } from '../models/tiny-voice.ts';
import { oneThread } from '../server/chat-fixture.ts';
import { startServer, type RunningServer } from '../server/start-server.ts';
import { writeWav } from './wav.ts';

/** Samples of llama-tts, as scripts/compare/speech.ts wrote them down. */
export const recordFile = new URL('spoken-texts.json', import.meta.url);

export const voiceFamilies: readonly VoiceFamily[] = ['pocket', 'qwen'];
/**
 * Short enough that neither program cuts them. By these seeds no code of the speech is drawn where two were nearly as
 * likely: SSE4.2, AVX2 and AVX-512 round otherwise, and must draw the same.
 */
export const spokenTexts: readonly { readonly text: string; readonly seed: number }[] = [
  { text: 'Good morning!', seed: 1 },
  { text: 'Hi.', seed: 4 },
  { text: 'The people who came to the house were tired.', seed: 4 },
];
const voiceName = 'reference';

/** One of every 61 samples, so that no rhythm of the decoder's strides is missed or repeated. */
export const excerptStep = 61;

export interface SpokenRecord {
  readonly family: VoiceFamily;
  readonly text: string;
  readonly seed: number;
  /** Samples of the whole. */
  readonly length: number;
  /** 16-bit samples. */
  readonly excerpt: readonly number[];
}

export async function readRecords(): Promise<readonly SpokenRecord[]> {
  return JSON.parse(await readFile(recordFile, 'utf8')) as readonly SpokenRecord[];
}

export const excerptOf = (samples: Int16Array): number[] =>
  Array.from({ length: Math.ceil(samples.length / excerptStep) }, (_, at) => samples[at * excerptStep] ?? 0);

/** The largest difference between two sounds; infinite where their lengths differ. */
export const differenceOf = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  one.length === other.length
    ? Array.from(one, (sample, at) => Math.abs(sample - (other[at] ?? 0))).reduce(
        (most, each) => Math.max(most, each),
        0,
      )
    : Number.POSITIVE_INFINITY;

/**
 * Path of a second of a recording that the models imitate, in a new folder. At the models' own sample rate: the programs
 * do not resample alike.
 */
export async function writeReference(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'hearth-reference-')), `${voiceName}.wav`);
  const rateHz = 24_000;
  const rising = Float32Array.from(
    { length: rateHz },
    (_, at) => 0.4 * Math.sin((at * (1 + at / rateHz)) / 20),
  );
  await writeFile(path, writeWav(rising, { rateHz }));
  return path;
}

/** A server whose models are the families, with the reference as their voice, in memory. */
export async function startSpeaker(reference: string): Promise<RunningServer> {
  const models = await Promise.all(
    voiceFamilies.map(async (family) => {
      const { model, projector } = await tinyVoice({ family });
      return { id: family, source: model, projector, ...oneThread };
    }),
  );
  const server = await startServer({
    modelsDirs: [],
    config: { demo: false, models, voices: { [voiceName]: reference } },
  });
  // A model's file is tried when it is first asked for, which takes long where others compute.
  await Promise.all(voiceFamilies.map((family) => speakPcm(server, family, { text: 'Hi.', seed: 2 })));
  return server;
}

/** The samples of a text that the server speaks. */
export async function speakPcm(
  { baseUrl, apiKey }: Pick<RunningServer, 'baseUrl' | 'apiKey'>,
  model: string,
  { text, seed }: { readonly text: string; readonly seed: number },
): Promise<Int16Array> {
  const response = await fetch(new URL('/v1/audio/speech', baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model, input: text, seed, voice: voiceName, response_format: 'pcm' }),
  });
  if (!response.ok) throw new Error(await response.text());
  return new Int16Array(await response.arrayBuffer());
}
