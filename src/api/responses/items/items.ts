import { z } from 'zod';
import { namedUnionBy, toJsonSchema } from '../../openapi/json-schema.ts';
import { maxContentParts, maxMessages } from '../../conversation/conversation.ts';
import { anyObject, list, refuse, orElse } from '../../parameters/schema-parts.ts';
import {
  callId,
  calledFunctionFields,
  calledToolName,
  maxArgumentsDepth,
} from '../../parameters/tools/function-fields.ts';
import { toWellFormedJson } from '../../request/json-nesting.ts';
import type { JsonObject } from '../../../engine/types.ts';
import { mcpApprovalRequest, mcpApprovalResponse, mcpCall, mcpListTools } from '../mcp/mcp-items.ts';
import { tools, wireTool } from '../tools/tools.ts';
import { describe, orNull, sidesOf, givenId, id, name, leftOut } from '../two-sides.ts';
import {
  givenContent,
  givenToolOutput,
  messageParts,
  outputText,
  readMessageContent,
  toolOutput,
} from './content.ts';
import { readForeignItem } from './foreign-items.ts';
import { unpackText } from './packed-text.ts';

// Each kind of item is described once, with two sides: as requests may have it, and as responses show it.

export const maxItems = maxMessages;
const shownStatus = z.enum(['in_progress', 'completed', 'incomplete']);
const status = { given: orElse(shownStatus, 'completed'), shown: shownStatus };

const orLeftOut = leftOut(calledToolName);
const namespace = {
  given: orLeftOut,
  shown: z.string().exactOptional().describe('Of the tool, if it has one.'),
};
const idOfCall = {
  given: callId,
  shown: z.string().min(1).describe('To be repeated by the item with its result.'),
};
const ofResult = {
  call_id: { given: callId, shown: z.string().min(1) },
  output: { given: givenToolOutput, shown: toolOutput },
};
const offered = { given: tools, shown: z.array(wireTool) };

const message = describe('message', {
  id: id('msg'),
  status,
  role: {
    given: z.enum(['user', 'assistant', 'system', 'developer']),
    shown: z.enum(['user', 'assistant', 'system', 'developer']),
  },
  content: { given: givenContent, shown: messageParts },
});
// Codex repeats the phase of its messages; without effect.
const phasedMessage = message.given.extend({ phase: z.unknown().optional() });
const givenMessage = phasedMessage.transform(({ content, phase: _phase, ...given }, context) => ({
  ...given,
  content: readMessageContent(content, given.role, context),
}));

const functionCall = describe('function_call', {
  id: id('fc'),
  call_id: idOfCall,
  name,
  namespace,
  arguments: {
    given: calledFunctionFields.arguments,
    shown: z.string().describe('JSON that fits the schema of the function.'),
  },
  status,
});

const functionCallOutput = describe('function_call_output', {
  id: id('fco'),
  ...ofResult,
  name: { given: orLeftOut, shown: z.string().exactOptional() },
  namespace,
  status,
});

const customToolCall = describe('custom_tool_call', {
  id: id('ctc'),
  call_id: idOfCall,
  name,
  namespace,
  input: { given: z.string(), shown: z.string().describe('Text that fits the grammar of the tool.') },
  status,
});

const customToolCallOutput = describe('custom_tool_call_output', { id: id('ctco'), ...ofResult, status });

const ofSearch = {
  // A search by the server has none.
  call_id: { given: callId.nullish().transform(orNull), shown: z.string().min(1).nullable() },
  execution: {
    given: orElse(z.enum(['client', 'server']), 'server'),
    shown: z.enum(['client', 'server']),
  },
};

const toolSearchCall = describe('tool_search_call', {
  id: id('tsc'),
  ...ofSearch,
  arguments: {
    given: anyObject.transform((given, context) => {
      const copy = toWellFormedJson(given, maxArgumentsDepth);
      if (copy !== undefined) return copy as JsonObject;
      return refuse(context, `must be nested at most ${maxArgumentsDepth} levels deep`);
    }),
    shown: anyObject.describe('Arguments that fit the parameters of `tool_search`.'),
  },
  status,
});

const toolSearchOutput = describe('tool_search_output', {
  id: id('tso'),
  ...ofSearch,
  tools: offered,
  status,
});

const additionalTools = describe('additional_tools', {
  id: id('at'),
  role: { given: z.literal('developer'), shown: z.literal('developer') },
  tools: offered,
});

export const compaction = describe('compaction', {
  id: id('cmp'),
  encrypted_content: {
    given: z.string().min(1),
    shown: z
      .string()
      .describe('A summary of the conversation before it, packed and not secret: to be sent back as it is.'),
  },
});

export const summaryText = z.strictObject({ type: z.literal('summary_text'), text: z.string() });
export const reasoningText = z.strictObject({ type: z.literal('reasoning_text'), text: z.string() });

