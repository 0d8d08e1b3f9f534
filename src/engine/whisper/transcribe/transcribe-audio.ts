import { Slices } from '../../../timing/slices.ts';
import { sampleRateHz, type TranscriptSegment } from '../../speech/transcription-types.ts';
import { decodeWithFallback, type DecodedWindow } from './decode-with-fallback.ts';
import type { WindowRequest, WrittenWindow } from '../addon/native.ts';

/** One audio in one session of one model, as a transcription reads it. */
export interface Listener {
  readonly firstTimestamp: number;
  readonly endOfText: number;
  textOf(tokens: readonly number[]): string;
  encode(offsetFrames: number): Promise<void>;
  detectLanguage(): Promise<number>;
  decode(request: Omit<WindowRequest, 'translates'>): Promise<WrittenWindow>;
}

export interface AudioOptions {
  /** Number of the language; undefined: detected in the first window that is not silent. */
  readonly language: number | undefined;
  readonly promptTokens: readonly number[];
  readonly temperature: number;
  /** Is called with the length of the audio that has been processed, and the segments that came since the last call. */
  readonly onProgress: (audioSeconds: number, segments: readonly TranscriptSegment[]) => void;
}

export interface HeardAudio {
  /** undefined where no language was set and all of the audio is silent. */
  readonly language: number | undefined;
  readonly segments: readonly TranscriptSegment[];
}

const framesPerSecond = 100;
const frameSamples = sampleRateHz / framesPerSecond;
const windowFrames = 3000;
/** A shorter piece holds no words, and whisper.cpp would make some up. */
const leastFrames = 10;
/** -80 dB below full scale: digital silence, with or without dither. */
const silentAmplitude = 1e-4;
/** Above this temperature the text is too unreliable to be the beginning of the next window's. */
const maxPromptTemperature = 0.5;

/** The transcript of `samples`, window by window of 30 s (the loop of transcribe.py in openai/whisper). */
export async function transcribeAudio(
  listener: Listener,
  samples: Float32Array,
  options: AudioOptions,
): Promise<HeardAudio> {
  const segments: TranscriptSegment[] = [];
  const totalFrames = Math.floor(samples.length / frameSamples);
  let { language } = options;
  let past = [...options.promptTokens];
  let frame = 0;
  // To look at the samples of an hour takes up to half a second.
  const slices = new Slices();
  while (totalFrames - frame >= leastFrames) {
    const frames = Math.min(windowFrames, totalFrames - frame);
    let advance = frames;
    if (slices.isOver) await slices.next();
    const known = segments.length;
    if (!isSilent(samples.subarray(frame * frameSamples, (frame + frames) * frameSamples))) {
      await listener.encode(frame);
      language ??= await listener.detectLanguage();
      const window = await decodeWindow(listener, { past, language, frame }, options.temperature);
      if (!window.isSilence) {
        const cut = cutWindow(window, listener.firstTimestamp, frames);
        for (const piece of cut.segments) {
          const text = listener.textOf(piece.tokens);
          if (text.trim() === '' || piece.startFrame === piece.endFrame) continue;
          // A segment may end after the audio. Its words stay, and its times are cut to the length of the audio.
          const seconds = (offset: number) => Math.min(frame + offset, totalFrames) / framesPerSecond;
          segments.push({
            id: segments.length,
            windowStartSeconds: frame / framesPerSecond,
            startSeconds: seconds(piece.startFrame),
            endSeconds: seconds(piece.endFrame),
            text,
            tokens: piece.tokens,
            temperature: window.temperature,
            avgLogprob: meanTextLogprob(piece, listener.endOfText),
            compressionRatio: window.compressionRatio,
            noSpeechProb: window.noSpeechProb,
          });
          past.push(...piece.tokens);
        }
        // A model that stays at one place would be listened to for ever.
        advance = Math.min(frames, Math.max(leastFrames, cut.advanceFrames));
      }
      if (window.temperature > maxPromptTemperature) past = [];
    }
    frame += advance;
    options.onProgress(frame / framesPerSecond, segments.slice(known));
  }
  return { language, segments };
}

function decodeWindow(
  listener: Listener,
  { past, language, frame }: { past: readonly number[]; language: number; frame: number },
  firstTemperature: number,
): Promise<DecodedWindow> {
  return decodeWithFallback(
    (temperature) => listener.decode({ past, language, temperature, seed: frame }),
    (tokens) => listener.textOf(tokens),
    firstTemperature,
  );
}

/** A loop over indexes is seven times faster than `every`. */
function isSilent(samples: Float32Array): boolean {
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0;
    if (!(sample < silentAmplitude && sample > -silentAmplitude)) return false;
  }
  return true;
}

function meanTextLogprob({ tokens, logprobs }: WindowSegment, endOfText: number): number {
  const ofText = logprobs.filter((_, index) => (tokens[index] ?? endOfText) < endOfText);
  return ofText.reduce((sum, logprob) => sum + logprob, 0) / Math.max(1, ofText.length);
}

/** Some of a window's tokens, and the part of the window in which they were heard, in frames of 10 ms. */
interface WindowSegment {
  readonly startFrame: number;
  readonly endFrame: number;
  readonly tokens: readonly number[];
  /** One for each token. */
  readonly logprobs: readonly number[];
}

interface CutWindow {
  readonly segments: readonly WindowSegment[];
  /** Where the next window begins: after the last complete segment. */
  readonly advanceFrames: number;
}

const timestampFrames = 2;

/**
 * The segments of a window of `frames`: a segment ends, and the next begins, where two timestamps meet
 * (transcribe.py in openai/whisper). The audio after the last such pair is in the next window again.
 */
export function cutWindow(
  { tokens, logprobs }: Pick<DecodedWindow, 'tokens' | 'logprobs'>,
  firstTimestamp: number,
  frames: number,
): CutWindow {
  const isTimestamp = (token: number | undefined) => token !== undefined && token >= firstTimestamp;
  const frameOf = (token: number | undefined) =>
    token !== undefined && token >= firstTimestamp ? (token - firstTimestamp) * timestampFrames : 0;
  const cuts = [...tokens.keys()].filter(
    (index) => isTimestamp(tokens[index]) && isTimestamp(tokens[index - 1]),
  );
  if (cuts.length === 0) {
    const last = frameOf(tokens.findLast(isTimestamp));
    const endFrame = last > 0 ? last : frames;
    const whole = { startFrame: 0, endFrame, tokens, logprobs: logprobs.slice(0, tokens.length) };
    return { segments: [whole], advanceFrames: frames };
  }
  const endsWithSegment = isTimestamp(tokens.at(-1)) && !isTimestamp(tokens.at(-2));
  if (endsWithSegment) cuts.push(tokens.length);
  const segments = cuts.map((end, index) => {
    const start = cuts[index - 1] ?? 0;
    return {
      startFrame: frameOf(tokens[start]),
      endFrame: frameOf(tokens[end - 1]),
      tokens: tokens.slice(start, end),
      logprobs: logprobs.slice(start, end),
    };
  });
  return { segments, advanceFrames: endsWithSegment ? frames : (segments.at(-1)?.endFrame ?? 0) };
}
