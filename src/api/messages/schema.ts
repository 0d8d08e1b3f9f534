import { z } from 'zod';
import { namedParameters } from '../openapi/json-schema.ts';
import { pictureAddress } from '../attachments/part-schemas.ts';
import { maxContentParts, maxMessages } from '../conversation/conversation.ts';
import {
  callId,
  calledFunctionFields,
  functionFields,
  maxTools,
} from '../parameters/tools/function-fields.ts';
import { kindOrIgnored } from '../parameters/ignored-kinds.ts';
import { modelName, stopSequences } from '../parameters/generation-parameters.ts';
import { samplingParameters } from '../parameters/sampling-parameters.ts';
import { cacheMark, jsonObject, jsonSchemaObject, list, nameOf } from '../parameters/schema-parts.ts';
import type { JsonObject } from '../env.ts';
import { createParameterParser, type ParsedParameters } from '../request/validate.ts';

const text = z.object({
  type: z.literal('text'),
  text: z.string(),
  // Of an earlier answer.
  citations: z.unknown().optional(),
  ...cacheMark,
});
const texts = z.union([z.string(), list(text, { max: maxContentParts })]);

const citations = z.object({ enabled: z.boolean().nullish() }).nullish();
const title = z.string().nullish();
const mediaType = z.string().max(128).nullish();

/** Blocks of text, pictures and documents. Files of other kinds are read here to be refused by name. */
const shown = [
  text,
  z.object({
    type: z.literal('image'),
    source: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('base64'),
        media_type: mediaType,
        data: z.string().min(1),
      }),
      z.object({ type: z.literal('url'), url: pictureAddress }),
      z.object({ type: z.literal('file') }),
    ]),
    ...cacheMark,
  }),
  z.object({
    type: z.literal('document'),
    source: z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), media_type: mediaType, data: z.string() }),
      z.object({ type: z.literal('content'), content: texts }),
      z.object({ type: z.enum(['base64', 'url', 'file']) }),
    ]),
    title,
    context: z.string().nullish(),
    citations,
    ...cacheMark,
  }),
  z.object({
    type: z.literal('search_result'),
    content: list(text, { max: maxContentParts }),
    source: z.string(),
    title,
    citations,
    ...cacheMark,
  }),
] as const;

const shownBlock = z.discriminatedUnion('type', [
  ...shown,
  z.object({ type: z.literal('tool_reference'), tool_name: z.string() }),
]);

const userBlock = z.discriminatedUnion('type', [
  ...shown,
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: callId,
    content: z.union([z.string(), list(shownBlock, { max: maxContentParts })]).nullish(),
    is_error: z.boolean().nullish(),
    ...cacheMark,
  }),
]);

const readBlock = z.discriminatedUnion('type', [
  text,
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().nullish() }),
  z.object({
    type: z.literal('tool_use'),
    id: callId,
    name: calledFunctionFields.name,
    input: jsonObject(),
    caller: z.unknown().optional(),
    ...cacheMark,
  }),
]);

/** Others are ignored: redacted thoughts, which only their writer can read, and calls of Anthropic's own tools. */
const assistantBlock = kindOrIgnored(['text', 'thinking', 'tool_use'], readBlock);

const message = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    content: z.union([z.string(), list(userBlock, { max: maxContentParts })]),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([z.string(), list(assistantBlock, { max: maxContentParts })]),
  }),
  z.object({ role: z.literal('system'), content: texts }),
]);

const { parameters: _, ...describedFields } = functionFields;
const customTool = z.object({
  type: z.literal('custom').nullish(),
  ...describedFields,
  // Twice as long as in OpenAI's API: servers of tools come with long names.
  name: nameOf(128),
  input_schema: jsonSchemaObject,
  // Every tool is offered at once, and its arguments come as they are written.
  defer_loading: z.unknown().optional(),
  eager_input_streaming: z.unknown().optional(),
  ...cacheMark,
});
/** Two words or more. Each word has one way to be read, so that a long text takes no longer than its length. */
const hostedType = /^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+$/;
/** A tool that Anthropic defines, such as `web_search_20250305`. */
const hostedTool = z
  .object({
    type: z
      .string()
      .max(128)
      .regex(hostedType, { error: 'must be custom, or a type such as web_search_20250305' }),
    name: z.string().nullish(),
  })
  // Its options are ignored with it.
  .meta({ additionalProperties: true });

const parallel = { disable_parallel_tool_use: z.boolean().nullish() };
const display = { display: z.enum(['summarized', 'omitted']).nullish() };
const format = z.object({ type: z.literal('json_schema'), schema: jsonSchemaObject });

/** The parameters that both endpoints know, including those without effect. */
const promptParameters = {
  model: modelName,
  messages: list(message, { min: 1, max: maxMessages }),
  system: texts.optional(),
  tools: list(z.union([customTool, hostedTool]), { max: maxTools }).optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.object({ type: z.enum(['auto', 'any']), ...parallel }),
      z.object({ type: z.literal('tool'), name: z.string(), ...parallel }),
      z.object({ type: z.literal('none') }),
    ])
    .optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('enabled'), budget_tokens: z.int().min(1), ...display }),
      z.object({ type: z.enum(['adaptive', 'between_tools']), ...display }),
      z.object({ type: z.literal('disabled') }),
    ])
    .optional(),
  output_config: z
    .object({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(), format: format.nullish() })
    .optional(),
  // A conversation that the server keeps. Refused: without it the request would mean something else.
  thread: z.unknown().optional(),
  // The former name of `output_config.format`.
  output_format: format.optional(),
  cache_control: z.unknown().optional(),
  speed: z.unknown().optional(),
  user_profile_id: z.unknown().optional(),
  workspace_id: z.unknown().optional(),
};

/** The fields of a request whose tokens are counted before it is sent. */
export const countTokensSchema = namedParameters('CountMessageTokens', promptParameters);

export const messageSchema = namedParameters('CreateMessage', {
  ...promptParameters,
  // With 0 nothing is generated: the prompt is computed and kept in the cache.
  max_tokens: z.int().min(0),
  stop_sequences: stopSequences.optional(),
  stream: z.boolean().optional(),
  ...samplingParameters,
  metadata: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  inference_geo: z.unknown().optional(),
  diagnostics: z.unknown().optional(),
});

export type MessageParameters = z.output<typeof messageSchema>;
export type PromptParameters = z.output<typeof countTokensSchema>;
export type MessageParameter = z.output<typeof message>;
export type UserBlock = z.output<typeof userBlock>;
export type ShownBlock = z.output<typeof shownBlock>;

export const parseMessage = withIgnoredBlocks(createParameterParser(messageSchema));
export const parseCountTokens = withIgnoredBlocks(createParameterParser(countTokensSchema));

/** `parse`, for which blocks that mean nothing here count as ignored, each kind once: `messages.server_tool_use`. */
function withIgnoredBlocks<Parameters extends PromptParameters>(
  parse: (body: JsonObject) => ParsedParameters<Parameters>,
) {
  return (body: JsonObject): ParsedParameters<Parameters> => {
    const { parameters, ignored } = parse(body);
    const blocks = parameters.messages.flatMap(({ role, content }) =>
      role === 'assistant' && typeof content !== 'string' ? content : [],
    );
    const kinds = blocks.flatMap((block) => (block.type === 'ignored' ? `messages.${block.kind}` : []));
    return { parameters, ignored: [...ignored, ...new Set(kinds)] };
  };
}
