import { components } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { modelErrors, type Operation } from '../openapi/operation.ts';
import { textCompletion, textCompletionEvent } from './response-schema.ts';
import { completionSchema } from './schema.ts';

export const createCompletion: Operation = {
  method: 'POST',
  path: '/v1/completions',
  id: 'createCompletion',
  tag: 'Completions',
  summary: 'Continue texts',
  description:
    'Each prompt gets one choice, all are computed together. In one piece, or with `stream: true` as server-sent events.',
  access: 'user',
  body: {
    schema: completionSchema.register(components, { id: 'CreateCompletion' }),
    example: { model: modelKinds.chat.placeholder, prompt: 'Once upon a time', max_tokens: 50 },
  },
  responses: {
    200: {
      description: 'The texts. A stream ends with `data: [DONE]`, or with an event `error` where it failed.',
      content: { 'application/json': textCompletion, 'text/event-stream': textCompletionEvent },
    },
  },
  errors: [...modelErrors, 'context_length_exceeded'],
};
