import { z } from 'zod';
import { anyObject, list } from '../schema-parts.ts';
import { isNestedDeeper } from '../json-nesting.ts';
import { functionType } from './tool-schema.ts';

/** Far above real conversations; keeps rendering and tokenising of one request bounded beside the byte limit. */
const maxMessages = 4096;
const maxContentParts = 1024;
const maxCallsPerMessage = 256;
const maxCallIdChars = 256;
const maxCalledNameChars = 256;
const maxArgumentsDepth = 128;

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const contentPart = z.discriminatedUnion('type', [
  textPart,
  z.object({ type: z.literal('image_url'), image_url: anyObject }),
  z.object({ type: z.literal('input_audio'), input_audio: anyObject }),
]);
const answerPart = z.discriminatedUnion('type', [
  textPart,
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);

const content = z.union([z.string(), list(contentPart, { min: 1, max: maxContentParts })]);
const answerContent = z.union([z.string(), list(answerPart, { min: 1, max: maxContentParts })]);

/** An earlier call, perhaps another vendor's: its name and arguments need not be what this server would make. */
const toolCall = z.object({
  id: z.string().min(1).max(maxCallIdChars),
  type: functionType,
  function: z.object({
    name: z.string().min(1).max(maxCalledNameChars),
    // Templates get them as values and walk through these recursively.
    arguments: z.string().refine((text) => !isNestedDeeper(text, maxArgumentsDepth), {
      error: `must be nested at most ${maxArgumentsDepth} levels deep`,
    }),
  }),
});

const assistantMessage = z
  .object({
    role: z.literal('assistant'),
    content: answerContent.nullish(),
    tool_calls: list(toolCall, { max: maxCallsPerMessage }).nullish(),
    // Both names are answered with, so both come back.
    reasoning_content: z.string().nullish(),
    reasoning: z.string().nullish(),
    function_call: z.unknown().optional(),
  })
  .refine((message) => message.content !== undefined || (message.tool_calls?.length ?? 0) > 0, {
    path: ['content'],
    error: 'must be text, or null beside tool_calls',
  });

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content }),
  z.object({ role: z.literal('developer'), content }),
  z.object({ role: z.literal('user'), content }),
  assistantMessage,
  z.object({ role: z.literal('tool'), content, tool_call_id: z.string().min(1).max(maxCallIdChars) }),
]);

export const messages = list(message, { min: 1, max: maxMessages });

export type ChatMessageParameter = z.output<typeof message>;
export type AssistantMessageParameter = z.output<typeof assistantMessage>;
export type ContentParameter = z.output<typeof content> | z.output<typeof answerContent>;
