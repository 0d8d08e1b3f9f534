import { can } from '../../model-kinds.ts';
import { toTranscription } from '../../api/audio-transcriptions/convert.ts';
import type { Config } from '../../config/types.ts';
import { AudioDecoder } from '../../engine/audio/audio-decoder.ts';
import type { TranscriptionProgress } from '../../engine/speech/transcription-types.ts';
import type { Services } from '../../services.ts';
import { createLog } from '../../telemetry/log.ts';
import { CliError } from '../../errors/operator-errors.ts';
import type { SpeechBackend, SpeechModel, SpeechRequest, Transcription } from './backend.ts';

/** Transcribes with a model in this process. */
export class SpeechEngineBackend implements SpeechBackend {
  readonly #services: Services;
  readonly #config: Config;

  constructor(services: Services, config: Config) {
    this.#services = services;
    this.#config = config;
  }

  async models(): Promise<readonly SpeechModel[]> {
    return this.#services.catalog.list().filter((model) => can(model, 'transcribe'));
  }

  async transcribe(
    { model, audio, ...parameters }: SpeechRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<Transcription> {
    const { ffmpeg, audioLengthLimitMs } = this.#config;
    const log = createLog({ level: 'silent' });
    const decoder = new AudioDecoder({ ffmpeg, maxSeconds: audioLengthLimitMs / 1000, log });
    const samples = await decoder.decode(audio, signal);
    const modelId = this.#services.catalog.find(model)?.id ?? model;
    const request = { modelId, accountId: 'terminal', keyId: 'terminal', samples, ...parameters };
    const end = await this.#services.engine.transcribe(request, signal, onProgress);
    if (end.outcome === 'finished') return toTranscription(end.transcript);
    throw end.outcome === 'failed' ? end.error : new CliError('stopped');
  }

  async close(): Promise<void> {
    await this.#services.close(0);
  }
}
