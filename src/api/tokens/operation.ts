import { modelKinds } from '../../model-kinds.ts';
import { attachmentErrors, modelErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { detokenization, tokenization } from './response-schema.ts';
import { detokenizeSchema, tokenizeSchema } from './schema.ts';

const model = modelKinds.chat.placeholder;

const tokenize: Operation = {
  method: 'POST',
  path: '/v1/tokenize',
  id: 'tokenize',
  tag: 'Tokens',
  summary: 'Read a text as tokens',
  description: 'Of `content` or `prompt`, or of `messages` through the chat template. Nothing is computed.',
  access: 'user',
  body: { schema: tokenizeSchema, example: { model, content: 'Once upon a time' } },
  responses: { 200: { description: 'The tokens.', content: { 'application/json': tokenization } } },
  errors: [...modelErrors, 'context_length_exceeded', ...attachmentErrors],
};

const detokenize: Operation = {
  method: 'POST',
  path: '/v1/detokenize',
  id: 'detokenize',
  tag: 'Tokens',
  summary: 'Write tokens as text',
  access: 'user',
  body: { schema: detokenizeSchema, example: { model, tokens: [1, 2, 3] } },
  responses: { 200: { description: 'The text.', content: { 'application/json': detokenization } } },
  errors: modelErrors,
};

/** Each route stands at the root as well, where llama-server and vLLM have it. */
export const tokenOperations: readonly Operation[] = [tokenize, detokenize].flatMap((operation) => [
  operation,
  { ...operation, path: operation.path.replace('/v1', ''), id: `${operation.id}AtRoot` },
]);
