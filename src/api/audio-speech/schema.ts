import { z } from 'zod';
import { namedParameters, namedUnion } from '../openapi/json-schema.ts';
import { soundFormats, mediaTypeOf } from '../../engine/audio/sound-encoder.ts';
import { mostSpokenCharacters } from '../../engine/voice/speaking-types.ts';
import { modelKinds } from '../../model-kinds.ts';
import { modelName, quietParameters, keepAlive } from '../parameters/generation-parameters.ts';
import { samplingParameters } from '../parameters/sampling-parameters.ts';
import { refuse } from '../parameters/schema-parts.ts';
import { bytes, modelErrors, operationsOf } from '../openapi/operation.ts';
import type { Usage } from '../../engine/generation/generation.ts';
import { errorBody } from '../openapi/error-body.ts';

const mostVoiceCharacters = 256;

/** Lone surrogates, private and unassigned characters, and marks that only say in which direction a text is written. */
const soundless = /[\p{Cs}\p{Co}\p{Cn}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
/** Control characters, other than those that separate words. */
const controls = /[^\P{Cc}\t\n\r]/gu;

const input = z
  .string()
  .min(1)
  .max(mostSpokenCharacters)
  .transform((text, context): string => {
    const spoken = text.replaceAll(soundless, '').replaceAll(controls, ' ');
    return spoken.trim() === '' ? refuse(context, 'must have something to say, and it is blank') : spoken;
  })
  .meta({ description: 'The text. Control characters are read as spaces.', examples: ['Good morning!'] });

const voiceName = z.string().min(1).max(mostVoiceCharacters);

/** Every parameter that the endpoint knows, including those that it ignores. */
export const speechSchema = namedParameters('CreateSpeech', {
  model: modelName.meta({ examples: [modelKinds.voice.placeholder] }),
  input,
  voice: z
    .union([voiceName, z.object({ id: voiceName }).transform(({ id }) => id)])
    .optional()
    .describe(
      "A voice of `GET /v1/audio/voices`; default: the first of them, else the model's own. The names of OpenAI's voices mean the default where there is no such voice.",
    ),
  instructions: z
    .string()
    .max(mostSpokenCharacters)
    .optional()
    .describe('How it is to be spoken, for models that know such.'),
  response_format: z
    .enum(soundFormats)
    .optional()
    .describe('Default: `mp3`, or `wav` where the server has no ffmpeg, which all but `wav` and `pcm` take.'),
  speed: z.number().min(0.25).max(4).optional().describe('Another than 1 takes ffmpeg.'),
  stream_format: z.enum(['audio', 'sse']).optional(),
  language: z
    .string()
    .regex(/^[a-zA-Z]{2}$/, { error: 'must be an ISO 639-1 code such as en or de' })
    .transform((code) => code.toLowerCase())
    .optional()
    .describe('The language of the text; default: the one that the model takes by itself.'),
  seed: samplingParameters.seed,
  keep_alive: keepAlive.optional(),

  ...quietParameters,
});

export type SpeechParameters = z.output<typeof speechSchema>;

const count = z.int().min(0);

const usage = z.strictObject({
  input_tokens: count.describe('Of the text.'),
  output_tokens: count,
  total_tokens: count,
  seconds: z.number().min(0).describe('Of sound that the model made, at its own speed.'),
});

export const speechEvent = namedUnion('SpeechEvent', [
  z.strictObject({ type: z.literal('speech.audio.delta'), audio: z.base64().min(1) }),
  z.strictObject({ type: z.literal('speech.audio.done'), usage }),
  errorBody,
]);

export function toSpeechUsage(
  { promptTokens, completionTokens }: Usage,
  audioSeconds: number,
): z.output<typeof usage> {
  return {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    seconds: Number(audioSeconds.toFixed(3)),
  };
}

export const speechOperations = operationsOf(['Audio', 'user'], {
  createSpeech: {
    route: 'POST /v1/audio/speech',
    summary: 'Speak a text',
    description:
      'The sound comes as it is made: as bytes, or with `stream_format: sse` as events. An error before the first of it is an answer of its own; after that the connection breaks off, or the error is the last event.',
    body: {
      schema: speechSchema,
      example: { model: modelKinds.voice.placeholder, input: 'Good morning!', response_format: 'wav' },
    },
    answer: {
      description: 'The sound.',
      content: { ...bytes(soundFormats.map(mediaTypeOf), '').content, 'text/event-stream': speechEvent },
    },
    errors: [...modelErrors, 'invalid_audio', 'context_length_exceeded'],
  },
});
