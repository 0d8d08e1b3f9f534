import { AppError } from '../errors/errors.ts';
import { joinPath } from './budget/refusal.ts';
import type { CompiledSchema } from './gbnf.ts';
import { isArray, isObject, type Json } from './schema/json-value.ts';

/** How many keywords are left out one by one, before all of them are. */
const mostLeftOut = 20;

export interface LooselyCompiled extends CompiledSchema {
  /** The schema without the parts that could not be enforced. */
  readonly schema: Json;
}

/**
 * The result of `compile` for `schema` without the keywords that it refuses, whose paths are among the ignored ones.
 * Where that is too much work, or one cannot be found, all of the schema is left out, and '' is among them.
 */
export function compileLoosely(compile: (schema: Json) => CompiledSchema, schema: Json): LooselyCompiled {
  const leftOut = new Set<string>();
  for (let left: Json | undefined = schema; left !== undefined;) {
    try {
      const compiled = compile(left);
      return { ...compiled, schema: left, ignored: [...new Set([...leftOut, ...compiled.ignored])] };
    } catch (error) {
      const isRefusal = error instanceof AppError && error.code === 'invalid_json_schema';
      if (!isRefusal && !(error instanceof AppError && error.code === 'schema_too_complex')) throw error;
      const path = isRefusal && leftOut.size < mostLeftOut ? (error.param ?? '') : '';
      left = path === '' ? undefined : without(left, path, '');
      leftOut.add(left === undefined ? '' : path);
    }
  }
  return { ...compile({}), schema: {}, ignored: [''] };
}

/** `value`, which is at `path`, without the part at `unwanted`; undefined where there is none. */
function without(value: Json, unwanted: string, path: string): Json | undefined {
  const entries: [string | number, Json][] = isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, part] of entries) {
    const inner = joinPath(path, step);
    // An entry of a list is no keyword: an item is replaced by the schema that allows anything.
    const rest =
      inner === unwanted ? null : unwanted.startsWith(inner) ? without(part, unwanted, inner) : undefined;
    if (rest === undefined) continue;
    if (isArray(value)) return value.with(Number(step), rest ?? {});
    const kept = rest === null ? entries.filter(([name]) => name !== step) : entries;
    return Object.fromEntries(kept.map(([name, member]) => [name, name === step ? (rest ?? {}) : member]));
  }
  return undefined;
}
