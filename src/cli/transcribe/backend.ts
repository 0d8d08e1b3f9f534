import type { z } from 'zod';
import type { transcription } from '../../api/audio-transcriptions/operation.ts';
import type { TranscriptionProgress } from '../../engine/speech/transcription-types.ts';
import type { AudioInput } from './audio-input.ts';

/** The API's answer. */
export type Transcription = z.output<typeof transcription>;

export interface SpeechModel {
  readonly id: string;
  readonly aliases: readonly string[];
}

export interface SpeechRequest {
  /** An id or an alias. */
  readonly model: string;
  readonly audio: AudioInput;
  /** A code, or `auto`. */
  readonly language: string;
  readonly prompt: string | undefined;
  /** 0..1. */
  readonly temperature: number;
}

/** Where the speech model runs: in this process, or in the running server. */
export interface SpeechBackend {
  /** By id. */
  models(): Promise<readonly SpeechModel[]>;
  /** Throws AppError, ServerGoneError, or anything when `signal` aborts. */
  transcribe(
    request: SpeechRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<Transcription>;
  close(): Promise<void>;
}
