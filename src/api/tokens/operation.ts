import { modelKinds } from '../../model-kinds.ts';
import { attachmentErrors, json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { detokenizeSchema, tokenizeSchema } from './schema.ts';
import { z } from 'zod';
import { namedObject } from '../openapi/json-schema.ts';

const id = z.int().min(0);

const tokenization = namedObject('Tokenization', {
  tokens: z.array(
    z.union([id, z.strictObject({ id, piece: z.union([z.string(), z.array(z.int().min(0).max(255))]) })]),
  ),
  count: id,
  max_model_len: z.int().min(1).describe('Tokens that the model holds.'),
  token_strs: z.array(z.string()).nullable(),
});

/** The same text under llama-server's name and vLLM's. */
const detokenization = namedObject('Detokenization', { content: z.string(), prompt: z.string() });

const model = modelKinds.chat.placeholder;

/** Each route stands at the root as well, where llama-server and vLLM have it. */
export const tokenOperations = operationsOf(['Tokens', 'user'], {
  tokenize: {
    route: 'POST /v1/tokenize',
    isAtRoot: true,
    summary: 'Read a text as tokens',
    description: 'Of `content` or `prompt`, or of `messages` through the chat template. Nothing is computed.',
    body: { schema: tokenizeSchema, example: { model, content: 'Once upon a time' } },
    answer: json(tokenization, 'The tokens.'),
    errors: [...modelErrors, 'context_length_exceeded', ...attachmentErrors],
  },
  detokenize: {
    route: 'POST /v1/detokenize',
    isAtRoot: true,
    summary: 'Write tokens as text',
    body: { schema: detokenizeSchema, example: { model, tokens: [1, 2, 3] } },
    answer: json(detokenization, 'The text.'),
    errors: modelErrors,
  },
});
