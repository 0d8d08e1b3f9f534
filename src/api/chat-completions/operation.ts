import { components } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { answerErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { chatCompletion, chatCompletionEvent } from './response-schema.ts';
import { chatCompletionSchema } from './schema.ts';

export const createChatCompletion: Operation = {
  method: 'POST',
  path: '/v1/chat/completions',
  id: 'createChatCompletion',
  tag: 'Chat',
  summary: 'Answer a conversation',
  description: 'In one piece, or with `stream: true` as server-sent events while it is written.',
  access: 'user',
  body: {
    schema: chatCompletionSchema.register(components, { id: 'CreateChatCompletion' }),
    example: {
      model: modelKinds.chat.placeholder,
      messages: [{ role: 'user', content: 'Hello!' }],
      max_tokens: 100,
    },
  },
  responses: {
    200: {
      description: 'The answer. A stream ends with `data: [DONE]`, or with an event `error` where it failed.',
      content: { 'application/json': chatCompletion, 'text/event-stream': chatCompletionEvent },
    },
  },
  errors: answerErrors,
};
