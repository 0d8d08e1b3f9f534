import { named, namedObject, namedUnion } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { answerErrors, json, operationsOf } from '../openapi/operation.ts';
import { chatCompletionSchema } from './schema.ts';
import { z } from 'zod';
import {
  chunkUsage,
  completionHead,
  completionUsage,
  count,
  outputToken,
} from '../generation/wire/completion-schema.ts';
import { promptProgress } from '../generation/wire/prompt-progress.ts';
import { errorBody } from '../openapi/error-body.ts';

const finishReason = z.enum(['stop', 'length', 'tool_calls']);

const stopReason = z.string().optional().describe('The one of `stop` that ended the answer, if one did.');

const usage = named('ChatCompletionUsage', completionUsage);

const logprobs = namedObject('ChatCompletionLogprobs', { content: z.array(outputToken), refusal: z.null() });

/** Either both are present, with the same text, or neither. */
const reasoning = { reasoning_content: z.string().optional(), reasoning: z.string().optional() };

const functionCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().min(1),
    arguments: z.string().describe('JSON that fits the schema of the function.'),
  }),
});

const customCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('custom'),
  custom: z.strictObject({ name: z.string().min(1), input: z.string() }),
});

const toolCall = z.discriminatedUnion('type', [functionCall, customCall]);

const chatCompletion = namedObject('ChatCompletion', {
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
        stop_reason: stopReason,
      }),
    )
    .length(1),
  usage,
});

/** The first chunk of a call has everything but its arguments or text; the others have only these. */
const toolCallDelta = z.union([
  functionCall.extend({ index: count }),
  customCall.extend({ index: count }),
  z.strictObject({ index: count, function: z.strictObject({ arguments: z.string() }) }),
  z.strictObject({ index: count, custom: z.strictObject({ input: z.string() }) }),
]);

const chatCompletionChunk = namedObject('ChatCompletionChunk', {
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
        stop_reason: stopReason,
      }),
    )
    .max(1),
  usage: chunkUsage(usage),
  prompt_progress: promptProgress,
});

export const chatCompletionEvent = namedUnion('ChatCompletionEvent', [chatCompletionChunk, errorBody]);

export const chatOperations = operationsOf(['Chat', 'user'], {
  createChatCompletion: {
    route: 'POST /v1/chat/completions',
    summary: 'Answer a conversation',
    description: 'In one piece, or with `stream: true` as server-sent events while it is written.',
    body: {
      schema: chatCompletionSchema,
      example: {
        model: modelKinds.chat.placeholder,
        messages: [{ role: 'user', content: 'Hello!' }],
        max_tokens: 100,
      },
    },
    answer: json(
      chatCompletion,
      'The answer. A stream ends with `data: [DONE]`, or with an event `error` where it failed.',
      chatCompletionEvent,
    ),
    errors: answerErrors,
  },
});