const reasoning = describe('reasoning', {
  id: id('rs'),
  summary: {
    given: orElse(list(summaryText.strip(), { max: maxContentParts }), []),
    shown: z.array(summaryText).describe('The thought itself, where `reasoning.summary` asks for a summary.'),
  },
  content: {
    given: list(reasoningText.strip(), { max: maxContentParts }).nullish(),
    shown: z.array(reasoningText).describe('The thought itself, where nothing asks for a summary.'),
  },
  encrypted_content: {
    given: z.string().nullish(),
    shown: z
      .string()
      .exactOptional()
      .describe('Where `include` asked for it: the thought, to be sent back with the conversation.'),
  },
  status,
});
const ignoredItem = z.object({ type: z.literal('ignored'), kind: z.string() });

/** The thought stands in the item's own text, in its `encrypted_content` or, where another server wrote that, in its summary. */
const givenReasoning = reasoning.given.transform(
  ({ content, encrypted_content: packed = null, status: state, ...given }) => {
    let thought = content ?? [];
    if (thought.length === 0 && packed !== null) {
      const text = unpackText('thought', packed);
      if (text !== undefined) thought = [{ type: 'reasoning_text', text }];
      else if (given.summary.length === 0)
        return { type: 'ignored' as const, kind: 'reasoning.encrypted_content' };
    }
    return { ...given, content: thought, status: state };
  },
);
const givenCompaction = compaction.given.transform((given) =>
  unpackText('summary', given.encrypted_content) === undefined
    ? { type: 'ignored' as const, kind: 'compaction.encrypted_content' }
    : given,
);

const itemReference = z.object({ type: z.literal('item_reference'), id: givenId });

const alike = [
  functionCall,
  functionCallOutput,
  customToolCall,
  customToolCallOutput,
  toolSearchCall,
  toolSearchOutput,
  additionalTools,
  mcpListTools,
  mcpCall,
  mcpApprovalRequest,
  mcpApprovalResponse,
] as const;
const typedItems = sidesOf(alike, 'given');

const itemTypes: readonly string[] = [
  message.given,
  itemReference,
  ...typedItems,
  reasoning.given,
  compaction.given,
].map(({ shape }) => shape.type.value);

/** An item with its type, which a client may leave out. Those of other vendors are read as this server has them. */
const typedItem = z.unknown().transform((given, context) => {
  if (typeof given !== 'object' || given === null) return given;
  const { type, role } = given as Partial<Record<'type' | 'role', unknown>>;
  if (type === undefined || type === null) {
    return { ...given, type: role === undefined ? 'item_reference' : 'message' };
  }
  if (typeof type !== 'string' || itemTypes.includes(type)) return given;
  const foreign = readForeignItem(given as JsonObject, itemTypes);
  if (foreign !== undefined) return foreign;
  const names = itemTypes.map((known) => `"${known}"`).join(' or ');
  return refuse(context, `must be ${names}`, { path: ['type'], code: 'unsupported_value' });
});

const untyped = { type: true } as const;
const inputItem = typedItem
  .pipe(
    z.discriminatedUnion('type', [
      givenMessage,
      itemReference,
      ...typedItems,
      givenReasoning,
      givenCompaction,
      ignoredItem,
    ]),
  )
  .meta(
    toJsonSchema(
      z.union([
        phasedMessage.partial(untyped),
        itemReference.partial(untyped),
        ...typedItems,
        reasoning.given,
        compaction.given,
        z.looseObject({ type: z.string() }).describe('Of hosted tools and other vendors.'),
      ]),
    ),
  );

/** The input of a request as items; a text alone is a message of the user. */
export const input = z
  .union([z.string(), list(inputItem, { min: 1, max: maxItems })])
  .transform((given) =>
    typeof given === 'string'
      ? [givenMessage.parse({ type: 'message', role: 'user', content: given })]
      : given,
  );

const outputMessage = message.shown.extend({ role: z.literal('assistant'), content: z.array(outputText) });

export const outputItem = namedUnionBy('ResponseOutputItem', 'type', [
  outputMessage,
  functionCall.shown,
  customToolCall.shown,
  toolSearchCall.shown,
  reasoning.shown,
  mcpListTools.shown,
  mcpCall.shown,
  mcpApprovalRequest.shown,
]);

export const item = namedUnionBy('ResponseItem', 'type', [
  message.shown,
  ...sidesOf(alike, 'shown'),
  compaction.shown,
  reasoning.shown,
]);

/** A message of a conversation, or a summary in its place. */
export const compactedItem = z.discriminatedUnion('type', [message.shown, compaction.shown]);

export type OutputItem = z.output<typeof outputItem>;
/** An item of a conversation, of a request or kept; only that of a request may have tools that are ignored. */
export type Item = Exclude<z.output<typeof inputItem>, { type: 'item_reference' }>;
/** An item that says something. */
export type KeptItem = Exclude<Item, { type: 'ignored' }>;
export type ItemOf<Type extends Item['type']> = Extract<Item, { type: Type }>;
