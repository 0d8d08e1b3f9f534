import { mediaTypeOf, soundFormats } from '../../engine/audio/sound-encoder.ts';
import { modelKinds } from '../../model-kinds.ts';
import { namedUnion } from '../openapi/json-schema.ts';
import { bytes, modelErrors, operationsOf } from '../openapi/operation.ts';
import { speechSchema } from './schema.ts';
import { z } from 'zod';
import type { Usage } from '../../engine/generation.ts';
import { errorBody } from '../openapi/error-body.ts';

const count = z.int().min(0);

const usage = z.strictObject({
  input_tokens: count.describe('Of the text.'),
  output_tokens: count,
  total_tokens: count,
  seconds: z.number().min(0).describe('Of sound that the model made, at its own speed.'),
});

/** The data of an event of streamed speech. */
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
