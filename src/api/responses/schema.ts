import { z } from 'zod';
import { returnProgress } from '../generation/wire/prompt-progress.ts';
import { namedParameters } from '../openapi/json-schema.ts';
import { generationParameters, modelName, obfuscation } from '../parameters/generation-parameters.ts';
import { metadata } from '../parameters/metadata.ts';
import { outputSchemaFields } from '../parameters/format/output-format.ts';
import { reasoningEffort, reasoningSummary } from '../parameters/reasoning-request.ts';
import { samplingParameters } from '../parameters/sampling-parameters.ts';
import { ignoredToolNames } from '../parameters/ignored-kinds.ts';
import { list } from '../parameters/schema-parts.ts';
import type { JsonObject } from '../env.ts';
import { createParameterParser, unsupported, type ParsedParameters } from '../request/validate.ts';
import { input } from './items/items.ts';
import { toolChoice, tools } from './tools/tools.ts';

const maxLabelChars = 512;

/** A text that is only repeated in the response. */
const label = z.string().max(maxLabelChars);

export const responseId = z.string().min(1).max(maxLabelChars);

const textFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({ type: z.literal('json_schema'), ...outputSchemaFields }),
]);

const includableNames: readonly string[] = ['reasoning.encrypted_content', 'message.output_text.logprobs'];
/** Names that belong to hosted tools, which are ignored, or to pictures, whose addresses the client has. */
const foreignInclude = /^(?:\w+_call|message\.input_image)(?:\.\w+)+$/;
const includable = z.string().refine((name) => includableNames.includes(name) || foreignInclude.test(name), {
  error: `must be ${includableNames.map((name) => `"${name}"`).join(' or ')}: nothing else can be included here`,
  params: { code: 'unsupported_value' },
});

/** Every parameter that the endpoint knows, including those that it ignores and those that it refuses. */
export const responseSchema = namedParameters('CreateResponse', {
  model: modelName,
  input,
  instructions: z.string().optional(),
  previous_response_id: responseId.optional(),
  store: z.boolean().optional(),
  stream: z.boolean().optional(),
  return_progress: returnProgress,
  stream_options: z.object({ include_obfuscation: obfuscation.nullish() }).optional(),

  ...samplingParameters,
  // As chat completions have it.
  stop: generationParameters.stop,

  max_output_tokens: z.int().min(1).optional(),
  top_logprobs: z.int().min(0).max(20).optional(),
  include: list(includable, { max: 16 }).optional(),
  truncation: z.enum(['auto', 'disabled']).optional(),

  tools: tools.optional(),
  tool_choice: toolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  // Limits calls of tools of MCP servers.
  max_tool_calls: z.int().min(1).optional(),
  text: z
    .object({ format: textFormat.nullish(), verbosity: z.enum(['low', 'medium', 'high']).nullish() })
    .optional(),
  reasoning: z.object({ effort: reasoningEffort.nullish(), summary: reasoningSummary.nullish() }).optional(),

  background: z.boolean().optional().describe('true is refused: stream the answer where it takes long.'),
  conversation: z.unknown().optional().describe('Refused: go on with `previous_response_id`.'),
  prompt: z.unknown().optional().describe('Refused: send the text itself as `instructions`.'),
  context_management: z.unknown().optional(),
  moderation: z.unknown().optional(),

  // Repeated in the response; without other effect.
  metadata: metadata.optional(),
  user: label.optional(),
  safety_identifier: label.optional(),
  prompt_cache_key: label.optional(),
  /** `flex`: its turn comes when nobody else waits. */
  service_tier: z.unknown().optional(),
  // Sent by OpenAI's own clients; without effect here.
  client_metadata: z.unknown().optional(),
  prompt_cache_options: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
});

/** The parameters on which the number of a request's input tokens depends. */
export const inputTokensSchema = responseSchema
  .pick({
    model: true,
    instructions: true,
    previous_response_id: true,
    tools: true,
    tool_choice: true,
    parallel_tool_calls: true,
    text: true,
    reasoning: true,
    truncation: true,
    conversation: true,
  })
  .extend({ input: input.optional() });

export type ResponseParameters = z.output<typeof responseSchema>;
/** Parameters of a request that may ask about nothing but the conversation before. */
export type PromptParameters = Omit<ResponseParameters, 'input'> & {
  readonly input?: ResponseParameters['input'] | undefined;
};

export const parseResponse = withIgnoredKinds(createParameterParser(responseSchema));
export const parseInputTokens = withIgnoredKinds(createParameterParser(inputTokensSchema));

/** `parse`, for which tools that the server would have to run, and items of other vendors, count as ignored. */
export function withIgnoredKinds<Parameters extends Pick<PromptParameters, 'tools' | 'input' | 'include'>>(
  parse: (body: JsonObject) => ParsedParameters<Parameters>,
) {
  return (body: JsonObject): ParsedParameters<Parameters> => {
    const { parameters, ignored } = parse(body);
    const { tools: given = [], input: items = [], include = [] } = parameters;
    const added = items.flatMap((item) =>
      item.type === 'additional_tools' || item.type === 'tool_search_output' ? item.tools : [],
    );
    const all = [...given, ...added].flatMap((tool) => (tool.type === 'namespace' ? tool.tools : [tool]));
    const kinds = items.flatMap((item) => (item.type === 'ignored' ? `input.${item.kind}` : []));
    const includes = include.flatMap((name) => (foreignInclude.test(name) ? `include.${name}` : []));
    return {
      parameters,
      ignored: [...ignored, ...ignoredToolNames(all), ...new Set([...kinds, ...includes])],
    };
  };
}

/** Throws unsupported_value for parameters that are known and not supported. One that asks for nothing is accepted. */
export function refuseUnavailable(parameters: ResponseParameters): void {
  const { background, conversation, prompt, context_management: management, moderation } = parameters;
  if (background === true) {
    throw unsupported(['background'], 'Leave it out, and stream the answer where it takes long.');
  }
  if (conversation !== undefined) {
    throw unsupported(
      ['conversation'],
      "Continue with 'previous_response_id', or send the whole conversation as 'input'.",
    );
  }
  if (prompt !== undefined) throw unsupported(['prompt'], "Send its text as 'instructions' and 'input'.");
  if (moderation !== undefined) throw unsupported(['moderation'], 'Nothing is moderated here: leave it out.');
  if (management !== undefined && !(Array.isArray(management) && management.length === 0)) {
    throw unsupported(['context_management'], 'Leave it out; \'truncation\' may be "auto".');
  }
}
