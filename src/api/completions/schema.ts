import { z } from 'zod';
import { keepAlive } from '../parameters/keep-alive.ts';
import { modelName, samplingParameters, stopParameter } from '../parameters/sampling-parameters.ts';
import { anyArray, anyObject } from '../parameters/schema-parts.ts';
import { textInputs } from '../parameters/text-inputs.ts';
import { createParameterParser } from '../request/validate.ts';

/** Each is a request of its own to the engine. */
const maxPrompts = 128;

/** Every parameter that the endpoint knows, also those that it accepts without effect and those it refuses. */
export const completionSchema = z.object({
  model: modelName,
  prompt: textInputs({ max: maxPrompts, mayBeEmpty: true }),
  suffix: z.string().optional(),
  echo: z.boolean().optional(),
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).optional(),
  n: z.int().optional(),
  best_of: z.int().optional(),

  ...samplingParameters,

  stop: stopParameter.optional(),
  max_tokens: z.int().min(0).optional().meta({ default: 16 }),
  min_tokens: z.int().min(0).optional(),
  ignore_eos: z.boolean().optional(),
  logprobs: z.int().min(0).max(20).optional(),

  // Accepted as long as they ask for nothing.
  tools: anyArray.optional(),
  tool_choice: z.union([z.string(), anyObject]).optional(),
  keep_alive: keepAlive.optional(),

  // Sent by OpenAI's own clients; without effect here.
  user: z.string().optional(),
});

export type CompletionParameters = z.output<typeof completionSchema>;

export const parseCompletion = createParameterParser(completionSchema);
