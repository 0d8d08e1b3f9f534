import { modelKinds } from '../../model-kinds.ts';
import { namedObject, namedUnionBy } from '../openapi/json-schema.ts';
import { answerErrors, json, operationsOf } from '../openapi/operation.ts';
import { textCitation } from './citations.ts';
import { anthropicDialect, anthropicError } from './dialect.ts';
import { countTokensSchema, messageSchema } from './schema.ts';
import { z } from 'zod';
import { count } from '../generation/wire/completion-schema.ts';
import { mapOf } from '../parameters/schema-parts.ts';

const contentBlock = z.discriminatedUnion('type', [
  // Anthropic has null for no citations, which the AI SDK refuses.
  z.strictObject({
    type: z.literal('text'),
    text: z.string(),
    citations: z.array(textCitation).max(1).describe('Of what it quotes, where a document asks for that.'),
  }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string().startsWith('toolu_'),
    caller: z.strictObject({ type: z.literal('direct') }),
    name: z.string().min(1),
    input: mapOf(z.unknown()),
  }),
]);
export type ContentBlock = z.output<typeof contentBlock>;

const deltaUsage = z.strictObject({
  input_tokens: count.describe('Without those that were in the cache.'),
  cache_read_input_tokens: count,
  cache_creation_input_tokens: z.literal(0),
  output_tokens: count,
  output_tokens_details: z.strictObject({ thinking_tokens: count }),
  server_tool_use: z.null(),
});
export type DeltaUsage = z.output<typeof deltaUsage>;

const stopReason = z.enum([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'model_context_window_exceeded',
]);
const ending = {
  container: z.null(),
  stop_details: z.null(),
  stop_reason: stopReason.nullable(),
  stop_sequence: z.string().nullable(),
};

export const message = namedObject('Message', {
  id: z.string().startsWith('msg_'),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string().min(1).describe('As it was asked for.'),
  content: z.array(contentBlock),
  ...ending,
  diagnostics: z.null(),
  usage: deltaUsage.extend({
    cache_creation: z.null(),
    inference_geo: z.null(),
    service_tier: z.literal('standard'),
    speed: z.null(),
  }),
});
export type Message = z.output<typeof message>;

const delta = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
  z.strictObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.strictObject({ type: z.literal('signature_delta'), signature: z.string() }),
  z.strictObject({ type: z.literal('citations_delta'), citation: textCitation }),
  z.strictObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
]);
export type BlockDelta = z.output<typeof delta>;

export const messageEvent = namedUnionBy('MessageEvent', 'type', [
  z.strictObject({ type: z.literal('message_start'), message }),
  z.strictObject({ type: z.literal('content_block_start'), index: count, content_block: contentBlock }),
  z.strictObject({ type: z.literal('content_block_delta'), index: count, delta }),
  z.strictObject({ type: z.literal('content_block_stop'), index: count }),
  z.strictObject({ type: z.literal('message_delta'), delta: z.strictObject(ending), usage: deltaUsage }),
  z.strictObject({ type: z.literal('message_stop') }),
  z.strictObject({ type: z.literal('ping') }),
  anthropicError,
]);
export type MessageEvent = z.output<typeof messageEvent>;

export const tokenCount = namedObject('MessageTokenCount', { input_tokens: count });

const example = { model: modelKinds.chat.placeholder, messages: [{ role: 'user', content: 'Hello!' }] };

export const messageOperations = operationsOf(['Messages', 'user', anthropicDialect], {
  createMessage: {
    errors: answerErrors,
    route: 'POST /v1/messages',
    summary: "Answer a conversation, by Anthropic's Messages API",
    description: 'In one piece, or with `stream: true` as server-sent events while it is written.',
    body: {
      schema: messageSchema,
      example: { ...example, max_tokens: 100 },
    },
    answer: json(
      message,
      'The message. A stream ends with `message_stop`, or with an event `error` where it failed.',
      messageEvent,
    ),
  },
  countMessageTokens: {
    errors: answerErrors,
    route: 'POST /v1/messages/count_tokens',
    summary: 'Count the tokens of a conversation',
    description: 'Nothing is generated and nothing is charged.',
    body: { schema: countTokensSchema, example },
    answer: json(tokenCount, 'Their number.'),
  },
});
