import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nextProbabilities } from '../../../../scripts/make/demo-speech/speaking-weights.ts';
import { wordToken } from '../../../../scripts/make/demo-speech/vocabulary.ts';
import {
  createDemoSpeech,
  demoSentence,
  type DemoSpeech,
} from '../../../../scripts/make/demo-speech/write-demo-speech.ts';
import { inspectModelFile } from '../../../../src/catalog/files/model-file.ts';
import { checkModelFile } from '../../../../src/engine/model-check/load-check.ts';
import { ModelPool } from '../../../../src/engine/pool/model-pool.ts';
import { ThreadBudget } from '../../../../src/engine/queue/thread-budget.ts';
import { WhisperBackend } from '../../../../src/engine/whisper/whisper-backend.ts';
import type { FileCheck, FileModelSpec } from '../../../../src/engine/model-backend.ts';
import { ModelEngine } from '../../../../src/engine/model-engine.ts';
import type {
  Transcript,
  TranscriptSegment,
  TranscriptionProgress,
  TranscriptionRequest,
} from '../../../../src/engine/speech/transcription-types.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { canTranscribe, demoSpeech } from '../../../support/models/demo-speech.ts';
import { sharedModel } from '../../../support/models/shared-models.ts';
import { tone } from '../../../support/audio/wav.ts';

const log = createLog({ level: 'silent' });
const never = new AbortController().signal;
const [firstWords = '', secondWords = ''] = demoSentence.map(({ words }) => words.join(''));

let multilingual: string;
let english: string;
let folder: string;
const closings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-speech-'));
  [multilingual, english] = await Promise.all([demoSpeech(), demoSpeech({ multilingual: false })]);
});
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const trustFile: FileCheck = async () => ({ loadable: true });
/** As the server does it. */
const tryFile: FileCheck = async (path, signal) => {
  const inspection = inspectModelFile(path);
  if (inspection.outcome === 'model') return await checkModelFile(path, { signal });
  return { loadable: false, reason: 'reason' in inspection ? inspection.reason : inspection.outcome };
};

/** An engine whose model ids are paths. */
function openEngine(changes: Partial<FileModelSpec> = {}, queueLimit = 16, checkFile = trustFile) {
  const pool = new ModelPool({
    budget: { ramBytes: 2 ** 31, vramBytes: 0 },
    loadTimeoutMs: 60_000,
    failureCoolDownMs: 0,
    queueLimit: 64,
    log,
  });
  const backend = new WhisperBackend({
    threadBudget: new ThreadBudget(2),
    checkFile,
    queueLimit,
    queueTimeoutMs: 60_000,
    log,
  });
  const engine = new ModelEngine({
    pool,
    findModel: (id) =>
      backend.loadable({
        id,
        kind: 'speech',
        path: id,
        contextTokens: undefined,
        parallel: 2,
        threads: 1,
        gpuLayers: 0,
        keepAliveMs: undefined,
        ...changes,
      }),
  });
  closings.push(async () => {
    await engine.close(0);
    await pool.close();
  });
  return { engine, pool };
}

const request = (changes: Partial<TranscriptionRequest> = {}): TranscriptionRequest => ({
  modelId: multilingual,
  accountId: 'account',
  keyId: 'key',
  samples: tone(440, 12),
  language: 'en',
  prompt: undefined,
  temperature: 0,
  ...changes,
});

async function transcribe(
  engine: ModelEngine,
  changes: Partial<TranscriptionRequest> = {},
): Promise<Transcript> {
  const end = await engine.transcribe(request(changes), never);
  if (end.outcome === 'finished') return end.transcript;
  throw end.outcome === 'failed' ? end.error : new Error('aborted');
}

