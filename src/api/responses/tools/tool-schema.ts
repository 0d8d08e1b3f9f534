import { z } from 'zod';
import { components } from '../../openapi/json-schema.ts';
import { textGrammarFields } from '../../parameters/tools/custom-tools.ts';
import { functionFields, maxTools } from '../../parameters/tools/function-fields.ts';
import { toolOrIgnored } from '../../parameters/tools/ignored-tools.ts';
import type { IgnoredTool } from '../../parameters/tools/ignored-tools.ts';
import { jsonSchemaObject, list, wireName } from '../../parameters/schema-parts.ts';

const functionTool = z.object({ type: z.literal('function'), ...functionFields });

const customTool = z.object({
  type: z.literal('custom'),
  name: wireName,
  description: z.string().nullish(),
  format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('grammar'), ...textGrammarFields }),
    ])
    .nullish(),
});

const callable = z.discriminatedUnion('type', [functionTool, customTool]);

/** Functions with a common name and description: those of one tool server, for example. */
const namespaceTool = z.object({
  type: z.literal('namespace'),
  name: wireName,
  description: z.string().nullish(),
  tools: list(toolOrIgnored(['function', 'custom'], callable), { max: maxTools }),
});

/** A search for tools by the client, which then offers what it found. */
const toolSearch = z.object({
  type: z.literal('tool_search'),
  execution: z.enum(['client', 'server']).nullish(),
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
});

const tool = z
  .discriminatedUnion('type', [functionTool, customTool, namespaceTool, toolSearch])
  // Without a search by this server, tools that it would have searched are offered all at once.
  .transform((given) =>
    given.type === 'tool_search' && given.execution !== 'client'
      ? ({ type: 'ignored', kind: given.type } satisfies IgnoredTool)
      : given,
  )
  .register(components, { id: 'ResponseToolParameter' });

export const tools = list(toolOrIgnored(['function', 'custom', 'namespace', 'tool_search'], tool), {
  max: maxTools,
});

const named = { name: wireName };
const namedTools = [
  z.object({ type: z.literal('function'), ...named }),
  z.object({ type: z.literal('custom'), ...named }),
] as const;

const allowedTool = z.discriminatedUnion('type', [
  ...namedTools,
  z.object({ type: z.literal('namespace'), ...named }),
]);

const allowedTools = z.object({
  type: z.literal('allowed_tools'),
  mode: z.enum(['none', 'auto', 'required']).default('auto'),
  tools: list(toolOrIgnored(['function', 'custom', 'namespace'], allowedTool), { min: 1, max: maxTools }),
});

// The objects come first: an error about a wrong object is taken from the first branch that it could be meant for.
export const toolChoice = z.union([
  z.discriminatedUnion('type', [...namedTools, allowedTools]),
  z.enum(['none', 'auto', 'required']),
]);

export type ToolParameter = z.output<typeof tools>[number];
export type CallableParameter = z.output<typeof namespaceTool>['tools'][number];
export type ToolChoiceParameter = z.output<typeof toolChoice>;
