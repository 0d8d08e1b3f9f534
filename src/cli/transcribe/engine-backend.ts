import type { z } from 'zod';
import { toTranscription } from '../../api/audio-transcriptions/convert.ts';
import type { transcription } from '../../api/audio-transcriptions/schema.ts';
import type { Config } from '../../config/types.ts';
import { AudioDecoder } from '../../engine/audio/audio-decoder.ts';
import type { TranscriptionProgress } from '../../engine/speech/transcription-types.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { can } from '../../model-kinds.ts';
import { createLog } from '../../telemetry/log.ts';
import { openQuietServices } from '../context.ts';
import type { AudioInput } from './audio-input.ts';

/** The API's answer. */
export type Transcription = z.output<typeof transcription>;

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
export type SpeechBackend = Awaited<ReturnType<typeof openSpeechEngine>>;

/** Transcribes with a model in this process. */
export async function openSpeechEngine(config: Config) {
  const services = await openQuietServices(config);
  const { catalog, engine } = services;
  const { ffmpeg, audioLengthLimitMs } = config;
  const log = createLog({ level: 'silent' });
  const decoder = new AudioDecoder({ ffmpeg, maxSeconds: audioLengthLimitMs / 1000, log });
  const models = async (): Promise<readonly { readonly id: string; readonly aliases: readonly string[] }[]> =>
    catalog.list().filter((model) => can(model, 'transcribe'));
  /** Throws AppError, ServerGoneError, or anything when `signal` aborts. */
  const transcribe = async (
    { model, audio, ...parameters }: SpeechRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<Transcription> => {
    const samples = await decoder.decode(audio, signal);
    const modelId = catalog.find(model)?.id ?? model;
    const request = { modelId, accountId: 'terminal', keyId: 'terminal', samples, ...parameters };
    const end = await engine.transcribe(request, signal, onProgress);
    if (end.outcome === 'finished') return toTranscription(end.transcript);
    throw end.outcome === 'failed' ? end.error : new CliError('stopped');
  };
  return { models, transcribe, close: () => services.close(0) };
}
