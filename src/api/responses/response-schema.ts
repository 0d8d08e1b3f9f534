import { z } from 'zod';
import { named, namedObject } from '../openapi/json-schema.ts';
import { listOf } from '../parameters/list-page.ts';
import { reasoningEffort, reasoningSummary } from '../parameters/reasoning-request.ts';
import { anyObject, mapOf } from '../parameters/schema-parts.ts';
import { item, outputItem } from './items/items.ts';
import { wireTool } from './tools/tools.ts';

const count = z.int().min(0);
const seconds = count.describe('Unix seconds.');

export const responseUsage = namedObject('ResponseUsage', {
  input_tokens: count,
  input_tokens_details: z.strictObject({ cached_tokens: count, cache_write_tokens: z.literal(0) }),
  output_tokens: count,
  output_tokens_details: z.strictObject({ reasoning_tokens: count }),
  total_tokens: count,
});

const name = z.string();
const namedFunction = z.strictObject({ type: z.literal('function'), name });
const namedCustomTool = z.strictObject({ type: z.literal('custom'), name });
const namedMcpTool = z.strictObject({
  type: z.literal('mcp'),
  server_label: z.string(),
  name: z.string().exactOptional(),
});
const allowedTool = z.union([
  namedFunction,
  namedCustomTool,
  namedMcpTool,
  z.strictObject({ type: z.literal('namespace'), name }),
]);

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  namedFunction,
  namedCustomTool,
  namedMcpTool,
  z.strictObject({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']),
    tools: z.array(allowedTool),
  }),
]);

const textFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string(),
    description: z.string().nullable(),
    schema: anyObject,
    strict: z.boolean(),
  }),
]);

/** Every key is always present; a parameter that the request left out has the value that was used. */
export const response = namedObject('Response', {
  id: z.string().startsWith('resp_'),
  object: z.literal('response'),
  created_at: seconds,
  completed_at: seconds.nullable(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  incomplete_details: z.strictObject({ reason: z.literal('max_output_tokens') }).nullable(),
  error: z.strictObject({ code: z.literal('server_error'), message: z.string() }).nullable(),
  model: z.string().min(1).describe('As it was asked for.'),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(outputItem),
  tools: z.array(wireTool),
  tool_choice: toolChoice,
  parallel_tool_calls: z.boolean(),
  max_tool_calls: z.int().nullable(),
  text: z.strictObject({ format: textFormat, verbosity: z.enum(['low', 'medium', 'high']) }),
  reasoning: z.strictObject({ effort: reasoningEffort.nullable(), summary: reasoningSummary.nullable() }),
  truncation: z.enum(['auto', 'disabled']),
  max_output_tokens: count.nullable(),
  temperature: z.number(),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: count,
  usage: responseUsage.nullable().describe('null until the end.'),
  store: z.boolean().describe('Whether it can be asked for again.'),
  background: z.literal(false),
  service_tier: z.enum(['default', 'flex']),
  metadata: mapOf(z.string()),
  user: z.string().nullable(),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
  access_programs: z.null(),
});

export const deletedResponse = namedObject('DeletedResponse', {
  id: z.string(),
  object: z.literal('response'),
  deleted: z.literal(true),
});

export const itemList = named('ResponseItemList', listOf(item));

export const inputTokens = namedObject('ResponseInputTokens', {
  object: z.literal('response.input_tokens'),
  input_tokens: count,
});

export type ResponseObject = z.output<typeof response>;
export type ResponseUsage = z.output<typeof responseUsage>;
