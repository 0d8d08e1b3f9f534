import { z } from 'zod';
import { namedUnionBy } from '../openapi/json-schema.ts';
import { textGrammarFields, toTextFunction } from '../parameters/tools/custom-tools.ts';
import { functionFields, maxTools } from '../parameters/tools/function-fields.ts';
import { isOffered, kindOrIgnored } from '../parameters/ignored-kinds.ts';
import { cacheMark, list, wireName } from '../parameters/schema-parts.ts';
import type { OfferedFunction, ToolChoice, ToolPaths } from '../parameters/tools/tool-use.ts';

const customTool = z.object({
  type: z.literal('custom'),
  custom: z.object({
    name: wireName,
    description: z.string().nullish(),
    format: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('text') }),
        z.object({ type: z.literal('grammar'), grammar: z.object(textGrammarFields) }),
      ])
      .nullish(),
  }),
});

const tool = namedUnionBy('ChatTool', 'type', [
  z.object({ type: z.literal('function'), function: z.object(functionFields), ...cacheMark }),
  customTool,
]);

const named = z.object({ name: wireName });
const namedTool = z.discriminatedUnion('type', [
  z.object({ type: z.literal('function'), function: named }),
  z.object({ type: z.literal('custom'), custom: named }),
]);

/** The choice of one tool, or of several. */
const chosenTools = z.discriminatedUnion('type', [
  ...namedTool.options,
  z.object({
    type: z.literal('allowed_tools'),
    allowed_tools: z.object({
      mode: z.enum(['auto', 'required']),
      tools: list(namedTool, { min: 1, max: maxTools }),
    }),
  }),
]);

export const tools = list(kindOrIgnored(['function', 'custom'], tool), { max: maxTools });

// The objects come first: an error about a wrong object is taken from the first branch that it could be meant for.
export const toolChoice = z.union([chosenTools, z.enum(['none', 'auto', 'required'])]);

type NamedTool = z.output<typeof namedTool>;

/** The tools that the model sees, and their paths in the request. */
export function toOfferedTools(given: z.output<typeof tools>) {
  const functions: OfferedFunction[] = [];
  const paths: PropertyKey[][] = [];
  for (const [index, item] of given.entries()) {
    if (!isOffered(item)) continue;
    functions.push(item.type === 'function' ? item.function : toCustomFunction(item.custom));
    paths.push(['tools', index, item.type]);
  }
  return { functions, paths };
}

function toCustomFunction({ format, ...rest }: z.output<typeof customTool>['custom']): OfferedFunction {
  return toTextFunction({ ...rest, grammar: format?.type === 'grammar' ? format.grammar : undefined });
}

/** The names of the tools that take free text. Their calls are written differently. */
export function customToolNames(given: z.output<typeof tools> = []): ReadonlySet<string> {
  return new Set(given.flatMap((item) => (item.type === 'custom' ? [item.custom.name] : [])));
}

export function toToolChoice(choice: z.output<typeof toolChoice>): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (choice.type !== 'allowed_tools') return { kind: 'function', name: nameOf(choice) };
  const { mode, tools: chosen } = choice.allowed_tools;
  return { kind: 'allowed', names: chosen.map(nameOf), required: mode === 'required' };
}

const nameOf = (choice: NamedTool) =>
  choice.type === 'function' ? choice.function.name : choice.custom.name;

/** Where errors place the tools at `paths` and the choice among them. */
export function toolPathsOf(
  paths: readonly (readonly PropertyKey[])[],
  choice: z.output<typeof toolChoice>,
): ToolPaths {
  const chosen = typeof choice === 'string' ? undefined : choice;
  return {
    function: (index) => paths[index] ?? [],
    parameters: 'parameters',
    chosenName: ['tool_choice', chosen?.type ?? 'function', 'name'],
    allowedName: (index) => {
      const type = chosen?.type === 'allowed_tools' ? chosen.allowed_tools.tools[index]?.type : undefined;
      return ['tool_choice', 'allowed_tools', 'tools', index, type ?? 'function', 'name'];
    },
  };
}