/** Mean log-probability of the segment's words, each after the one before. */
function meanLogprobOf({ vocabulary, weights }: DemoSpeech, segment: TranscriptSegment): number {
  const words = segment.text.match(/ ?\w+|\./g) ?? [];
  let previous = segment.tokens[0] ?? 0;
  let sum = 0;
  for (const word of words) {
    const token = wordToken(vocabulary, word);
    sum += Math.log(nextProbabilities(weights, previous)[token] ?? 0);
    previous = token;
  }
  return sum / words.length;
}

const wholeText = ({ segments }: Transcript) => segments.map(({ text }) => text).join('');

describe.skipIf(!canTranscribe)('WhisperBackend', () => {
  it.each([
    ['multilingual', 'de'],
    ['english', 'en'],
  ] as const)('says what its weights say for every 30 s window: %s', async (kind, spoken) => {
    const { engine } = openEngine();
    const modelId = kind === 'english' ? english : multilingual;
    const transcript = await transcribe(engine, { modelId, language: 'auto', samples: tone(440, 45) });
    const { vocabulary, weights } = createDemoSpeech({ multilingual: kind === 'multilingual' });
    const silence = nextProbabilities(weights, vocabulary.startOfTranscript)[vocabulary.noSpeech];
    expect(transcript).toMatchObject({ language: spoken, durationSeconds: 45 });
    expect(
      transcript.segments.map(({ id, windowStartSeconds, startSeconds, endSeconds, text }) => [
        id,
        windowStartSeconds,
        startSeconds,
        endSeconds,
        text,
      ]),
    ).toEqual([
      [0, 0, 0, 4, firstWords],
      [1, 0, 4.02, 11, secondWords],
      [2, 30, 30, 34, firstWords],
      [3, 30, 34.02, 41, secondWords],
    ]);
    for (const segment of transcript.segments) {
      expect(segment.temperature).toBe(0);
      expect(segment.noSpeechProb).toBeCloseTo(silence ?? Number.NaN, 3);
      // Tokens that may not come leave their probability to the others: a little more than the weights alone give.
      const byWeights = meanLogprobOf(createDemoSpeech({ multilingual: kind === 'multilingual' }), segment);
      expect(segment.avgLogprob).toBeGreaterThan(byWeights);
      expect(segment.avgLogprob).toBeLessThan(byWeights + 5e-3);
      expect(segment.compressionRatio).toBeCloseTo(0.85, 1);
    }
  });

  it('gives the known numbers of the shared model', async (context) => {
    const modelId =
      sharedModel('whisper-fox.bin') ?? context.skip('there is no shared/models beside the checkout');
    const { engine } = openEngine();
    for (const language of ['en', 'auto']) {
      const { segments } = await transcribe(engine, { modelId, language, samples: tone(440, 40) });
      expect(segments).toHaveLength(4);
      for (let index = 0; index < segments.length; index += 2) {
        const [first, second] = segments.slice(index, index + 2);
        expect(first?.noSpeechProb).toBeCloseTo(0.5238, 3);
        expect(second?.noSpeechProb).toBeCloseTo(0.5238, 3);
        // The four words of the one and the six tokens of the other.
        const sum = 4 * (first?.avgLogprob ?? 0) + 6 * (second?.avgLogprob ?? 0);
        expect(Math.abs(sum / 10 + 0.144)).toBeLessThan(1e-3);
      }
    }
  });

  it('hears the end of short audio, and nothing in silence', async () => {
    const { engine } = openEngine();
    const short = await transcribe(engine, { samples: tone(440, 3) });
    expect(wholeText(short)).toBe(firstWords + secondWords);
    expect(short.segments.at(-1)).toMatchObject({ startSeconds: 3, endSeconds: 3 });
    for (const seconds of [0, 0.05, 2, 31])
      expect(await transcribe(engine, { samples: new Float32Array(seconds * 16_000) })).toEqual({
        language: 'en',
        durationSeconds: seconds,
        segments: [],
      });
    expect(await transcribe(engine, { samples: tone(440, 0.001) })).toMatchObject({ segments: [] });
  });

  it('takes prompts of any length and content', async () => {
    const { engine } = openEngine();
    for (const prompt of [
      'Foxes and dogs.',
      'x'.repeat(50_000),
      '漢'.repeat(9000),
      ' \0\n\t',
      '🦊 '.repeat(3000),
    ])
      expect(wholeText(await transcribe(engine, { prompt }))).toBe(firstWords + secondWords);
  });

  it('starts at the temperature that was asked for', async () => {
    const { engine } = openEngine();
    const { segments } = await transcribe(engine, { temperature: 0.3 });
    expect(segments.map(({ temperature }) => temperature)).toEqual([0.3, 0.3]);
    // At temperature 1, not at the one that the words were drawn with.
    expect(segments[0]?.avgLogprob).toBeCloseTo(-0.1456, 3);
  });

  it('raises the temperature for a model that repeats itself, and says so', async () => {
    const { engine } = openEngine();
    const { segments } = await transcribe(engine, { modelId: await demoSpeech({ stutters: true }) });
    expect(segments[0]).toMatchObject({ temperature: 1 });
    expect(segments[0]?.compressionRatio).toBeGreaterThan(2.4);
  });

  it('refuses languages that the model does not know', async () => {
    const { engine } = openEngine();
    const unknown = { code: 'unsupported_value', param: 'language' };
    await expect(transcribe(engine, { language: 'yue' })).rejects.toMatchObject(unknown);
    await expect(transcribe(engine, { language: 'xx; touch y' })).rejects.toMatchObject(unknown);
    await expect(transcribe(engine, { modelId: english, language: 'de' })).rejects.toMatchObject(unknown);
  });

  it('refuses samples that are no numbers', async () => {
    const { engine } = openEngine();
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const samples = tone(440, 1);
      samples[5000] = bad;
      await expect(transcribe(engine, { samples })).rejects.toMatchObject({ code: 'invalid_audio' });
    }
  });

  it('transcribes several at once on one model, each in its own state', async () => {
    const { engine } = openEngine();
    const transcripts = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        transcribe(engine, { keyId: `key-${index % 2}`, samples: tone(440, 5 + 5 * index) }),
      ),
    );
    transcripts.forEach((transcript, index) => {
      expect(transcript.durationSeconds).toBe(5 + 5 * index);
      expect(wholeText(transcript)).toBe(firstWords + secondWords);
    });
  });

  it('reports progress, and stops when the client leaves', async () => {
    const { engine, pool } = openEngine();
    const leaving = new AbortController();
    const told: TranscriptionProgress[] = [];
    const end = await engine.transcribe(request({ samples: tone(440, 90) }), leaving.signal, (progress) => {
      told.push(progress);
      if (told.length === 2) leaving.abort();
    });
    expect(end).toEqual({ outcome: 'aborted', audioSeconds: 60 });
    const heard = (startSeconds: number) => [
      { text: ' The quick brown fox', startSeconds },
      { text: ' jumped over the lazy dog.' },
    ];
    expect(told).toMatchObject([
      { audioSeconds: 30, durationSeconds: 90, segments: heard(0) },
      { audioSeconds: 60, durationSeconds: 90, segments: heard(30) },
    ]);
    expect(pool.status(multilingual)).toMatchObject({ state: 'loaded', requests: 0 });
    expect(await engine.transcribe(request(), AbortSignal.abort())).toEqual({
      outcome: 'aborted',
      audioSeconds: 0,
    });
  });

  it('refuses more than may wait', async () => {
    const { engine } = openEngine({ parallel: 1 }, 1);
    const ends = await Promise.all(Array.from({ length: 4 }, () => engine.transcribe(request(), never)));
    const codes = ends.map((end) => (end.outcome === 'failed' ? end.error : end.outcome));
    expect(codes.filter((code) => code === 'finished')).toHaveLength(2);
    expect(codes.filter((code) => code !== 'finished')).toMatchObject([
      { code: 'server_overloaded' },
      { code: 'server_overloaded' },
    ]);
  });

  it('ends what runs when it is closed, and takes nothing more', async () => {
    const { engine } = openEngine();
    const begun = Promise.withResolvers<void>();
    const running = engine.transcribe(request({ samples: tone(440, 90) }), never, () => begun.resolve());
    await begun.promise;
    await engine.close(0);
    expect(await running).toMatchObject({ outcome: 'failed', error: { code: 'server_shutting_down' } });
    await expect(transcribe(engine)).rejects.toMatchObject({ code: 'server_shutting_down' });
  });

  it('frees a model that nobody uses any more, and loads it again', async () => {
    const { engine, pool } = openEngine({ keepAliveMs: 0 });
    for (let round = 0; round < 2; round++) {
      expect(wholeText(await transcribe(engine))).toBe(firstWords + secondWords);
      await expect.poll(() => pool.memory.used.ramBytes).toBe(0);
    }
  });

  it('is refused with a context, which it has no use for', async () => {
    await expect(transcribe(openEngine({ contextTokens: 512 }).engine)).rejects.toMatchObject({
      message: expect.stringContaining('its context is set, which has no meaning for this model'),
    });
  });

  it('listens to the stretches only in which the detector hears speech', async (context) => {
    const voiceActivityModel =
      sharedModel('silero-vad-v6.2.0-ggml.bin') ??
      context.skip('there is no shared/models beside the checkout');
    const { engine } = openEngine({ voiceActivityModel });
    expect((await transcribe(engine, { samples: tone(440, 31) })).segments).toEqual([]);
    const broken = openEngine({ voiceActivityModel: english.replace('.bin', '.gone') }).engine;
    await expect(transcribe(broken)).rejects.toMatchObject({ code: 'model_load_failed' });
  });
});

