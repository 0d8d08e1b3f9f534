import { z } from 'zod';
import { components, namedUnionBy } from '../../openapi/json-schema.ts';
import { textGrammarFields } from '../../parameters/tools/custom-tools.ts';
import { calledToolName, functionFields, maxTools } from '../../parameters/tools/function-fields.ts';
import { isOffered, kindOrIgnored, type IgnoredKind } from '../../parameters/ignored-kinds.ts';
import { anyObject, list, wireName, orElse } from '../../parameters/schema-parts.ts';
import { givenMcpTool, mcpTool } from '../mcp/mcp-items.ts';
import { describe, orNull } from '../two-sides.ts';

const description = { given: z.string().nullish().transform(orNull), shown: z.string().nullable() };
const parameters = { given: functionFields.parameters.transform(orNull), shown: anyObject.nullable() };

// Shown as true where a request leaves it out, as OpenAI does. Misspelt keywords are errors only where it is true.
const functionStrict = { given: functionFields.strict, shown: z.boolean() };

const functionTool = describe('function', {
  name: { given: wireName, shown: z.string() },
  description,
  parameters,
  strict: functionStrict,
});

const text = z.object({ type: z.literal('text') });

const customTool = describe('custom', {
  name: { given: wireName, shown: z.string() },
  description: {
    given: z
      .string()
      .nullish()
      .transform((says) => says || undefined)
      .optional(),
    shown: z.string().exactOptional(),
  },
  format: {
    given: orElse(
      z.discriminatedUnion('type', [text, z.object({ type: z.literal('grammar'), ...textGrammarFields })]),
      { type: 'text' },
    ),
    shown: z.discriminatedUnion('type', [
      text.strict(),
      z.strictObject({
        type: z.literal('grammar'),
        syntax: z.enum(['lark', 'regex']),
        definition: z.string(),
      }),
    ]),
  },
});

const callable = z.discriminatedUnion('type', [functionTool.given, customTool.given]);

/** Functions with a common name and description: those of one tool server, for example. */
const namespaceTool = describe('namespace', {
  name: { given: wireName, shown: z.string() },
  description: { given: orElse(z.string(), ''), shown: z.string() },
  tools: {
    given: list(kindOrIgnored(['function', 'custom'], callable), { max: maxTools }),
    shown: z.array(z.discriminatedUnion('type', [functionTool.shown, customTool.shown])),
  },
});

/** A search for tools by the client, which then offers those that it found. */
const toolSearch = describe('tool_search', {
  execution: { given: z.enum(['client', 'server']).nullish(), shown: z.literal('client') },
  description,
  parameters,
});

const tool = z
  .discriminatedUnion('type', [
    functionTool.given,
    customTool.given,
    namespaceTool.given,
    toolSearch.given,
    givenMcpTool,
  ])
  .transform((given) => {
    if (given.type !== 'tool_search') return given;
    if (given.execution === 'client') return { ...given, execution: given.execution };
    // Without a search by this server, tools that it would have searched are offered all at once.
    return { type: 'ignored', kind: given.type } satisfies IgnoredKind;
  })
  .register(components, { id: 'ResponseToolParameter' });

/** The tools of a request, in the form of `wireTool`, and those that are ignored. */
export const tools = list(kindOrIgnored(['function', 'custom', 'namespace', 'tool_search', 'mcp'], tool), {
  max: maxTools,
});

export const wireTool = namedUnionBy('ResponseTool', 'type', [
  functionTool.shown,
  customTool.shown,
  namespaceTool.shown,
  toolSearch.shown,
  mcpTool.shown,
]);

type WireTool = z.output<typeof wireTool>;
export type Tool = z.output<typeof tools>[number];
export type CallableTool = z.output<typeof callable>;

/** `given` without the ignored ones. */
export function toWireTools(given: readonly Tool[]): WireTool[] {
  const offered = given.filter(isOffered).map((one) => {
    return one.type === 'namespace'
      ? { ...one, tools: one.tools.filter(isOffered).map(withStrict) }
      : withStrict(one);
  });
  // No description is undefined and there, which JSON does not tell from one that is not there.
  return offered as WireTool[];
}

const withStrict = <Given extends { type: string; strict?: boolean | null | undefined }>(
  given: Given,
): Given => (given.type === 'function' ? { ...given, strict: given.strict ?? true } : given);

const named = { name: wireName };
const namedTools = [
  z.object({ type: z.literal('function'), ...named }),
  z.object({ type: z.literal('custom'), ...named }),
] as const;

/** A tool of an MCP server, or without a name all of them. */
const mcpChoice = z
  .object({ type: z.literal('mcp'), server_label: calledToolName, name: calledToolName.nullish() })
  .transform(({ name, ...rest }) => ({ ...rest, ...(name && { name }) }));

const allowedTool = z.discriminatedUnion('type', [
  ...namedTools,
  mcpChoice,
  z.object({ type: z.literal('namespace'), ...named }),
]);

const allowedTools = z.object({
  type: z.literal('allowed_tools'),
  mode: z.enum(['none', 'auto', 'required']).default('auto'),
  tools: list(kindOrIgnored(['function', 'custom', 'namespace', 'mcp'], allowedTool), {
    min: 1,
    max: maxTools,
  }),
});

// The objects come first: an error about a wrong object is taken from the first branch that it could be meant for.
export const toolChoice = z.union([
  z.discriminatedUnion('type', [...namedTools, mcpChoice, allowedTools]),
  z.enum(['none', 'auto', 'required']),
]);

export type ToolChoiceParameter = z.output<typeof toolChoice>;
