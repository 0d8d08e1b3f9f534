import { z } from 'zod';
import { returnProgress } from '../generation/wire/prompt-progress.ts';
import { namedParameters } from '../openapi/json-schema.ts';
import { ignoredToolNames } from '../parameters/ignored-kinds.ts';
import {
  generationParameters,
  modelName,
  streamParameters,
  quietParameters,
} from '../parameters/generation-parameters.ts';
import { answerFormatParameters } from '../parameters/format/answer-format.ts';
import { reasoningEffort, templateVariables } from '../parameters/reasoning-request.ts';
import { anyArray, list } from '../parameters/schema-parts.ts';
import type { JsonObject } from '../env.ts';
import { createParameterParser, unsupported } from '../request/validate.ts';
import { messages, type ChatMessageParameter } from './message-schema.ts';
import { toolChoice, tools } from './tools.ts';

/** OpenRouter's form. */
const reasoning = z.object({
  effort: reasoningEffort.nullish(),
  max_tokens: z.int().min(1).nullish(),
  enabled: z.boolean().nullish(),
  exclude: z.boolean().nullish(),
});

/** The form of several vendors. `auto` leaves it to the model's id, as to say nothing does. */
const thinking = z.object({
  type: z.enum(['enabled', 'disabled', 'auto']),
  budget_tokens: z.int().min(1).nullish(),
});

/** Far more than any context holds. */
const mostPredictionParts = 1024;

/** The answer that the client expects, as text or as parts of one. */
const prediction = z.object({
  type: z.literal('content'),
  content: z.union([
    z.string(),
    list(z.object({ type: z.literal('text'), text: z.string() }), { max: mostPredictionParts }),
  ]),
});

/** Every parameter that the endpoint knows, including those that it ignores and those that it refuses. */
export const chatCompletionSchema = namedParameters('CreateChatCompletion', {
  model: modelName,
  messages,
  ...streamParameters,
  ...generationParameters,
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  logprobs: z.boolean().optional(),
  top_logprobs: z.int().min(0).max(20).optional(),

  tools: tools.optional(),
  tool_choice: toolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  // The names of tools before 2023.
  functions: anyArray.optional(),
  function_call: z.unknown().optional(),
  ...answerFormatParameters,
  reasoning_effort: reasoningEffort.optional(),
  reasoning_enabled: z.boolean().optional(),
  reasoning: reasoning.optional(),
  include_reasoning: z.boolean().optional(),
  thinking: thinking.optional(),
  chat_template_kwargs: templateVariables.optional(),
  continue_final_message: z
    .boolean()
    .optional()
    .describe('The last message is the beginning of the answer, and only its rest is written.'),

  return_progress: returnProgress,

  prediction: prediction
    .nullish()
    .describe(
      'A text that the answer is expected to be for the most part, such as a file that it changes. The answer is what it is without it, and comes faster where it is right.',
    ),

  modalities: list(
    z.enum(['text', 'audio']).refine((modality) => modality === 'text', {
      error: 'must be "text": answers are not spoken here, send them to /v1/audio/speech',
      params: { code: 'unsupported_value' },
    }),
    { max: 2 },
  ).optional(),
  // How a spoken answer would sound.
  audio: z.unknown().optional(),

  // Without effect: answers to conversations are not kept here.
  store: z.unknown().optional(),
  ...quietParameters,
});

export type ChatCompletionParameters = z.output<typeof chatCompletionSchema>;

const parse = createParameterParser(chatCompletionSchema);

/** The checked parameters. Tools that the server would have to run count as ignored. */
export function parseChatCompletion(body: JsonObject) {
  const { parameters, ignored } = parse(body);
  return { parameters, ignored: [...ignored, ...ignoredToolNames(parameters.tools ?? [])] };
}

/** Throws AppError for parameters that are known and not supported. A value that asks for nothing is accepted. */
export function refuseUnavailable(parameters: ChatCompletionParameters): void {
  const {
    n,
    functions,
    function_call: functionCall,
    prediction: predicted,
    tools: offered = [],
  } = parameters;
  if ((predicted ?? undefined) !== undefined && offered.length > 0) {
    throw unsupported(['prediction'], "It cannot go with 'tools'. Leave one of the two out.");
  }
  if (n !== undefined && n !== 1) {
    throw unsupported(
      ['n'],
      'Only 1 completion per request is possible: leave it out and send several requests.',
    );
  }
  if (functions !== undefined && functions.length > 0) {
    throw unsupported(['functions'], "Send the functions as 'tools'.");
  }
  if (functionCall !== undefined && functionCall !== 'none' && functionCall !== 'auto') {
    throw unsupported(['function_call'], "Send the functions as 'tools' and the choice as 'tool_choice'.");
  }
  for (const [index, message] of parameters.messages.entries()) refuseInMessage(message, index);
}

function refuseInMessage(message: ChatMessageParameter, index: number): void {
  if (message.role === 'assistant' && message.function_call !== undefined && message.function_call !== null) {
    throw unsupported(['messages', index, 'function_call'], "Send the call in 'tool_calls'.");
  }
}
