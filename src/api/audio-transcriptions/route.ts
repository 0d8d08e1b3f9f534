import type { Handler } from 'hono';
import { audioExtensions } from '../../engine/audio/audio-file.ts';
import { nothingComputed } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { findSpeechModel } from '../find-model.ts';
import { createLeaving } from '../leaving.ts';
import { admit, meteredRoutes } from '../metering.ts';
import { clientLeft } from '../middleware/on-error.ts';
import { toIgnoredHeader } from '../parameter-names.ts';
import { toTranscription, toTranscriptionRequest } from './convert.ts';
import { parseTranscription, withoutEffect } from './schema.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** POST /v1/audio/transcriptions: checks in the public order, then decodes and transcribes. */
export function transcriptions(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { parameters, ignored } = parseTranscription(c.get('body'));
    const ignoredNames = [...ignored, ...withoutEffect(parameters)];
    if (ignoredNames.length > 0) c.header('x-ignored-parameters', toIgnoredHeader(ignoredNames));
    checkExtension(parameters.file);
    const principal = c.get('principal');
    const { model } = findSpeechModel(deps.catalog, principal, parameters.model);
    const request = toTranscriptionRequest(parameters, model, principal);
    const leaving = createLeaving(c);

    // Nothing may throw between the two: what is admitted must be settled.
    const meter = admit(c, deps, meteredRoutes.transcriptions, model);
    const work = deps.transcriber.transcribe(request, leaving.signal);
    const end = await meter.settleAtEndOf({
      ended: work.then((ended) => ({ ...ended, usage: nothingComputed })),
    });
    if (end.outcome === 'failed') throw end.error;
    if (end.outcome === 'aborted') return clientLeft(c);
    return c.json(toTranscription(end.transcript));
  };
}

function checkExtension({ extension }: UploadedFile): void {
  if (audioExtensions.includes(extension)) return;
  const accepted = audioExtensions.map((name) => `.${name}`).join(', ');
  throw new AppError('unsupported_file', `The name of the file must end in one of ${accepted}.`, {
    param: 'file',
  });
}
