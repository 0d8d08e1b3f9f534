/** Requests to models that speak, and their results: plain data that can cross a process boundary unchanged. */
import type { SpentTokens, Usage, WorkEnd } from '../generation/generation.ts';
import type { ModelUse } from '../types.ts';

/** Most characters of a text that is to be spoken. */
export const mostSpokenCharacters = 4096;
/** Least and most seconds of the recording of a voice. A longer one makes no voice more like it. */
export const leastVoiceSeconds = 1;
export const mostVoiceSeconds = 30;

/** Somebody's voice: a recording that a model imitates. */
export interface VoiceReference {
  /** By it another server knows the voice. */
  readonly name: string;
  /** Absolute path of the recording; undefined: only another server has it. */
  readonly path?: string | undefined;
}

export interface SpeakingRequest extends ModelUse {
  /** At most `mostSpokenCharacters`; not blank. */
  readonly text: string;
  /** Undefined: the model's own voice. */
  readonly voice?: VoiceReference | undefined;
  /** An ISO 639-1 code; undefined: the one that the model takes by itself. */
  readonly language?: string | undefined;
  /** How it is to be spoken, in words, for models that know such; undefined: as the model likes. */
  readonly instructions?: string | undefined;
  /** 0..2^32 - 2: the same sound each time; undefined: chance decides. */
  readonly seed?: number | undefined;
}

/** The next piece of the sound. */
export interface SpokenPiece {
  /** Mono, -1..1. */
  readonly samples: Float32Array;
  /** Samples per second; the same for all pieces of one request. */
  readonly sampleRateHz: number;
  /** The usage up to this piece, counted as at the end. */
  readonly usage: Usage;
}

/** How speaking ended. `usage.promptTokens` counts the text, by the model's own tokens; `audioSeconds` the sound. */
export type SpeakingEnd = WorkEnd<object, SpentTokens & { readonly audioSeconds: number }>;

/** Speaks texts, with any model that can. */
export interface VoiceEngine {
  /**
   * How it ended; never rejects. `onPiece` gets the sound as it is made. Aborting `signal` ends it within a frame, which
   * is 80 ms of sound. Failures are AppErrors: invalid_value and unsupported_value with `voice`, `language`, `input` or
   * `instructions` as param, invalid_audio (the recording of a voice), and those of a generation.
   */
  speak(
    request: SpeakingRequest,
    signal: AbortSignal,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<SpeakingEnd>;
}
