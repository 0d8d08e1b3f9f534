import { z } from 'zod';
import { reasoningEffort } from '../parameters/reasoning-request.ts';
import { keepAlive } from '../parameters/keep-alive.ts';
import { modelName, samplingParameters, stopParameter } from '../parameters/sampling-parameters.ts';
import { anyArray } from '../parameters/schema-parts.ts';
import { createParameterParser } from '../request/validate.ts';
import { messages } from './message-schema.ts';
import { responseFormat } from './response-format-schema.ts';
import { toolChoice, tools } from './tool-schema.ts';

const tokenCount = z.int();

/** Every parameter that the endpoint knows, also those that it accepts without effect and those it refuses. */
export const chatCompletionSchema = z.object({
  model: modelName,
  messages,
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).optional(),
  n: z.int().optional(),

  ...samplingParameters,

  stop: stopParameter.optional(),
  max_tokens: tokenCount.min(1).optional(),
  max_completion_tokens: tokenCount.min(1).optional(),
  min_tokens: tokenCount.min(0).optional(),
  ignore_eos: z.boolean().optional(),
  logprobs: z.boolean().optional(),
  top_logprobs: z.int().min(0).max(20).optional(),

  tools: tools.optional(),
  tool_choice: toolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  // What tools were called before 2023.
  functions: anyArray.optional(),
  function_call: z.unknown().optional(),
  response_format: responseFormat.optional(),
  // The specified three, and OpenAI's further ones.
  reasoning_effort: reasoningEffort.optional(),
  reasoning_enabled: z.boolean().optional(),
  keep_alive: keepAlive.optional(),

  // Sent by OpenAI's own clients; without effect here.
  user: z.string().optional(),
  store: z.unknown().optional(),
  metadata: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
});

export type ChatCompletionParameters = z.output<typeof chatCompletionSchema>;

export const parseChatCompletion = createParameterParser(chatCompletionSchema);
