import { AppError } from '../../../../errors/errors.ts';
import { compileLoosely, type LooselyCompiled } from '../../../../grammar/compile-loosely.ts';
import type { CompileOptions } from '../../../../grammar/compile-schema.ts';
import type { CompiledSchema } from '../../../../grammar/gbnf.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { definitionsOf, isJsonArray, isJsonObject } from '../call-arguments.ts';

export type SchemaCompiler = (schema: unknown, options: Omit<CompileOptions, 'work'>) => CompiledSchema;
export type Part = Pick<CompileOptions, 'prefix' | 'at' | 'types' | 'raw' | 'mark'>;

/** The schema of a tool's arguments. Where it is not strict, what cannot be enforced is left out and among `ignored`. */
export class ToolSchema {
  readonly strict: boolean;
  readonly #compile: SchemaCompiler;
  /** Of each schema, whether its parts can be compiled without the rest of it. */
  readonly #isApart = new Map<JsonObject, boolean>();

  constructor(compile: SchemaCompiler, strict: boolean) {
    this.#compile = compile;
    this.strict = strict;
  }

  /** The rules for the arguments as one JSON object, and the schema that they follow. */
  compileWhole(schema: JsonObject, prefix: string): LooselyCompiled {
    return this.#held(schema, { prefix, types: ['object'] });
  }

  /** The rules for a part of `schema`; without `at`, for anything. */
  compilePart(schema: JsonObject, part: Part): CompiledSchema {
    const { at } = part;
    if (at === undefined) return this.#compile({}, part);
    const isApart = this.#isApart.get(schema) ?? refersToDefinitions(schema);
    this.#isApart.set(schema, isApart);
    return this.#held(isApart ? { ...onlyAt(schema, at), ...definitionsOf(schema) } : schema, part);
  }

  /** Throws where a strict tool asks for what arguments written one by one cannot be held to. */
  checkBeyond([keyword]: readonly string[]): void {
    if (!this.strict || keyword === undefined) return;
    throw new AppError(
      'invalid_json_schema',
      `The keyword '${keyword}' cannot be honoured: this model writes arguments one by one, not as one object.`,
      { param: keyword },
    );
  }

  #held(schema: JsonObject, part: Part): LooselyCompiled {
    const { strict } = this;
    if (strict) return { ...this.#compile(schema, { ...part, strict }), schema };
    return compileLoosely((left) => this.#compile(left, { ...part, strict }), schema);
  }
}

/** Whether all references in `schema` point into its definitions. */
function refersToDefinitions(schema: JsonObject): boolean {
  const waiting: JsonValue[] = [schema];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonArray(value)) {
      for (const item of value) waiting.push(item);
      continue;
    }
    for (const [key, part] of Object.entries(value)) {
      const isReference = /^\$(?:ref|id|anchor|dynamic|recursive)/.test(key);
      if (isReference && !(typeof part === 'string' && /^#\/(?:\$defs|definitions)\//.test(part)))
        return false;
      waiting.push(part);
    }
  }
  return true;
}

/** `value` with nothing but what is on the way along `steps` and at its end. */
function onlyAt(value: JsonValue | undefined, [step, ...steps]: readonly (string | number)[]): JsonObject {
  const part = isJsonObject(value) && Object.hasOwn(value, String(step)) ? value[String(step)] : undefined;
  if (step === undefined || part === undefined) return {};
  return Object.fromEntries([[step, steps.length === 0 ? part : onlyAt(part, steps)]]);
}
