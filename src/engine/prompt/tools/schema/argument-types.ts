import {
  fitsSchema,
  jsonTypes,
  typeOfJson,
  valueOfReference,
  type JsonType,
} from '../../../../grammar/fits-schema.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { fromPython, isJsonArray, isJsonObject, itemKey, listOf } from './call-arguments.ts';
import { definitionsOf, flatParameters } from './flat-parameters.ts';

const deepestReference = 16;

/** Values of a schema: some types, and `text` where a string may be any that other keywords allow, not a named one. */
type Allowed = JsonType | 'text';
const everything: ReadonlySet<Allowed> = new Set<Allowed>([...jsonTypes, 'text']);

/** The types that a tool's schema allows for its arguments. They tell the type of an argument without quotes. */
export class ArgumentTypes {
  readonly #schema: JsonObject;
  /** Where references point into. */
  readonly #root: JsonObject;
  /** The types that were found. Schemas may refer to themselves and must not be read endlessly. */
  readonly #found = new Map<JsonObject, ReadonlySet<Allowed>>();

  constructor(parameters: JsonObject = {}, root = parameters) {
    this.#schema = flatParameters(parameters, root).schema;
    this.#root = root;
  }

  /** Whether the argument `key` can be nothing but a string. */
  isText(key: string): boolean {
    const types = this.typesOf(key);
    return types.size === 1 && types.has('string');
  }

  /**
   * The JSON of the argument `key` whose value was written as `text`, without quotes. Where the schema allows a string
   * it is one, unless it is also JSON of another allowed type. Python's True, False and None count as JSON. Numbers keep
   * the digits with which they were written.
   */
  toJson(key: string, text: string): string {
    const types = this.typesOf(key);
    const trimmed = fromPython(text.trim());
    const value = parsed(trimmed);
    if (value === undefined || typeof value === 'string') {
      const quoted = typeof value === 'string' && !types.has('string');
      return JSON.stringify(quoted ? value : text);
    }
    // Where both any string and a number are allowed, digits are more often meant as a string.
    const isMeant = typeof value !== 'number' || !this.takesAnyText(key) || types.size === jsonTypes.length;
    const isValue =
      types.has(typeOfJson(value)) && isMeant && (this.#fits(key, value) || !this.#fits(key, text));
    return isValue || !types.has('string') ? trimmed : JSON.stringify(text);
  }

  /** Whether the schema allows the argument `key` this value, as far as can be told in a short time. */
  #fits(key: string, value: JsonValue): boolean {
    const schema = this.#schemaOf(key) ?? this.#schema['additionalProperties'];
    return !isJsonObject(schema) || fitsSchema({ ...definitionsOf(this.#root), ...schema }, value) !== false;
  }

  /** The types that the schema allows for the argument `key`; every type where it says nothing. */
  typesOf(key: string): ReadonlySet<JsonType> {
    const allowed = this.#argument(key);
    return new Set(jsonTypes.filter((type) => allowed.has(type)));
  }

  /** Whether the argument `key` may be a string that the schema does not name. */
  takesAnyText(key: string): boolean {
    return this.#argument(key).has('text');
  }

  /** The names of arguments that may hold the end of a name in a model's syntax, the longest first. */
  get oddNames(): readonly string[] {
    const { properties } = this.#schema;
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    return names.filter((name) => /[^\w.$-]/.test(name)).sort((a, b) => b.length - a.length);
  }

  /** Whether the schema names the argument `key`. */
  declares(key: string): boolean {
    return this.#schemaOf(key) !== undefined;
  }

  /** The types in the argument `key`: of its members, or of its items, which have the name `item`. */
  inside(key: string): ArgumentTypes {
    const declared = this.#schemaOf(key);
    const reference = isJsonObject(declared) ? declared['$ref'] : undefined;
    const schema = typeof reference === 'string' ? valueOfReference(this.#root, reference) : declared;
    if (!isJsonObject(schema)) return new ArgumentTypes();
    const { items } = schema;
    const named = items === undefined ? schema : { ...schema, properties: { [itemKey]: items } };
    return new ArgumentTypes(named, this.#root);
  }

  #schemaOf(key: string): JsonValue | undefined {
    const { properties } = this.#schema;
    return isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  }

  #argument(key: string): ReadonlySet<Allowed> {
    const types = this.#allowed(this.#schemaOf(key) ?? this.#schema['additionalProperties'], 0);
    // Where the schema allows nothing, as an empty enum does, the model writes any value.
    return types.size === 0 ? everything : types;
  }

  #allowed(schema: JsonValue | undefined, depth: number): ReadonlySet<Allowed> {
    if (!isJsonObject(schema) || depth > deepestReference) return everything;
    const known = this.#found.get(schema);
    if (known !== undefined) return known;
    // A schema that refers to itself excludes no type by that.
    this.#found.set(schema, everything);
    let types = new Set(everything);
    const narrow = (allowed: Iterable<Allowed>) => {
      const kept = new Set(allowed);
      types = new Set([...types].filter((type) => kept.has(type)));
    };
    const { type, enum: values, $ref: reference, allOf, nullable } = schema;
    if ('const' in schema) narrow([typeOfJson(schema['const'] ?? null)]);
    if (isJsonArray(values)) narrow(values.map(typeOfJson));
    if (typeof type === 'string' || isJsonArray(type))
      narrow(
        [...(isJsonArray(type) ? type : [type]), ...(nullable === true ? ['null'] : [])].flatMap((name) => [
          ...typesNamed(name),
        ]),
      );
    if ('format' in schema || 'pattern' in schema) types.delete('text');
    if (typeof reference === 'string')
      narrow(this.#allowed(valueOfReference(this.#root, reference), depth + 1));
    for (const part of listOf(allOf)) narrow(this.#allowed(part, depth + 1));
    for (const union of [schema['anyOf'], schema['oneOf']])
      if (isJsonArray(union)) narrow(union.flatMap((part) => [...this.#allowed(part, depth + 1)]));
    this.#found.set(schema, types);
    return types;
  }
}

/** The value of JSON; undefined for other text. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function typesNamed(name: JsonValue): Iterable<Allowed> {
  if (name === 'integer') return ['number'];
  if (name === 'string') return ['string', 'text'];
  const named = jsonTypes.filter((type) => type === name);
  // A name that is no type, such as `any`, says nothing.
  return named.length === 0 ? everything : named;
}
