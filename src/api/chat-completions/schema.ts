import { z } from 'zod';
import { ignoredToolNames } from '../parameters/ignored-tools.ts';
import { generationParameters, modelName, streamParameters } from '../parameters/generation-parameters.ts';
import { outputSchemaFields } from '../parameters/output-format.ts';
import { reasoningEffort } from '../parameters/reasoning-request.ts';
import { anyArray } from '../parameters/schema-parts.ts';
import type { JsonObject } from '../env.ts';
import { createParameterParser } from '../request/validate.ts';
import { messages } from './message-schema.ts';
import { toolChoice, tools } from './tools.ts';

const misplacedSchema = z
  .unknown()
  .refine((schema) => schema === undefined || schema === null, {
    error: 'is not where a schema belongs: use type "json_schema" and json_schema.schema',
    params: { code: 'unsupported_value' },
  })
  .optional();

const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  // Some servers accept a schema here. To ignore it would silently do less than the client asked for.
  z.object({ type: z.literal('json_object'), schema: misplacedSchema }),
  z.object({ type: z.literal('json_schema'), json_schema: z.object(outputSchemaFields) }),
]);

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

  tools: tools.optional(),
  tool_choice: toolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  // The names of tools before 2023.
  functions: anyArray.optional(),
  function_call: z.unknown().optional(),
  response_format: responseFormat.optional(),
  reasoning_effort: reasoningEffort.optional(),
  reasoning_enabled: z.boolean().optional(),

  // Sent by OpenAI's own clients; without effect here.
  user: z.string().optional(),
  store: z.unknown().optional(),
  metadata: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
});

export type ChatCompletionParameters = z.output<typeof chatCompletionSchema>;

const parse = createParameterParser(chatCompletionSchema);

/** The checked parameters. Tools that the server would have to run count as ignored. */
export function parseChatCompletion(body: JsonObject) {
  const { parameters, ignored } = parse(body);
  return { parameters, ignored: [...ignored, ...ignoredToolNames(parameters.tools ?? [])] };
}
