import { AppError } from '../../../../errors/errors.ts';
import { compileLoosely } from '../../../../grammar/compile-loosely.ts';
import type { CompileOptions } from '../../../../grammar/compile-schema.ts';
import { valueAt } from '../../../../grammar/fits-schema.ts';
import type { CompiledSchema } from '../../../../grammar/gbnf.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { isJsonArray, isJsonObject } from './call-arguments.ts';
import { definitionsOf, flatParameters, isComposed, isPlainObject } from './flat-parameters.ts';
import type { RuleSet } from './rule-set.ts';

export type SchemaCompiler = (schema: unknown, options: Omit<CompileOptions, 'work'>) => CompiledSchema;
export type Part = Pick<CompileOptions, 'at' | 'types' | 'raw' | 'mark'> & { readonly prefix: string };

interface ToolSchemaOptions extends Pick<ToolSchema, 'rules' | 'prefix'> {
  readonly compile: SchemaCompiler;
  readonly strict: boolean;
}

/** The schema of a tool's arguments. Where it is not strict, keywords that cannot be enforced are noted as ignored. */
export class ToolSchema {
  readonly rules: RuleSet;
  readonly prefix: string;
  readonly #schema: JsonObject;
  readonly #options: ToolSchemaOptions;
  #flat: JsonObject | undefined;
  #isApart: boolean | undefined;

  constructor(schema: JsonObject, options: ToolSchemaOptions) {
    this.#schema = schema;
    this.#options = options;
    this.rules = options.rules;
    this.prefix = options.prefix;
  }

  /**
   * Whether the members of JSON may come in any order. Strict tools have one order, as OpenAI's, and so have schemas
   * that say more than names and types of members.
   */
  get takesAnyOrder(): boolean {
    const { properties, additionalProperties = false } = this.#schema;
    return (
      !this.#options.strict &&
      isJsonObject(properties) &&
      additionalProperties === false &&
      isPlainObject(this.#schema)
    );
  }

  /** The name of the rule for the arguments as one JSON object. */
  whole(): string {
    return this.rules.addAll(this.#held(this.#schema, { prefix: this.prefix, types: ['object'] }));
  }

  /**
   * The schema with one list of properties, for arguments that are written one by one. Throws invalid_json_schema where
   * a strict tool asks for more than these can be held to.
   */
  get flat(): JsonObject {
    this.#flat ??= this.#flatten();
    return this.#flat;
  }

  /** The name of the rule for the values of a part of the flat schema; without `at`, for any value. */
  part(part: Part): string {
    const { at, types, raw, mark } = part;
    if (at === undefined) return this.rules.addAll(this.#options.compile({}, part));
    const key = sharedKey(valueAt(this.flat, at), [this.#options.strict, types, raw?.anyText, mark]);
    const known = this.rules.shared.get(key ?? '');
    if (known !== undefined) return known;
    this.#isApart ??= !leadsElsewhere.test(JSON.stringify(this.flat));
    const schema = this.#isApart ? { ...onlyAt(this.flat, at), ...definitionsOf(this.flat) } : this.flat;
    const ignoredBefore = this.rules.ignored.length;
    const rule = this.rules.addAll(this.#held(schema, part));
    if (key !== undefined && this.rules.ignored.length === ignoredBefore) this.rules.shared.set(key, rule);
    return rule;
  }

  #flatten(): JsonObject {
    // Keywords that compose a schema are checked together; the properties of others are checked when they are written.
    const isWhole = this.#options.strict || isComposed(this.#schema);
    const held = this.#held(isWhole ? this.#schema : headOf(this.#schema), { prefix: '', types: ['object'] });
    this.rules.noteIgnored(held.ignored);
    const { schema, beyond } = flatParameters(
      isWhole && isJsonObject(held.schema) ? held.schema : this.#schema,
    );
    const [keyword] = beyond;
    if (this.#options.strict && keyword !== undefined)
      throw new AppError(
        'invalid_json_schema',
        `The keyword '${keyword}' cannot be honoured: this model writes arguments one by one, not as one object.`,
        { param: keyword },
      );
    this.rules.noteIgnored(beyond);
    return schema;
  }

  #held(schema: JsonObject, part: Part) {
    const { compile, strict } = this.#options;
    if (strict) return { ...compile(schema, { ...part, strict }), schema };
    return compileLoosely((left) => compile(left, { ...part, strict }), schema);
  }
}

/** The schema without its keywords about properties. */
function headOf(schema: JsonObject): JsonObject {
  const { properties, additionalProperties: _, required, $defs: _defs, definitions: _more, ...head } = schema;
  return {
    ...head,
    ...(properties !== undefined && !isJsonObject(properties) && { properties }),
    ...(required !== undefined && !isNames(required) && { required }),
  };
}

const isNames = (value: JsonValue) => isJsonArray(value) && value.every((name) => typeof name === 'string');

const reference = /"\$(?:ref|id|anchor|dynamic|recursive)/;
/** A reference in JSON that does not point into the definitions, or something that may be pointed to. */
const leadsElsewhere = /"\$(?:ref|id|anchor|dynamic\w*|recursive\w*)":(?!"#\/(?:\$defs|definitions)\/)/;

/** A text that is the same for schemas that allow the same; undefined where that depends on the schema around it. */
function sharedKey(schema: JsonValue | undefined, how: readonly unknown[]): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { description: _, title: _title, default: _default, ...rest } = schema;
  const text = JSON.stringify([rest, how]);
  return reference.test(text) ? undefined : text;
}

/** `value` with nothing but the parts on the way along `steps` and at its end. */
function onlyAt(value: JsonValue | undefined, [step, ...steps]: readonly (string | number)[]): JsonObject {
  const part = isJsonObject(value) && Object.hasOwn(value, String(step)) ? value[String(step)] : undefined;
  if (step === undefined || part === undefined) return {};
  return Object.fromEntries([[step, steps.length === 0 ? part : onlyAt(part, steps)]]);
}
