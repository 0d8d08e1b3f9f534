import { z } from 'zod';
import type { JsonObject } from '../../../engine/types.ts';
import {
  callId,
  calledFunctionFields,
  calledToolName,
  maxArgumentsDepth,
} from '../../parameters/tools/function-fields.ts';
import { toJsonSchema } from '../../openapi/json-schema.ts';
import { detail, pictureAddress } from '../../attachments/part-schemas.ts';
import { maxContentParts, maxMessages } from '../../parameters/conversation.ts';
import { anyObject, list, refuse } from '../../parameters/schema-parts.ts';
import { toWellFormedJson } from '../../request/json-nesting.ts';
import { tools } from '../tools/tool-schema.ts';

export const maxItems = maxMessages;
const maxIdChars = 256;

const itemId = z.string().min(1).max(maxIdChars).nullish();
const status = z.enum(['in_progress', 'completed', 'incomplete']).nullish();

const inputText = z.object({ type: z.literal('input_text'), text: z.string() });
const contentPart = z.discriminatedUnion('type', [
  inputText,
  z.object({ type: z.literal('output_text'), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({
    type: z.literal('input_image'),
    image_url: pictureAddress.nullish(),
    file_id: z.string().nullish(),
    detail,
  }),
  // A picture may be sent as a file. Other files, and what follows, are accepted here so that `refuseUnavailable` can
  // refuse them with its own message.
  z.object({ type: z.literal('input_file'), file_data: z.string().nullish() }),
  z.object({ type: z.literal('input_audio') }),
  z.object({ type: z.literal('input_video') }),
]);
const content = z.union([z.string(), list(contentPart, { max: maxContentParts })]);

const message = z.object({
  type: z.literal('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content,
  id: itemId,
  status,
});

const functionCall = z.object({
  type: z.literal('function_call'),
  id: itemId,
  call_id: callId,
  ...calledFunctionFields,
  namespace: calledToolName.nullish(),
  status,
});

const functionCallOutput = z.object({
  type: z.literal('function_call_output'),
  id: itemId,
  call_id: callId,
  output: content,
  name: calledToolName.nullish(),
  namespace: calledToolName.nullish(),
  status,
});

const customToolCall = z.object({
  type: z.literal('custom_tool_call'),
  id: itemId,
  call_id: callId,
  name: calledToolName,
  namespace: calledToolName.nullish(),
  input: z.string(),
  status,
});

const customToolCallOutput = z.object({
  type: z.literal('custom_tool_call_output'),
  id: itemId,
  call_id: callId,
  output: content,
  status,
});

const ofToolSearch = {
  id: itemId,
  // A search by the server has none.
  call_id: callId.nullish(),
  execution: z.enum(['client', 'server']).nullish(),
  status,
};

const toolSearchCall = z.object({
  type: z.literal('tool_search_call'),
  ...ofToolSearch,
  arguments: anyObject.transform((given, context) => {
    const copy = toWellFormedJson(given, maxArgumentsDepth);
    if (copy !== undefined) return copy as JsonObject;
    return refuse(context, `must be nested at most ${maxArgumentsDepth} levels deep`);
  }),
});

const toolSearchOutput = z.object({ type: z.literal('tool_search_output'), ...ofToolSearch, tools });

const additionalTools = z.object({
  type: z.literal('additional_tools'),
  id: itemId,
  role: z.literal('developer'),
  tools,
});

const compaction = z.object({
  type: z.literal('compaction'),
  id: itemId,
  encrypted_content: z.string().min(1),
});

const reasoning = z.object({
  type: z.literal('reasoning'),
  id: itemId,
  summary: list(z.object({ type: z.literal('summary_text'), text: z.string() }), {
    max: maxContentParts,
  }).nullish(),
  content: list(z.object({ type: z.literal('reasoning_text'), text: z.string() }), {
    max: maxContentParts,
  }).nullish(),
  encrypted_content: z.string().nullish(),
  status,
});

const itemReference = z.object({ type: z.literal('item_reference'), id: z.string().min(1).max(maxIdChars) });

const typedItems = [
  functionCall,
  functionCallOutput,
  customToolCall,
  customToolCallOutput,
  toolSearchCall,
  toolSearchOutput,
  additionalTools,
  compaction,
  reasoning,
] as const;

const itemTypes: readonly string[] = [message, itemReference, ...typedItems].map(
  ({ shape }) => shape.type.value,
);

/** An item with its type, which a client may leave out. Items of hosted tools are refused by name. */
const typedItem = z.unknown().transform((given, context) => {
  if (typeof given !== 'object' || given === null) return given;
  const { type, role } = given as Partial<Record<'type' | 'role', unknown>>;
  if (type === undefined || type === null) {
    return { ...given, type: role === undefined ? 'item_reference' : 'message' };
  }
  if (typeof type !== 'string' || itemTypes.includes(type)) return given;
  const names = itemTypes.map((name) => `"${name}"`).join(' or ');
  return refuse(
    context,
    `must be ${names}: items of other kinds, such as those of hosted tools, mean nothing here`,
    { path: ['type'], code: 'unsupported_value' },
  );
});

const inputItem = typedItem
  .pipe(z.discriminatedUnion('type', [message, itemReference, ...typedItems]))
  .meta(
    toJsonSchema(
      z.union([message.partial({ type: true }), itemReference.partial({ type: true }), ...typedItems]),
    ),
  );

export const input = z.union([z.string(), list(inputItem, { min: 1, max: maxItems })]);

export type InputParameter = z.output<typeof input>;
export type InputItemParameter = z.output<typeof inputItem>;
export type InputContentParameter = z.output<typeof content>;
