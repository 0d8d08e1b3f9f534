import { can } from '../../model-kinds.ts';
import { toTranscription } from '../../api/audio-transcriptions/convert.ts';
import type { Config } from '../../config/types.ts';
import { AudioDecoder } from '../../engine/audio/audio-decoder.ts';
import { createLog } from '../../telemetry/log.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { openQuietServices } from '../context.ts';
import type { SpeechBackend } from './backend.ts';

/** Transcribes with a model in this process. */
export async function openSpeechEngine(config: Config): Promise<SpeechBackend> {
  const services = await openQuietServices(config);
  const { catalog, engine } = services;
  const { ffmpeg, audioLengthLimitMs } = config;
  const log = createLog({ level: 'silent' });
  const decoder = new AudioDecoder({ ffmpeg, maxSeconds: audioLengthLimitMs / 1000, log });
  return {
    models: async () => catalog.list().filter((model) => can(model, 'transcribe')),
    async transcribe({ model, audio, ...parameters }, signal, onProgress) {
      const samples = await decoder.decode(audio, signal);
      const modelId = catalog.find(model)?.id ?? model;
      const request = { modelId, accountId: 'terminal', keyId: 'terminal', samples, ...parameters };
      const end = await engine.transcribe(request, signal, onProgress);
      if (end.outcome === 'finished') return toTranscription(end.transcript);
      throw end.outcome === 'failed' ? end.error : new CliError('stopped');
    },
    close: () => services.close(0),
  };
}
