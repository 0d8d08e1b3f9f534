import { z } from 'zod';
import { chunkUsage, completionHead, completionUsage, count } from '../generation/wire/completion-schema.ts';
import { errorBody } from '../openapi/error-body.ts';
import { components } from '../openapi/json-schema.ts';
import { mapOf } from '../parameters/schema-parts.ts';

const finishReason = z.enum(['stop', 'length']);
const logprob = z.number().max(0);

const usage = completionUsage
  .extend({ prompt_tokens: count.meta({ description: 'Of all prompts.' }) })
  .register(components, { id: 'CompletionUsage' });

const logprobs = z
  .strictObject({
    tokens: z.array(z.string()),
    token_logprobs: z.array(logprob.nullable()),
    top_logprobs: z.array(mapOf(logprob).nullable()),
    text_offset: z.array(count.meta({ description: 'In Unicode characters.' })),
  })
  .register(components, { id: 'CompletionLogprobs' });

const head = {
  id: z.string().startsWith('cmpl-'),
  object: z.literal('text_completion'),
  ...completionHead,
};

const choice = z.strictObject({
  text: z.string(),
  index: count.meta({ description: 'Of the prompt.' }),
  logprobs: logprobs.nullable(),
  finish_reason: finishReason,
});

export const textCompletion = z
  .strictObject({ ...head, choices: z.array(choice).min(1), usage })
  .register(components, { id: 'Completion' });

const textCompletionChunk = z
  .strictObject({
    ...head,
    choices: z.array(choice.extend({ finish_reason: finishReason.nullable() })).max(1),
    usage: chunkUsage(usage),
  })
  .register(components, { id: 'CompletionChunk' });

/** The data of an event of a streamed completion. */
export const textCompletionEvent = z
  .union([textCompletionChunk, errorBody])
  .register(components, { id: 'CompletionEvent' });
