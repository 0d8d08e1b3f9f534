import { components } from '../openapi/json-schema.ts';
import { modelErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { transcription, transcriptionEvent } from './response-schema.ts';
import { transcriptionSchema } from './schema.ts';

const schema = transcriptionSchema.register(components, { id: 'CreateTranscription' });
const events =
  'With `stream: true` it comes as events to clients that send `Accept: text/event-stream` and to the packages of OpenAI: a delta for each segment; with `response_format: verbose_json` also the segments with their times.';

const createTranscription: Operation = {
  method: 'POST',
  path: '/v1/audio/transcriptions',
  id: 'createTranscription',
  tag: 'Audio',
  summary: 'Write down what is said in a file',
  description: `The answer is one JSON document, whatever \`response_format\` says. ${events}`,
  access: 'user',
  body: { schema, mediaType: 'multipart/form-data' },
  responses: {
    200: {
      description: 'The transcript.',
      content: { 'application/json': transcription, 'text/event-stream': transcriptionEvent },
    },
  },
  errors: [...modelErrors, 'unsupported_file', 'invalid_audio', 'audio_too_long'],
};

const createTranslation: Operation = {
  ...createTranscription,
  path: '/v1/audio/translations',
  id: 'createTranslation',
  summary: 'Write down in English what is said in a file',
  description: `For a multilingual model. The answer is as that to a transcription. ${events}`,
};

export const transcriptionOperations: readonly Operation[] = [createTranscription, createTranslation];
