import { z } from 'zod';
import { errorBody } from '../openapi/error-body.ts';
import { components } from '../openapi/json-schema.ts';

const count = z.int().min(0);
const finishReason = z.enum(['stop', 'length']);
const logprob = z.number().max(0);

const usage = z
  .strictObject({
    prompt_tokens: count.meta({ description: 'Of all prompts.' }),
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: z.strictObject({ cached_tokens: count }),
    completion_tokens_details: z.strictObject({ reasoning_tokens: count }),
  })
  .register(components, { id: 'CompletionUsage' });

const logprobs = z
  .strictObject({
    tokens: z.array(z.string()),
    token_logprobs: z.array(logprob.nullable()),
    top_logprobs: z.array(z.record(z.string(), logprob).nullable()),
    text_offset: z.array(count.meta({ description: 'In Unicode characters.' })),
  })
  .register(components, { id: 'CompletionLogprobs' });

/** The fields that completions and chunks have in common. */
const identity = {
  id: z.string().startsWith('cmpl-'),
  object: z.literal('text_completion'),
  created: count.meta({ description: 'Unix seconds.' }),
  model: z.string().min(1).meta({ description: 'As it was asked for.' }),
  system_fingerprint: z.string().startsWith('fp_'),
};

const choice = z.strictObject({
  text: z.string(),
  index: count.meta({ description: 'Of the prompt.' }),
  logprobs: logprobs.nullable(),
  finish_reason: finishReason,
});

export const textCompletion = z
  .strictObject({ ...identity, choices: z.array(choice).min(1), usage })
  .register(components, { id: 'Completion' });

const textCompletionChunk = z
  .strictObject({
    ...identity,
    choices: z.array(choice.extend({ finish_reason: finishReason.nullable() })).max(1),
    usage: usage
      .nullable()
      .optional()
      .meta({ description: 'With `include_usage`: null but in the last chunk, whose `choices` are empty.' }),
  })
  .register(components, { id: 'CompletionChunk' });

/** The data of an event of a streamed completion. */
export const textCompletionEvent = z
  .union([textCompletionChunk, errorBody])
  .register(components, { id: 'CompletionEvent' });
