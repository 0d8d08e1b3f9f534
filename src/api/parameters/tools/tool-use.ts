import type { JsonObject, TextGrammar, ToolDefinition, ToolUse } from '../../../engine/types.ts';
import { invalidValue, type AppError } from '../../../errors/errors.ts';
import { invalid } from '../../request/validate.ts';

export interface OfferedFunction {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: JsonObject | null | undefined;
  readonly strict?: boolean | null | undefined;
  /** The form of its only argument, where it stands for a tool that takes free text. */
  readonly inputGrammar?: TextGrammar | undefined;
  /** Where it is in the request. */
  readonly path: readonly PropertyKey[];
}

export interface ChosenFunction {
  readonly name: string;
  readonly path: readonly PropertyKey[];
}

export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { readonly kind: 'function'; readonly chosen: ChosenFunction }
  | { readonly kind: 'allowed'; readonly chosen: readonly ChosenFunction[]; readonly required: boolean };

/** The functions of a request, in its order, by which errors name them; undefined if the model shall see none. */
export function toToolUse(
  offered: readonly OfferedFunction[],
  choice: ToolChoice,
  parallel: boolean,
  parameters = 'parameters',
): ToolUse | undefined {
  const names = collectNames(offered);
  if (offered.length === 0) {
    if (choice === 'none' || choice === 'auto') return undefined;
    throw invalidValue('tool_choice', "'tool_choice' needs 'tools'. Send both, or leave both out.");
  }
  const definitions = offered.map((tool) => toDefinition(tool, [...tool.path, parameters]));
  // The model sees them all the same: without them, nothing behind them in the prompt would be found in the cache.
  if (choice === 'none') return { definitions, allowed: [], required: false, parallel };
  if (typeof choice === 'string') return { definitions, required: choice === 'required', parallel };
  for (const { name, path } of [choice.chosen].flat()) if (!names.has(name)) throw notOffered(path);
  // Exactly one call of this function.
  if (choice.kind === 'function')
    return { definitions, allowed: [choice.chosen.name], required: true, parallel: false };
  const allowed = [...new Set(choice.chosen.map(({ name }) => name))];
  return { definitions, allowed, required: choice.required, parallel };
}

function collectNames(offered: readonly OfferedFunction[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name, path } of offered) {
    if (names.has(name))
      throw invalid([...path, 'name'], 'is the name of an earlier tool: each needs its own');
    names.add(name);
  }
  return names;
}

function toDefinition(tool: OfferedFunction, parametersPath: readonly PropertyKey[]): ToolDefinition {
  const { name, description, parameters, strict, inputGrammar } = tool;
  return {
    name,
    ...(description && { description: description.toWellFormed() }),
    ...(parameters && { parameters: toArgumentsSchema(parameters, parametersPath) }),
    ...(strict === true && { strict }),
    ...(inputGrammar && { inputGrammar }),
  };
}

/** The error for a choice of a tool that is not among those of the request. */
export function notOffered(path: readonly PropertyKey[]): AppError {
  return invalid(path, "must be the name of one of 'tools'");
}

/** `schema`, narrowed to objects, which arguments always are. Throws invalid_json_schema if it allows none. */
function toArgumentsSchema(schema: JsonObject, path: readonly PropertyKey[]): JsonObject {
  const { type } = schema;
  if (type === 'object') return schema;
  const allowsObjects = type === undefined || (Array.isArray(type) && type.includes('object'));
  // All keywords of a schema apply together, so `type` excludes other values than objects and changes nothing else.
  if (allowsObjects) return { ...schema, type: 'object' };
  throw invalid([...path, 'type'], 'must be "object": arguments are named', 'invalid_json_schema');
}
