import { mediaTypeOf, soundFormats } from '../../engine/audio/sound-encoder.ts';
import { modelKinds } from '../../model-kinds.ts';
import { components } from '../openapi/json-schema.ts';
import { modelErrors, type Operation } from '../openapi/operation.ts';
import { speechEvent } from './response-schema.ts';
import { speechSchema } from './schema.ts';

const sounds = Object.fromEntries(soundFormats.map((format) => [mediaTypeOf(format), null]));

export const createSpeech: Operation = {
  method: 'POST',
  path: '/v1/audio/speech',
  id: 'createSpeech',
  tag: 'Audio',
  summary: 'Speak a text',
  description:
    'The sound comes as it is made: as bytes, or with `stream_format: sse` as events. An error before the first of it is an answer of its own; after that the connection breaks off, or the error is the last event.',
  access: 'user',
  body: {
    schema: speechSchema.register(components, { id: 'CreateSpeech' }),
    example: { model: modelKinds.voice.placeholder, input: 'Good morning!', response_format: 'wav' },
  },
  responses: {
    200: { description: 'The sound.', content: { ...sounds, 'text/event-stream': speechEvent } },
  },
  errors: [...modelErrors, 'invalid_audio', 'context_length_exceeded'],
};
