import { components } from '../openapi/json-schema.ts';
import { modelErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { transcription } from './response-schema.ts';
import { transcriptionSchema } from './schema.ts';

export const createTranscription: Operation = {
  method: 'POST',
  path: '/v1/audio/transcriptions',
  id: 'createTranscription',
  tag: 'Audio',
  summary: 'Write down what is said in a file',
  description: 'The answer is one JSON document, whatever `response_format` and `stream` say.',
  access: 'user',
  body: {
    schema: transcriptionSchema.register(components, { id: 'CreateTranscription' }),
    mediaType: 'multipart/form-data',
  },
  responses: {
    200: { description: 'The transcript.', content: { 'application/json': transcription } },
  },
  errors: [...modelErrors, 'unsupported_file', 'invalid_audio', 'audio_too_long'],
};
