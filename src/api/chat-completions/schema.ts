import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import { functionFields, functionType, maxTools } from '../parameters/function-fields.ts';
import { generationParameters, modelName, streamParameters } from '../parameters/generation-parameters.ts';
import { answerFormatParameters } from '../parameters/answer-format.ts';
import { quietParameters } from '../parameters/quiet-parameters.ts';
import { reasoningEffort } from '../parameters/reasoning-request.ts';
import { anyArray, list, wireName } from '../parameters/schema-parts.ts';
import { templateVariables } from '../parameters/template-variables.ts';
import { createParameterParser } from '../request/validate.ts';
import { messages } from './message-schema.ts';

const functionTool = z
  .object({ type: functionType, function: z.object(functionFields) })
  .register(components, { id: 'ChatTool' });

const namedFunction = z.object({ name: wireName });
const allowedTools = z.object({
  mode: z.enum(['auto', 'required']),
  tools: list(z.object({ type: functionType, function: namedFunction }), { min: 1, max: maxTools }),
});

// The objects come first: an error about a wrong object is taken from the first branch that it could be meant for.
const toolChoice = z.union([
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('function'), function: namedFunction }),
    z.object({ type: z.literal('allowed_tools'), allowed_tools: allowedTools }),
  ]),
  z.enum(['none', 'auto', 'required']),
]);

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

/** Every parameter that the endpoint knows, including those that it ignores and those that it refuses. */
export const chatCompletionSchema = z.object({
  model: modelName,
  messages,
  ...streamParameters,
  ...generationParameters,
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  logprobs: z.boolean().optional(),
  top_logprobs: z.int().min(0).max(20).optional(),

  tools: list(functionTool, { max: maxTools }).optional(),
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

  // Without effect: answers to conversations are not kept here.
  store: z.unknown().optional(),
  ...quietParameters,
});

export type ChatCompletionParameters = z.output<typeof chatCompletionSchema>;
export type ToolChoiceParameter = z.output<typeof toolChoice>;

export const parseChatCompletion = createParameterParser(chatCompletionSchema);
