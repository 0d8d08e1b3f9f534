/**
 * Requests to the speech engine and its results: plain data and events that can cross a process boundary unchanged.
 * Languages are in transcription-languages.ts.
 */
import type { ModelUse } from '../types.ts';
import type { WorkEnd } from '../generation/generation.ts';

/** Samples per second of all audio that the engine takes. */
export const sampleRateHz = 16_000;

export interface TranscriptionRequest extends ModelUse {
  /** Mono, 16 kHz, -1..1, all finite. Not to be changed until the transcription ended. */
  readonly samples: Float32Array;
  /** A code of `toTranscriptionLanguage`; 'auto': detected in the first 30 seconds. */
  readonly language: string;
  /** The transcript is in English, whatever language is spoken. */
  readonly translates?: boolean;
  /** Text before the audio's, whose spelling and style the model continues. Only its end is used where it is long. */
  readonly prompt: string | undefined;
  /** 0..1, at first; raised where the text repeats itself or is improbable. */
  readonly temperature: number;
}

export interface TranscriptSegment {
  /** From 0. */
  readonly id: number;
  /** Start of the segment's 30 s window in the audio. */
  readonly windowStartSeconds: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Begins with the space that the model writes before each word. */
  readonly text: string;
  /** Ids of text tokens and timestamps. */
  readonly tokens: readonly number[];
  /** The temperature that this segment was decoded with. */
  readonly temperature: number;
  /** Mean natural log-probability of the text tokens, at temperature 1. */
  readonly avgLogprob: number;
  /** Bytes of the text of the segment's 30 s window over their number when compressed: above 2.4 it repeats itself. */
  readonly compressionRatio: number;
  /** Probability that the segment's 30 s window holds no speech, 0..1. */
  readonly noSpeechProb: number;
}

export interface Transcript {
  /** Code of the language that was asked for or detected. */
  readonly language: string;
  /** Length of the audio. */
  readonly durationSeconds: number;
  /** In order of time; none for silence. */
  readonly segments: readonly TranscriptSegment[];
}

/** How a transcription ended. `audioSeconds` is the length of the audio that was processed. */
export type TranscriptionEnd = WorkEnd<
  { readonly transcript: Transcript },
  { readonly audioSeconds: number }
>;

/** How much of the audio a running transcription has processed, and the segments since its last report. */
export interface TranscriptionProgress {
  /** The new ones, in order. */
  readonly segments: readonly TranscriptSegment[];
  readonly audioSeconds: number;
  readonly durationSeconds: number;
}

/** Transcribes audio, with any model that can. */
export interface SpeechEngine {
  /**
   * How the transcription ended; never rejects. Aborting `signal` ends it before its next step, which encodes 30 s of
   * audio or writes one token. Failures are AppErrors: server_overloaded, model_loading, model_load_failed,
   * unsupported_value (a language that the model does not know, or it knows none to translate from), invalid_value, engine_error, server_shutting_down.
   */
  transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress?: (progress: TranscriptionProgress) => void,
  ): Promise<TranscriptionEnd>;
}
