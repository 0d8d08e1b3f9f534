import { z } from 'zod';
import { namedUnionBy } from '../openapi/json-schema.ts';
import { textGrammarFields, toTextFunction } from '../parameters/tools/custom-tools.ts';
import { functionFields, maxTools } from '../parameters/tools/function-fields.ts';
import { isOffered, kindOrIgnored } from '../parameters/ignored-kinds.ts';
import { cacheMark, list, wireName } from '../parameters/schema-parts.ts';
import type { ChosenFunction, OfferedFunction, ToolChoice } from '../parameters/tools/tool-use.ts';

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

export function toOfferedTools(given: z.output<typeof tools>): readonly OfferedFunction[] {
  return given.flatMap((item, index) => {
    if (!isOffered(item)) return [];
    const path = ['tools', index, item.type];
    if (item.type === 'function') return [{ ...item.function, path }];
    const { format, ...rest } = item.custom;
    return [
      toTextFunction({ ...rest, path, grammar: format?.type === 'grammar' ? format.grammar : undefined }),
    ];
  });
}

/** The names of the tools that take free text. Their calls are written differently. */
export function customToolNames(given: z.output<typeof tools> = []): ReadonlySet<string> {
  return new Set(given.flatMap((item) => (item.type === 'custom' ? [item.custom.name] : [])));
}

export function toToolChoice(choice: z.output<typeof toolChoice>): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (choice.type !== 'allowed_tools') return { kind: 'function', chosen: toChosen(choice, ['tool_choice']) };
  const { mode, tools: allowed } = choice.allowed_tools;
  const chosen = allowed.map((one, index) => toChosen(one, ['tool_choice', 'allowed_tools', 'tools', index]));
  return { kind: 'allowed', chosen, required: mode === 'required' };
}

function toChosen(choice: z.output<typeof namedTool>, path: readonly PropertyKey[]): ChosenFunction {
  const { name } = choice.type === 'function' ? choice.function : choice.custom;
  return { name, path: [...path, choice.type, 'name'] };
}