describe.skipIf(!canTranscribe)('a broken speech model', () => {
  const damage = (name: string, change: (path: string, bytes: Buffer) => void) => {
    const path = join(folder, name);
    copyFileSync(multilingual, path);
    change(path, readFileSync(path));
    return path;
  };
  const withField = (index: number, value: number) => (path: string, bytes: Buffer) => {
    bytes.writeInt32LE(value, index * 4);
    writeFileSync(path, bytes);
  };

  it.each([
    ['no file', () => join(folder, 'gone.bin')],
    ['an empty file', () => damage('empty.bin', (path) => truncateSync(path, 0))],
    ['a header alone', () => damage('header.bin', (path) => truncateSync(path, 48))],
    ['another number of layers', () => damage('layers.bin', withField(9, 5))],
    ['a state of another size', () => damage('state.bin', withField(7, 64))],
    ['an endless context', () => damage('context.bin', withField(6, 2 ** 30))],
    ['a negative window', () => damage('window.bin', withField(2, -1500))],
    ['heads that do not divide the state', () => damage('heads.bin', withField(8, 0))],
    ['a vocabulary without an end', () => damage('vocabulary.bin', withField(1, 2 ** 31 - 1))],
    ['another kind of file', () => damage('text.bin', (path) => writeFileSync(path, 'not a model'))],
  ])('is a 503 for who asks for it: %s', async (_, make) => {
    const { engine } = openEngine({}, 1, tryFile);
    await expect(transcribe(engine, { modelId: make() })).rejects.toMatchObject({
      code: 'model_load_failed',
      status: 503,
    });
  });

  it('does not keep a good one from being loaded', async () => {
    const { engine } = openEngine({}, 1, tryFile);
    const broken = damage('broken.bin', withField(9, 5));
    await expect(transcribe(engine, { modelId: broken })).rejects.toMatchObject({
      code: 'model_load_failed',
    });
    expect(wholeText(await transcribe(engine))).toBe(firstWords + secondWords);
  });
});
