import type { Handler } from 'hono';
import { audioExtensions } from '../../engine/audio/audio-file.ts';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppDeps, AppEnv } from '../env.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { findModelFor } from '../model/find-model.ts';
import { readBody } from '../request/read-parameters.ts';
import { toTranscription, toTranscriptionRequest } from './convert.ts';
import { asksForSegments, parseTranscription } from './schema.ts';
import { TranscriptStream } from './stream.ts';
import { runTranscription } from './transcription-run.ts';
import type { UploadedFile } from '../upload/uploaded-file.ts';

/** POST /v1/audio/transcriptions: checks the request in the public order, then decodes and transcribes the file. */
export const transcriptions = (deps: AppDeps): Handler<AppEnv> => transcribing(deps, 'transcriptions');

/** POST /v1/audio/translations: the same, and what is written is English. */
export const translations = (deps: AppDeps): Handler<AppEnv> => transcribing(deps, 'translations');

function transcribing(deps: AppDeps, route: 'transcriptions' | 'translations'): Handler<AppEnv> {
  const translates = route === 'translations';
  return async (c) => {
    const takesEvents = readsEvents(c);
    const parameters = readBody(c, (form) => parseTranscription(form, takesEvents));
    checkExtension(parameters.file);
    const principal = c.get('principal');
    const { model } = findModelFor('transcription', deps.catalog, principal, parameters.model);
    const request = toTranscriptionRequest(parameters, model, principal, translates);
    return await serveGeneration(c, deps, {
      route: meteredRoutes[route],
      model,
      generate: (signal) => runTranscription(deps, request, signal),
      answer:
        takesEvents && parameters.stream === 'true'
          ? new TranscriptStream({ translates, withSegments: asksForSegments(parameters) })
          : ({ transcript }) => toTranscription(transcript, translates),
      places: [],
    });
  };
}

/**
 * Whether the client reads events where it asks for a stream. The specification's answer is always JSON, so plain clients
 * have to say that they accept events. OpenAI's packages never say it: they ask for JSON and then read nothing but events.
 */
function readsEvents(c: AppContext): boolean {
  return (
    /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i.test(c.req.header('accept') ?? '') ||
    c.req.header('x-stainless-lang') !== undefined ||
    /^(?:Async)?(?:Azure)?OpenAI\//.test(c.req.header('user-agent') ?? '')
  );
}

function checkExtension({ extension }: UploadedFile): void {
  if (audioExtensions.includes(extension)) return;
  const accepted = audioExtensions.map((name) => `.${name}`).join(', ');
  throw new AppError('unsupported_file', `The name of the file must end in one of ${accepted}.`, {
    param: 'file',
  });
}
