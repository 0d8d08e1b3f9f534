import { mediaTypeOf } from '../../engine/audio/sound-encoder.ts';
import type { AppDeps, AppContext } from '../env.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveGeneration, type StreamedAnswer } from '../generation/serve-generation.ts';
import { findModelFor } from '../model/find-model.ts';
import { nameIgnored, readBody } from '../request/read-parameters.ts';
import { type SpeechParameters, speechSchema, toSpeechUsage } from './schema.ts';
import { runSpeech, type FinishedSpeech, type SoundEvent } from './speech-run.ts';
import type { Principal } from '../../accounts/types.ts';
import type { CatalogModel } from '../../catalog/types.ts';
import type { SpeakingRequest, VoiceReference } from '../../engine/voice/speaking-types.ts';
import { invalidValue } from '../../errors/errors.ts';
import type { Voices } from '../../voices/voices.ts';
import { nearestNames } from '../../words/nearest-names.ts';
import { toModelUse } from '../model/model-names.ts';
import { jsonEvent } from '../generation/wire/sse.ts';

/** POST /v1/audio/speech: checks the request in the public order, then speaks, and sends the sound as it is made. */
export async function speech(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, speechSchema);
  const principal = c.get('principal');
  const { model } = findModelFor('speech', deps.catalog, principal, parameters.model);
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
}

/** Clients send one of OpenAI's voices whether or not their user chose any. */
const openAiVoices: ReadonlySet<string> = new Set(
  'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '),
);
/** Clients of other servers send this name where any voice will do. */
const noVoice = 'default';
const seeds = 2 ** 32 - 1;

interface ChosenVoice {
  /** undefined: the model's own. */
  readonly voice: VoiceReference | undefined;
  /** The name that was asked for means another voice, so it has no effect. */
  readonly isIgnored: boolean;
  /** Nobody asked for just this voice: a model that imitates none speaks with its own. */
  readonly isDefault: boolean;
}

/** The voice that a request gets. Throws invalid_value for an unknown one. */
async function chooseVoice(
  name: string | undefined,
  { upstream }: CatalogModel,
  voices: Pick<Voices, 'list'>,
): Promise<ChosenVoice> {
  // The server that has the model knows its voices.
  if (upstream !== undefined)
    return { voice: name === undefined ? undefined : { name }, isIgnored: false, isDefault: false };
  const known = await voices.list();
  const found = known.find((voice) => voice.name === name);
  if (found !== undefined) return { voice: found, isIgnored: false, isDefault: false };
  const isIgnored = name !== undefined && openAiVoices.has(name);
  if (name === undefined || name === noVoice || isIgnored)
    return { voice: known[0], isIgnored, isDefault: true };
  const near = nearestNames(
    name,
    known.map((voice) => voice.name),
    3,
  );
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((one) => `'${one}'`).join(' or ')}?`;
  throw invalidValue(
    'voice',
    `'voice' names a voice that does not exist.${hint} GET /v1/audio/voices lists those that do.`,
  );
}

function toSpeakingRequest(
  { input, instructions, language, seed, keep_alive: keepAliveMs }: SpeechParameters,
  voice: VoiceReference | undefined,
  model: CatalogModel,
  principal: Principal,
): SpeakingRequest {
  return {
    ...toModelUse(model, principal, keepAliveMs),
    text: input,
    voice: voice && { name: voice.name, path: voice.path },
    language,
    instructions,
    seed: seed === undefined ? undefined : seed % seeds,
  };
}

/** The sound itself, as the body of the response. */
class SoundStream implements StreamedAnswer<SoundEvent, FinishedSpeech> {
  readonly contentType: string;

  constructor(contentType: string) {
    this.contentType = contentType;
  }

  add({ bytes }: SoundEvent): Uint8Array {
    return bytes;
  }

  end(): Iterable<string> {
    return [];
  }

  fail(): undefined {
    return undefined;
  }
}

/** The sound in the events of OpenAI's speech, and at the end its usage. */
class SpeechEventStream implements StreamedAnswer<SoundEvent, FinishedSpeech> {
  add({ bytes }: SoundEvent): string {
    if (bytes.length === 0) return '';
    return jsonEvent({ type: 'speech.audio.delta', audio: Buffer.from(bytes).toString('base64') });
  }

  end({ usage, audioSeconds }: FinishedSpeech): Iterable<string> {
    return [jsonEvent({ type: 'speech.audio.done', usage: toSpeechUsage(usage, audioSeconds) })];
  }
}
