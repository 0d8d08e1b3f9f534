import { z } from 'zod';
import {
  chunkUsage,
  completionHead,
  completionUsage,
  count,
  outputToken,
} from '../generation/wire/completion-schema.ts';
import { errorBody } from '../openapi/error-body.ts';
import { components } from '../openapi/json-schema.ts';

const finishReason = z.enum(['stop', 'length', 'tool_calls']);

const usage = completionUsage.register(components, { id: 'ChatCompletionUsage' });

const logprobs = z
  .strictObject({
    content: z.array(outputToken),
    refusal: z.null(),
  })
  .register(components, { id: 'ChatCompletionLogprobs' });

/** Either both are present, with the same text, or neither. */
const reasoning = { reasoning_content: z.string().optional(), reasoning: z.string().optional() };

const functionCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().min(1),
    arguments: z.string().meta({ description: 'JSON that fits the schema of the function.' }),
  }),
});

const customCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('custom'),
  custom: z.strictObject({ name: z.string().min(1), input: z.string() }),
});

const toolCall = z.discriminatedUnion('type', [functionCall, customCall]);

export const chatCompletion = z
  .strictObject({
    id: z.string().startsWith('chatcmpl-'),
    ...completionHead,
    object: z.literal('chat.completion'),
    choices: z
      .array(
        z.strictObject({
          index: z.literal(0),
          message: z.strictObject({
            role: z.literal('assistant'),
            content: z.string().nullable(),
            refusal: z.null(),
            ...reasoning,
            tool_calls: z.array(toolCall).min(1).optional(),
          }),
          logprobs: logprobs.nullable(),
          finish_reason: finishReason,
        }),
      )
      .length(1),
    usage,
  })
  .register(components, { id: 'ChatCompletion' });

/** The first chunk of a call has everything but its arguments or text; the others have only these. */
const toolCallDelta = z.union([
  functionCall.extend({ index: count }),
  customCall.extend({ index: count }),
  z.strictObject({ index: count, function: z.strictObject({ arguments: z.string() }) }),
  z.strictObject({ index: count, custom: z.strictObject({ input: z.string() }) }),
]);

const chatCompletionChunk = z
  .strictObject({
    id: z.string().startsWith('chatcmpl-'),
    ...completionHead,
    object: z.literal('chat.completion.chunk'),
    choices: z
      .array(
        z.strictObject({
          index: z.literal(0),
          delta: z.strictObject({
            role: z.literal('assistant').optional(),
            content: z.string().optional(),
            ...reasoning,
            tool_calls: z.array(toolCallDelta).min(1).optional(),
          }),
          logprobs: logprobs.nullable(),
          finish_reason: finishReason.nullable(),
        }),
      )
      .max(1),
    usage: chunkUsage(usage),
  })
  .register(components, { id: 'ChatCompletionChunk' });

/** The data of an event of a streamed completion. */
export const chatCompletionEvent = z
  .union([chatCompletionChunk, errorBody])
  .register(components, { id: 'ChatCompletionEvent' });
