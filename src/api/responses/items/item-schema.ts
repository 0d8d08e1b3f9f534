import { z } from 'zod';
import { outputToken } from '../../generation/completion-schema.ts';
import { components } from '../../openapi/json-schema.ts';
import { anyObject } from '../../parameters/schema-parts.ts';
import { wireTool } from '../tools/wire-tools.ts';

const status = z.enum(['in_progress', 'completed', 'incomplete']);
const itemId = z.string().min(1);

const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string(),
  detail: z.enum(['auto', 'low', 'high', 'original']),
});
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
const summaryText = z.strictObject({ type: z.literal('summary_text'), text: z.string() });

export const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(outputToken).meta({ description: 'Empty unless `include` asked for them.' }),
});

export const reasoningText = z.strictObject({ type: z.literal('reasoning_text'), text: z.string() });

const messageBase = { type: z.literal('message'), id: itemId, status };

const outputMessage = z.strictObject({
  ...messageBase,
  role: z.literal('assistant'),
  content: z.array(outputText),
});

export const message = z.strictObject({
  ...messageBase,
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.array(z.discriminatedUnion('type', [inputText, inputImage, outputText, refusal])),
});

const callId = z.string().min(1).meta({ description: 'To be repeated by the item with its result.' });
const namespace = z.string().exactOptional().meta({ description: 'Of the tool, if it has one.' });

const functionCall = z.strictObject({
  type: z.literal('function_call'),
  id: itemId,
  call_id: callId,
  name: z.string().min(1),
  namespace,
  arguments: z.string().meta({ description: 'JSON that fits the schema of the function.' }),
  status,
});

const callOutput = {
  id: itemId,
  call_id: z.string().min(1),
  output: z.union([z.string(), z.array(z.discriminatedUnion('type', [inputText, inputImage]))]),
};

const functionCallOutput = z.strictObject({
  type: z.literal('function_call_output'),
  ...callOutput,
  name: z.string().exactOptional(),
  namespace,
  status,
});

const customToolCall = z.strictObject({
  type: z.literal('custom_tool_call'),
  id: itemId,
  call_id: callId,
  name: z.string().min(1),
  namespace,
  input: z.string().meta({ description: 'Text that fits the grammar of the tool.' }),
  status,
});

const customToolCallOutput = z.strictObject({
  type: z.literal('custom_tool_call_output'),
  ...callOutput,
  status,
});

const ofToolSearch = {
  id: itemId,
  call_id: z.string().min(1).nullable(),
  execution: z.enum(['client', 'server']),
  status,
};

const toolSearchCall = z.strictObject({
  type: z.literal('tool_search_call'),
  ...ofToolSearch,
  arguments: anyObject.meta({ description: 'Arguments that fit the parameters of `tool_search`.' }),
});

const toolSearchOutput = z.strictObject({
  type: z.literal('tool_search_output'),
  ...ofToolSearch,
  tools: z.array(wireTool),
});

const additionalTools = z.strictObject({
  type: z.literal('additional_tools'),
  id: itemId,
  role: z.literal('developer'),
  tools: z.array(wireTool),
});

export const compaction = z.strictObject({
  type: z.literal('compaction'),
  id: itemId,
  encrypted_content: z.string().meta({
    description: 'A summary of the conversation before it, packed and not secret: to be sent back as it is.',
  }),
});

const reasoning = z.strictObject({
  type: z.literal('reasoning'),
  id: itemId,
  summary: z.array(summaryText),
  content: z.array(reasoningText).meta({ description: 'The thought itself.' }),
  encrypted_content: z.string().exactOptional().meta({
    description: 'Where `include` asked for it: the thought, to be sent back with the conversation.',
  }),
  status,
});

/** An item that a model generates. */
export const outputItem = z
  .discriminatedUnion('type', [outputMessage, functionCall, customToolCall, toolSearchCall, reasoning])
  .register(components, { id: 'ResponseOutputItem' });

/** Any item of a conversation. */
export const item = z
  .discriminatedUnion('type', [
    message,
    functionCall,
    functionCallOutput,
    customToolCall,
    customToolCallOutput,
    toolSearchCall,
    toolSearchOutput,
    additionalTools,
    compaction,
    reasoning,
  ])
  .register(components, { id: 'ResponseItem' });

export type ItemStatus = z.output<typeof status>;
export type OutputToken = z.output<typeof outputToken>;
export type OutputMessage = z.output<typeof outputMessage>;
export type InputImage = z.output<typeof inputImage>;
export type Message = z.output<typeof message>;
export type FunctionCall = z.output<typeof functionCall>;
export type FunctionCallOutput = z.output<typeof functionCallOutput>;
export type CustomToolCall = z.output<typeof customToolCall>;
export type CustomToolCallOutput = z.output<typeof customToolCallOutput>;
export type ToolSearchCall = z.output<typeof toolSearchCall>;
export type ToolSearchOutput = z.output<typeof toolSearchOutput>;
export type Compaction = z.output<typeof compaction>;
export type Reasoning = z.output<typeof reasoning>;
export type OutputItem = z.output<typeof outputItem>;
export type Item = z.output<typeof item>;
