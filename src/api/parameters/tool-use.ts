import type { JsonObject, ToolDefinition, ToolUse } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import { toArgumentsSchema } from './arguments-schema.ts';
import { formatPath } from '../../format-path.ts';

/** A function that a request offers. */
export interface OfferedFunction {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: JsonObject | null | undefined;
}

export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'allowed'; readonly names: readonly string[]; readonly required: boolean };

/** Where an endpoint has the parts that can be wrong. */
export interface ToolPaths {
  function(index: number): readonly PropertyKey[];
  readonly chosenName: readonly PropertyKey[];
  allowedName(index: number): readonly PropertyKey[];
}

/**
 * The functions of a request and how they may be used; undefined where the model is to see none.
 * Their order is that of the request, which errors of the engine count on.
 */
export function toToolUse(
  offered: readonly OfferedFunction[],
  choice: ToolChoice,
  parallel: boolean,
  paths: ToolPaths,
): ToolUse | undefined {
  const names = collectNames(offered, paths);
  if (offered.length === 0) {
    if (choice === 'none' || choice === 'auto') return undefined;
    throw new AppError('invalid_value', "'tool_choice' needs 'tools'. Send both, or leave both out.", {
      param: 'tool_choice',
    });
  }
  if (choice === 'none') return undefined;
  const definitions = offered.map((tool, index) => toDefinition(tool, paths.function(index)));
  if (typeof choice === 'string') return { definitions, required: choice === 'required', parallel };
  if (choice.kind === 'function') {
    if (!names.has(choice.name)) throw notOffered(paths.chosenName);
    // That call, and only that.
    return { definitions, allowed: [choice.name], required: true, parallel: false };
  }
  for (const [index, name] of choice.names.entries())
    if (!names.has(name)) throw notOffered(paths.allowedName(index));
  return { definitions, allowed: [...new Set(choice.names)], required: choice.required, parallel };
}

function collectNames(offered: readonly OfferedFunction[], paths: ToolPaths): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, { name }] of offered.entries()) {
    if (names.has(name)) {
      const param = formatPath([...paths.function(index), 'name']);
      throw new AppError('invalid_value', `'${param}' is the name of an earlier tool: each needs its own.`, {
        param,
      });
    }
    names.add(name);
  }
  return names;
}

function toDefinition(tool: OfferedFunction, path: readonly PropertyKey[]): ToolDefinition {
  const { name, description, parameters } = tool;
  return {
    name,
    ...(description && { description: description.toWellFormed() }),
    ...(parameters && { parameters: toArgumentsSchema(parameters, [...path, 'parameters']) }),
  };
}

function notOffered(path: readonly PropertyKey[]): AppError {
  const param = formatPath(path);
  return new AppError('invalid_value', `'${param}' must be the name of one of 'tools'.`, { param });
}
