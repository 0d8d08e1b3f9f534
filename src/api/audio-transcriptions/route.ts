import type { Handler } from 'hono';
import { audioExtensions } from '../../engine/audio/audio-file.ts';
import type { FileTranscriptionRequest } from '../../engine/speech/file-transcriber.ts';
import type { TranscriptionEnd } from '../../engine/speech/transcription-types.ts';
import { nothingComputed, type Usage } from '../../engine/types.ts';
import { AppError } from '../../errors/errors.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { findSpeechModel } from '../model/find-model.ts';
import { clientLeft } from '../generation/leaving.ts';
import { meteredRoutes, runMetered } from '../generation/metering.ts';
import { readBody } from '../request/read-parameters.ts';
import { toTranscription, toTranscriptionRequest } from './convert.ts';
import { parseTranscription } from './schema.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** POST /v1/audio/transcriptions: checks the request in the public order, then decodes and transcribes the file. */
export function transcriptions(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseTranscription);
    checkExtension(parameters.file);
    const principal = c.get('principal');
    const { model } = findSpeechModel(deps.catalog, principal, parameters.model);
    const request = toTranscriptionRequest(parameters, model, principal);
    return await runMetered(c, deps, {
      route: meteredRoutes.transcriptions,
      model,
      start: (signal) => ({ ended: transcribe(deps, request, signal) }),
      use: async ({ ended }) => {
        const end = await ended;
        if (end.outcome === 'failed') throw end.error;
        return end.outcome === 'aborted' ? clientLeft(c) : c.json(toTranscription(end.transcript));
      },
    });
  };
}

/** The end of a transcription. Audio is charged by its length, so its usage has no tokens. */
async function transcribe(
  { transcriber }: AppDeps,
  request: FileTranscriptionRequest,
  signal: AbortSignal,
): Promise<TranscriptionEnd & { readonly usage: Usage }> {
  const end = await transcriber.transcribe(request, signal);
  return { ...end, usage: nothingComputed };
}

function checkExtension({ extension }: UploadedFile): void {
  if (audioExtensions.includes(extension)) return;
  const accepted = audioExtensions.map((name) => `.${name}`).join(', ');
  throw new AppError('unsupported_file', `The name of the file must end in one of ${accepted}.`, {
    param: 'file',
  });
}
