import { z } from 'zod';
import { callId, calledFunctionFields, calledToolName } from '../parameters/tools/function-fields.ts';
import { namedUnionBy } from '../openapi/json-schema.ts';
import { maxContentParts, maxMessages } from '../conversation/conversation.ts';
import { attachedFile, imageUrl, inputAudio } from '../attachments/part-schemas.ts';
import { cacheMark, list } from '../parameters/schema-parts.ts';

const maxCallsPerMessage = 256;

const textPart = z.object({ type: z.literal('text'), text: z.string(), ...cacheMark });
const contentPart = namedUnionBy('ContentPart', 'type', [
  textPart,
  z.object({ type: z.literal('image_url'), image_url: imageUrl, ...cacheMark }),
  z.object({ type: z.literal('input_audio'), input_audio: inputAudio }),
  // Documents are texts by now: only pictures and recordings are left.
  z.object({ type: z.literal('file'), file: attachedFile, ...cacheMark }),
]);
const answerPart = z.discriminatedUnion('type', [
  textPart,
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);

const content = z.union([z.string(), list(contentPart, { min: 1, max: maxContentParts })]);
const answerContent = z.union([z.string(), list(answerPart, { max: maxContentParts })]);

const toolCall = z.discriminatedUnion('type', [
  z.object({
    id: callId,
    type: z.literal('function'),
    function: z.object(calledFunctionFields),
    // Of the events in which the call came.
    index: z.unknown().optional(),
  }),
  z.object({
    id: callId,
    type: z.literal('custom'),
    custom: z.object({ name: calledToolName, input: z.string() }),
  }),
]);

const assistantMessage = z
  .object({
    role: z.literal('assistant'),
    content: answerContent.nullish(),
    tool_calls: list(toolCall, { max: maxCallsPerMessage }).nullish(),
    // Answers have the thought under both names, so clients send back either.
    reasoning_content: z.string().nullish(),
    reasoning: z.string().nullish(),
    function_call: z.unknown().optional(),
    // Of an earlier answer; without effect.
    refusal: z.unknown().optional(),
    annotations: z.unknown().optional(),
    ...cacheMark,
  })
  .refine(
    // A turn that ended within its thought has nothing but that.
    ({ content: text, tool_calls: calls, reasoning_content: thought, reasoning }) =>
      text !== undefined || (calls?.length ?? 0) > 0 || Boolean(thought || reasoning),
    { path: ['content'], error: 'must be text, or null beside tool_calls' },
  );

const message = namedUnionBy('ChatMessage', 'role', [
  z.object({ role: z.literal('system'), content, ...cacheMark }),
  z.object({ role: z.literal('developer'), content, ...cacheMark }),
  z.object({ role: z.literal('user'), content, ...cacheMark }),
  assistantMessage,
  z.object({ role: z.literal('tool'), content, tool_call_id: callId, ...cacheMark }),
]);

export const messages = list(message, { min: 1, max: maxMessages });

export type ChatMessageParameter = z.output<typeof message>;
export type AssistantMessageParameter = z.output<typeof assistantMessage>;
export type ContentParameter = z.output<typeof content> | z.output<typeof answerContent>;
