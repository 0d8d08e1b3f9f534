import { describe, expect, it } from 'vitest';
import {
  transcribeAudio,
  type AudioOptions,
  type Listener,
} from '../../../../../src/engine/whisper/transcribe/transcribe-audio.ts';
import type { WrittenWindow } from '../../../../../src/engine/whisper/addon/native.ts';
import { tone } from '../../../../support/audio/wav.ts';

const endOfText = 500;
const firstTimestamp = 1000;
const at = (seconds: number) => firstTimestamp + Math.round(seconds * 50);
const written = (...tokens: number[]): WrittenWindow => ({
  tokens,
  logprobs: tokens.map(() => -0.5),
  noSpeechProb: 0.1,
});

/** Hears one of `windows` after the other, and notes its requests. Text tokens are numbers of letters. */
class ScriptedListener implements Listener {
  readonly firstTimestamp = firstTimestamp;
  readonly endOfText = endOfText;
  readonly encodedFrames: number[] = [];
  readonly pasts: (readonly number[])[] = [];
  readonly languages: number[] = [];
  detections = 0;
  readonly #windows: WrittenWindow[];

  constructor(...windows: WrittenWindow[]) {
    this.#windows = windows;
  }

  textOf(tokens: readonly number[]): string {
    return tokens
      .filter((token) => token < endOfText)
      .map((token) => String.fromCodePoint(token))
      .join('');
  }

  async encode(offsetFrames: number): Promise<void> {
    this.encodedFrames.push(offsetFrames);
  }

  async detectLanguage(): Promise<number> {
    this.detections++;
    return 7;
  }

  async decode({ past, language }: Parameters<Listener['decode']>[0]): Promise<WrittenWindow> {
    this.pasts.push([...past]);
    this.languages.push(language);
    return this.#windows.shift() ?? written();
  }
}

const hear = (listener: Listener, samples: Float32Array, options: Partial<AudioOptions> = {}) =>
  transcribeAudio(listener, samples, {
    language: 0,
    promptTokens: [],
    temperature: 0,
    onProgress: () => undefined,
    ...options,
  });

describe('transcribeAudio', () => {
  it('goes on where the last complete segment ended, with the words before as a prompt', async () => {
    const first = [at(0), 65, at(10), at(10), 66];
    const listener = new ScriptedListener(written(...first), written(at(0), 67, at(20)));
    const { segments } = await hear(listener, tone(440, 40), { promptTokens: [90] });
    expect(listener.encodedFrames).toEqual([0, 1000]);
    expect(listener.pasts).toEqual([[90], [90, at(0), 65, at(10)]]);
    expect(segments).toMatchObject([
      { id: 0, text: 'A', windowStartSeconds: 0, startSeconds: 0, endSeconds: 10 },
      { id: 1, text: 'C', windowStartSeconds: 10, startSeconds: 10, endSeconds: 30 },
    ]);
  });

  it('asks for the language once, at the first window in which there is something to hear', async () => {
    const samples = new Float32Array(16_000 * 70);
    samples.set(tone(440, 40), 16_000 * 30);
    const listener = new ScriptedListener();
    const { language } = await hear(listener, samples, { language: undefined });
    expect(listener.encodedFrames).toEqual([3000, 6000]);
    expect(listener.languages).toEqual([7, 7]);
    expect([language, listener.detections]).toEqual([7, 1]);
  });

  it('hears nothing in digital silence, in next to nothing, and in no audio at all', async () => {
    for (const samples of [new Float32Array(16_000 * 65), tone(440, 0.09), new Float32Array(0)]) {
      const listener = new ScriptedListener(written(at(0), 65, at(1)));
      expect(await hear(listener, samples)).toEqual({ language: 0, segments: [] });
      expect(listener.encodedFrames).toEqual([]);
    }
  });

  it('leaves out segments without words or without length, and bounds times by the audio', async () => {
    const tokens = [at(0), 32, at(1), at(1), at(1), 65, at(1), at(1), 66, at(28)];
    const { segments } = await hear(new ScriptedListener(written(...tokens)), tone(440, 12));
    expect(segments).toMatchObject([{ id: 0, text: 'B', startSeconds: 1, endSeconds: 12 }]);
  });

  it('leaves out what was made up over silence', async () => {
    const madeUp = { ...written(at(0), 65, at(3)), logprobs: [-3, -3, -3], noSpeechProb: 0.9 };
    expect((await hear(new ScriptedListener(madeUp), tone(440, 12))).segments).toEqual([]);
  });

  it('forgets the words before where they were drawn at a high temperature', async () => {
    const improbable = { ...written(at(0), 65, at(5)), logprobs: [-3, -3, -3] };
    const windows = Array.from({ length: 6 }, () => improbable);
    const listener = new ScriptedListener(...windows, written(at(0), 66, at(5)));
    const { segments } = await hear(listener, tone(440, 40), { promptTokens: [90] });
    expect(segments.map(({ temperature }) => temperature)).toEqual([1, 0]);
    expect(listener.pasts.at(-1)).toEqual([]);
  });

  it('gets on even where the model says that no time has passed', async () => {
    const still = Array.from({ length: 500 }, () => written(at(0), at(0), 65));
    const progress: number[] = [];
    await hear(new ScriptedListener(...still), tone(440, 3), {
      onProgress: (seconds) => progress.push(seconds),
    });
    expect(progress.at(-1)).toBeCloseTo(3, 0);
    expect(progress.every((seconds, index) => seconds > (progress[index - 1] ?? 0))).toBe(true);
  });

  it('reports the mean log-probability of the text alone', async () => {
    const window = { ...written(at(0), 65, 66, at(5)), logprobs: [-9, -0.2, -0.4, -9, -9] };
    const { segments } = await hear(new ScriptedListener({ ...window, noSpeechProb: 0 }), tone(440, 6), {
      temperature: 1,
    });
    expect(segments[0]?.avgLogprob).toBeCloseTo(-0.3);
  });
});
