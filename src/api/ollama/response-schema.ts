import { z } from 'zod';
import { fileEngineNames, fileFormats } from '../../engine/file-formats.ts';
import { namedObject, namedUnion } from '../openapi/json-schema.ts';
import { ollamaError } from './dialect.ts';
import { mapOf } from '../parameters/schema-parts.ts';

const count = z.int().min(0);
const nanoseconds = z.int().min(1);
const time = z.string().meta({ format: 'date-time' });
const named = (id: string, shape: z.ZodRawShape) => namedObject(id, shape);

const call = z.strictObject({
  function: z.strictObject({ name: z.string().min(1), arguments: mapOf(z.unknown()) }),
});
const head = { model: z.string().min(1), created_at: time };
const fields = {
  chat: {
    message: z.strictObject({
      role: z.literal('assistant'),
      content: z.string(),
      thinking: z.string().min(1).optional(),
      tool_calls: z.array(call).min(1).optional(),
    }),
  },
  generate: { response: z.string(), thinking: z.string().min(1).optional() },
};
const statistics = {
  total_duration: nanoseconds,
  load_duration: nanoseconds,
  prompt_eval_count: count,
  prompt_eval_duration: nanoseconds,
  eval_count: count,
  eval_duration: nanoseconds,
};

function answersOf(id: string, part: z.ZodRawShape) {
  const end = { ...head, ...part, done: z.literal(true) };
  const whole = namedUnion(`${id}Answer`, [
    z.strictObject({ ...end, done_reason: z.enum(['stop', 'length']), ...statistics }),
    z.strictObject({ ...end, done_reason: z.enum(['load', 'unload']) }),
  ]);
  const line = namedUnion(`${id}Line`, [
    z.strictObject({ ...head, ...part, done: z.literal(false) }),
    whole,
    ollamaError,
  ]);
  return { whole, line };
}

export const chatAnswers = answersOf('OllamaChat', fields.chat);
export const generateAnswers = answersOf('OllamaGenerate', fields.generate);

const details = z.strictObject({
  parent_model: z.string(),
  format: z.enum(fileEngineNames.map((name) => fileFormats[name].name)),
  family: z.string(),
  families: z.array(z.string()),
  parameter_size: z.string(),
  quantization_level: z.string(),
});
const identity = {
  name: z.string().min(1),
  model: z.string().min(1),
  size: count,
  digest: z.string().describe('Changes when the file changes; no hash of the file.'),
  details,
};

export const ollamaVersion = named('OllamaVersion', {
  version: z.string().describe('Of the Ollama whose API this follows.'),
});
const capabilities = z.array(
  z.enum(['completion', 'tools', 'vision', 'audio', 'thinking', 'embedding', 'insert']),
);
export const tagList = named('OllamaTags', {
  models: z.array(z.strictObject({ ...identity, modified_at: time, context_length: count, capabilities })),
});
export const runningList = named('OllamaRunning', {
  models: z.array(z.strictObject({ ...identity, size_vram: count, context_length: count, expires_at: time })),
});
export const shownModel = named('OllamaModel', {
  modelfile: z.string(),
  parameters: z.string(),
  template: z.string(),
  details,
  model_info: mapOf(z.unknown()),
  capabilities,
  modified_at: time,
});

const vector = z.array(z.number().min(-1).max(1)).min(1);
const { total_duration, load_duration, prompt_eval_count } = statistics;

export const embedAnswer = named('OllamaEmbedAnswer', {
  model: z.string().min(1),
  embeddings: z.array(vector).min(1),
  total_duration,
  load_duration,
  prompt_eval_count,
});
export const embeddingsAnswer = named('OllamaEmbeddingsAnswer', { embedding: vector });

export const pullAnswer = named('OllamaPullAnswer', { status: z.literal('success') });
export const pullLine = namedUnion('OllamaPullLine', [
  z.strictObject({ status: z.string(), completed: count.optional(), total: count.optional() }),
  ollamaError,
]);
