/**
 * What is asked of the speech engine and what comes back: plain data and events that could cross a process
 * boundary unchanged. Languages are in transcription-languages.ts.
 */
import type { Caller } from '../queue/waiting-room.ts';

/** Samples per second of all audio that the engine takes. */
export const sampleRateHz = 16_000;

export interface TranscriptionRequest extends Caller {
  /** Canonical model id, not an alias. */
  readonly modelId: string;
  /** Mono, 16 kHz, -1..1, all finite. Not to be changed until the transcription ended. */
  readonly samples: Float32Array;
  /** What `toTranscriptionLanguage` gave: a code, or 'auto': told by the first 30 seconds. */
  readonly language: string;
  /** Text that comes before the audio's: its spelling and style are continued. Of long ones the end counts. */
  readonly prompt: string | undefined;
  /** 0..1, where decoding starts; raised where the text repeats itself or is improbable. */
  readonly temperature: number;
}

export interface TranscriptSegment {
  /** From 0. */
  readonly id: number;
  /** Where in the audio the 30 s window begins that the segment was heard in. */
  readonly windowStartSeconds: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** With the space in front that the model writes between words. */
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

/** How a transcription ended, whatever the end was. `audioSeconds`: how much audio was really worked through. */
export type TranscriptionEnd =
  | { readonly outcome: 'finished'; readonly transcript: Transcript; readonly audioSeconds: number }
  | { readonly outcome: 'aborted'; readonly audioSeconds: number }
  | { readonly outcome: 'failed'; readonly error: Error; readonly audioSeconds: number };

/** Told while a transcription runs: how much of its audio is behind it. */
export interface TranscriptionProgress {
  readonly audioSeconds: number;
  readonly durationSeconds: number;
}

/** What transcribes audio, with any model that can. */
export interface SpeechEngine {
  /**
   * How the transcription ended; never rejects. Aborting `signal` ends it before its next step: one look at 30 s of
   * audio, or one token. Failures are AppErrors: server_overloaded, model_loading, model_load_failed,
   * unsupported_value (a language that the model does not know), invalid_value, engine_error, server_shutting_down.
   */
  transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress?: (progress: TranscriptionProgress) => void,
  ): Promise<TranscriptionEnd>;
}
