import { z } from 'zod';
import { callId, calledFunctionFields } from '../../parameters/function-fields.ts';
import { toJsonSchema } from '../../openapi/json-schema.ts';
import { list, refuse } from '../../parameters/schema-parts.ts';

/**
 * Far above real conversations. Limits the time to render and tokenise one request, which the byte limit alone does
 * not.
 */
export const maxItems = 4096;
const maxContentParts = 1024;
const maxIdChars = 256;

const itemId = z.string().min(1).max(maxIdChars).nullish();
const status = z.enum(['in_progress', 'completed', 'incomplete']).nullish();

const inputText = z.object({ type: z.literal('input_text'), text: z.string() });
const contentPart = z.discriminatedUnion('type', [
  inputText,
  z.object({ type: z.literal('output_text'), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  // Accepted here, so that `refuseUnavailable` can refuse them with its own message.
  z.object({ type: z.literal('input_image') }),
  z.object({ type: z.literal('input_file') }),
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
  status,
});

const functionCallOutput = z.object({
  type: z.literal('function_call_output'),
  id: itemId,
  call_id: callId,
  output: content,
  status,
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

const itemTypes = [
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
] as const;

/** An item with its type, which a client may leave out. Items of hosted tools are refused by name. */
const typedItem = z.unknown().transform((given, context) => {
  if (typeof given !== 'object' || given === null) return given;
  const { type, role } = given as Partial<Record<'type' | 'role', unknown>>;
  if (type === undefined || type === null) {
    return { ...given, type: role === undefined ? 'item_reference' : 'message' };
  }
  if (typeof type !== 'string' || (itemTypes as readonly string[]).includes(type)) return given;
  const names = itemTypes.map((name) => `"${name}"`).join(' or ');
  return refuse(
    context,
    `must be ${names}: items of other kinds, such as those of hosted tools, mean nothing here`,
    { path: ['type'], code: 'unsupported_value' },
  );
});

const inputItem = typedItem
  .pipe(z.discriminatedUnion('type', [message, functionCall, functionCallOutput, reasoning, itemReference]))
  .meta(
    toJsonSchema(
      z.union([
        message.partial({ type: true }),
        functionCall,
        functionCallOutput,
        reasoning,
        itemReference.partial({ type: true }),
      ]),
    ),
  );

export const input = z.union([z.string(), list(inputItem, { min: 1, max: maxItems })]);

export type InputParameter = z.output<typeof input>;
export type InputItemParameter = z.output<typeof inputItem>;
export type InputContentParameter = z.output<typeof content>;
