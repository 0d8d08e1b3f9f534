import { z } from 'zod';
import { anyArray, anyObject, list } from '../schema-parts.ts';
import { createParameterParser } from '../validate.ts';

/** Far above real conversations; keeps rendering and tokenising of one request bounded beside the byte limit. */
const maxMessages = 4096;
const maxContentParts = 1024;
const maxStopSequences = 16;
const maxStopChars = 512;
const maxLogitBiasEntries = 1024;
const maxModelIdChars = 256;

const contentPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: anyObject }),
  z.object({ type: z.literal('input_audio'), input_audio: anyObject }),
]);

const content = z.union([z.string(), list(contentPart, { min: 1, max: maxContentParts })]);

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content }),
  z.object({ role: z.literal('developer'), content }),
  z.object({ role: z.literal('user'), content }),
  z.object({ role: z.literal('assistant'), content: content.nullable(), tool_calls: anyArray.nullish() }),
  z.object({ role: z.literal('tool'), content, tool_call_id: z.string().min(1).max(256) }),
]);

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

/** Every parameter that the endpoint knows, also those that it accepts without effect and those to come. */
const chatCompletionSchema = z.object({
  model: z.string().min(1).max(maxModelIdChars),
  messages: list(message, { min: 1, max: maxMessages }),
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

  tools: anyArray.optional(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), anyObject]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: z.object({ type: z.enum(['text', 'json_object', 'json_schema']) }).optional(),
  reasoning_effort: z.string().optional(),
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
export type ChatMessageParameter = ChatCompletionParameters['messages'][number];
export type ContentParameter = z.output<typeof content>;

export const parseChatCompletion = createParameterParser(chatCompletionSchema);
