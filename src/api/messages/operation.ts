import { modelKinds } from '../../model-kinds.ts';
import { components } from '../openapi/json-schema.ts';
import { answerErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { anthropicDialect } from './dialect.ts';
import { message, messageEvent, tokenCount } from './response-schema.ts';
import { countTokensSchema, messageSchema } from './schema.ts';

const ofMessages = {
  method: 'POST',
  tag: 'Messages',
  access: 'user',
  dialect: anthropicDialect,
  errors: answerErrors,
} as const satisfies Partial<Operation>;

const example = { model: modelKinds.chat.placeholder, messages: [{ role: 'user', content: 'Hello!' }] };

export const messageOperations: readonly Operation[] = [
  {
    ...ofMessages,
    path: '/v1/messages',
    id: 'createMessage',
    summary: "Answer a conversation, by Anthropic's Messages API",
    description: 'In one piece, or with `stream: true` as server-sent events while it is written.',
    body: {
      schema: messageSchema.register(components, { id: 'CreateMessage' }),
      example: { ...example, max_tokens: 100 },
    },
    responses: {
      200: {
        description:
          'The message. A stream ends with `message_stop`, or with an event `error` where it failed.',
        content: { 'application/json': message, 'text/event-stream': messageEvent },
      },
    },
  },
  {
    ...ofMessages,
    path: '/v1/messages/count_tokens',
    id: 'countMessageTokens',
    summary: 'Count the tokens of a conversation',
    description: 'Nothing is generated and nothing is charged.',
    body: { schema: countTokensSchema.register(components, { id: 'CountMessageTokens' }), example },
    responses: { 200: { description: 'Their number.', content: { 'application/json': tokenCount } } },
  },
];
