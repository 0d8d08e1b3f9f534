import { z } from 'zod';
import { anyArray, anyObject, list } from '../schema-parts.ts';
import { createParameterParser } from '../validate.ts';
import { messages } from './message-schema.ts';
import { responseFormat } from './response-format-schema.ts';
import { toolChoice, tools } from './tool-schema.ts';

const maxStopSequences = 16;
const maxStopChars = 512;
const maxLogitBiasEntries = 1024;
const maxModelIdChars = 256;

const stopSequence = z.string().min(1).max(maxStopChars);
const stop = z.union([stopSequence, list(stopSequence, { max: maxStopSequences })]);

/** Token ids are the keys; a Map keeps a hostile `__proto__` from being anything special. */
const logitBias = anyObject.transform((entries, context): ReadonlyMap<number, number> => {
  const biases = new Map<number, number>();
  const refuse = (complaint: string, key?: string): typeof z.NEVER => {
    context.issues.push({
      code: 'custom',
      message: complaint,
      input: entries,
      ...(key === undefined ? undefined : { path: [key] }),
    });
    return z.NEVER;
  };
  const keys = Object.keys(entries);
  if (keys.length > maxLogitBiasEntries) return refuse(`must have at most ${maxLogitBiasEntries} entries`);
  for (const key of keys) {
    const bias = entries[key];
    if (!/^\d{1,9}$/.test(key)) return refuse('must have token ids, written as whole numbers, for names');
    if (typeof bias !== 'number' || !(bias >= -100 && bias <= 100)) {
      return refuse('must be a number from -100 to 100', key);
    }
    biases.set(Number(key), bias);
  }
  return biases;
});

const tokenCount = z.int();

/** Every parameter that the endpoint knows, also those that it accepts without effect and those it refuses. */
const chatCompletionSchema = z.object({
  model: z.string().min(1).max(maxModelIdChars),
  messages,
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).optional(),
  n: z.int().optional(),

  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  min_p: z.number().min(0).max(1).optional(),
  // Not z.int(): clients draw 64-bit seeds, which JSON numbers hold only roughly, and any fixed mapping will do.
  seed: z.number().refine(Number.isInteger, { error: 'must be an integer' }).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  repeat_penalty: z.number().gt(0).max(10).optional(),
  logit_bias: logitBias.optional(),

  stop: stop.optional(),
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
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
  reasoning_enabled: z.boolean().optional(),
  keep_alive: z.union([z.string(), z.number()]).optional(),

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
