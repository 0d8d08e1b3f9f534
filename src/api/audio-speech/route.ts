import type { Handler } from 'hono';
import { mediaTypeOf } from '../../engine/audio/sound-encoder.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { findVoiceModel } from '../model/find-model.ts';
import { nameIgnored, readBody } from '../request/read-parameters.ts';
import { chooseVoice, toSpeakingRequest } from './convert.ts';
import { parseSpeech } from './schema.ts';
import { runSpeech } from './speech-run.ts';
import { SoundStream, SpeechEventStream } from './stream.ts';

/** POST /v1/audio/speech: checks the request in the public order, then speaks, and sends the sound as it is made. */
export function speech(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseSpeech);
    const principal = c.get('principal');
    const { model } = findVoiceModel(deps.catalog, principal, parameters.model);
    const { voice, isIgnored, isDefault } = await chooseVoice(parameters.voice, model, deps.voices);
    if (isIgnored) nameIgnored(c, ['voice']);
    const form = await deps.sounds.choose(parameters.response_format, parameters.speed);
    const request = toSpeakingRequest(parameters, voice, model, principal);
    return await serveGeneration(c, deps, {
      route: meteredRoutes.speech,
      model,
      generate: (signal) => runSpeech(deps, { request, isDefaultVoice: isDefault, form }, signal),
      answer:
        parameters.stream_format === 'sse'
          ? new SpeechEventStream()
          : new SoundStream(mediaTypeOf(form.format)),
      places: [],
    });
  };
}
