import { components, namedObject, namedUnion } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { completionSchema } from './schema.ts';
import { z } from 'zod';
import { chunkUsage, completionHead, completionUsage, count } from '../generation/wire/completion-schema.ts';
import { errorBody } from '../openapi/error-body.ts';
import { mapOf } from '../parameters/schema-parts.ts';

const finishReason = z.enum(['stop', 'length']);
const logprob = z.number().max(0);

const usage = completionUsage
  .extend({ prompt_tokens: count.describe('Of all prompts.') })
  .register(components, { id: 'CompletionUsage' });

const logprobs = namedObject('CompletionLogprobs', {
  tokens: z.array(z.string()),
  token_logprobs: z.array(logprob.nullable()),
  top_logprobs: z.array(mapOf(logprob).nullable()),
  text_offset: z.array(count.describe('In Unicode characters.')),
});

const head = {
  id: z.string().startsWith('cmpl-'),
  object: z.literal('text_completion'),
  ...completionHead,
};

const choice = z.strictObject({
  text: z.string(),
  index: count.describe('Of the prompt.'),
  logprobs: logprobs.nullable(),
  finish_reason: finishReason,
});

const textCompletion = namedObject('Completion', { ...head, choices: z.array(choice).min(1), usage });

const textCompletionChunk = namedObject('CompletionChunk', {
  ...head,
  choices: z.array(choice.extend({ finish_reason: finishReason.nullable() })).max(1),
  usage: chunkUsage(usage),
});

/** The data of an event of a streamed completion. */
const textCompletionEvent = namedUnion('CompletionEvent', [textCompletionChunk, errorBody]);

export const completionOperations = operationsOf(['Completions', 'user'], {
  createCompletion: {
    route: 'POST /v1/completions',
    summary: 'Continue texts',
    description:
      'Each prompt gets one choice, all are computed together. In one piece, or with `stream: true` as server-sent events.',
    body: {
      schema: completionSchema,
      example: { model: modelKinds.chat.placeholder, prompt: 'Once upon a time', max_tokens: 50 },
    },
    answer: json(
      textCompletion,
      'The texts. A stream ends with `data: [DONE]`, or with an event `error` where it failed.',
      textCompletionEvent,
    ),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
});
