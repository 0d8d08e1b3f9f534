import type { JsonObject, JsonValue } from '../../types.ts';
import { definitionsOf, isJsonObject, itemKey } from './call-arguments.ts';

export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

export const allTypes: readonly JsonType[] = ['string', 'number', 'boolean', 'null', 'array', 'object'];
const deepestReference = 16;

/** The types that a tool's schema allows for its arguments. They tell what an argument without quotes means. */
export class ArgumentTypes {
  readonly #root: JsonObject;
  /**
   * The types found for arguments and for references. Schemas may refer to themselves and must not be read endlessly.
   */
  readonly #ofArguments = new Map<string, ReadonlySet<JsonType>>();
  readonly #ofReferences = new Map<string, ReadonlySet<JsonType>>();

  constructor(parameters: JsonObject | undefined) {
    this.#root = parameters ?? {};
  }

  /** Whether the argument `key` can be nothing but a string. */
  isText(key: string): boolean {
    const types = this.typesOf(key);
    return types.size === 1 && types.has('string');
  }

  /**
   * The JSON of the argument `key` whose value was written as `text`, without quotes. Where the schema allows a string
   * it is one, unless it is also JSON of another allowed type. Python's True, False and None count as JSON.
   */
  toJson(key: string, text: string): string {
    const types = this.typesOf(key);
    const trimmed = text.trim();
    const value = parseLoosely(trimmed);
    if (value === undefined || typeof value === 'string') {
      const quoted = typeof value === 'string' && !types.has('string');
      return JSON.stringify(quoted ? value : text);
    }
    if (!types.has(typeOf(value)))
      return types.has('string') ? JSON.stringify(text) : asWritten(trimmed, value);
    // Where both a string and a number are allowed, digits are more often meant as a string.
    const ambiguous = types.has('string') && types.size < allTypes.length && typeof value === 'number';
    return ambiguous ? JSON.stringify(text) : asWritten(trimmed, value);
  }

  /** The types that the schema allows for the argument `key`; every type where it says nothing. */
  typesOf(key: string): ReadonlySet<JsonType> {
    const known = this.#ofArguments.get(key) ?? this.#readArgument(key);
    this.#ofArguments.set(key, known);
    return known;
  }

  /** Whether the schema names the argument `key`. */
  declares(key: string): boolean {
    return this.#schemaOf(key) !== undefined;
  }

  /** The types in the argument `key`: of its members, or of its items, which have the name `item`. */
  inside(key: string): ArgumentTypes {
    const named = this.#schemaOf(key);
    const reference = isJsonObject(named) ? named['$ref'] : undefined;
    const schema = typeof reference === 'string' ? this.#resolve(reference) : named;
    if (!isJsonObject(schema)) return new ArgumentTypes(undefined);
    const { items } = schema;
    return new ArgumentTypes({
      ...schema,
      ...(items !== undefined && { properties: { [itemKey]: items } }),
      ...definitionsOf(this.#root),
    });
  }

  #schemaOf(key: string): JsonValue | undefined {
    const properties = this.#root['properties'];
    return isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  }

  #readArgument(key: string): ReadonlySet<JsonType> {
    return this.#allowed(this.#schemaOf(key) ?? this.#root['additionalProperties'], 0);
  }

  #allowed(schema: JsonValue | undefined, depth: number): Set<JsonType> {
    if (!isJsonObject(schema) || depth > deepestReference) return new Set(allTypes);
    let types = new Set(allTypes);
    const narrow = (allowed: Iterable<JsonType>) => {
      const kept = new Set(allowed);
      types = new Set([...types].filter((type) => kept.has(type)));
    };
    const { type, enum: values, $ref: reference, allOf } = schema;
    if ('const' in schema) narrow([typeOf(schema['const'] ?? null)]);
    if (isList(values)) narrow(values.map(typeOf));
    if (typeof type === 'string' || isList(type)) narrow((isList(type) ? type : [type]).flatMap(typesNamed));
    if (typeof reference === 'string') narrow(this.#referred(reference, depth));
    if (isList(allOf)) for (const part of allOf) narrow(this.#allowed(part, depth + 1));
    for (const union of [schema['anyOf'], schema['oneOf']])
      if (isList(union)) narrow(union.flatMap((part) => [...this.#allowed(part, depth + 1)]));
    return types;
  }

  #referred(reference: string, depth: number): ReadonlySet<JsonType> {
    const known = this.#ofReferences.get(reference);
    if (known !== undefined) return known;
    // A schema that refers to itself excludes no type by that.
    this.#ofReferences.set(reference, new Set(allTypes));
    const types = this.#allowed(this.#resolve(reference), depth + 1);
    this.#ofReferences.set(reference, types);
    return types;
  }

  #resolve(reference: string): JsonValue | undefined {
    if (!reference.startsWith('#')) return undefined;
    let value: JsonValue | undefined = this.#root;
    for (const step of reference.split('/').slice(1)) {
      const key = decodeURIComponentSafely(step).replaceAll('~1', '/').replaceAll('~0', '~');
      value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
    return value;
  }
}

/** The value of JSON or of one of Python's words; undefined for other text. */
function parseLoosely(text: string): JsonValue | undefined {
  if (text === 'True') return true;
  if (text === 'False') return false;
  if (text === 'None') return null;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The JSON of `value`, which was written as `text`. Numbers keep the digits with which they were written. */
const asWritten = (text: string, value: JsonValue) =>
  typeof value === 'boolean' || value === null ? String(value) : text;

export function typeOf(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

function typesNamed(name: JsonValue): JsonType[] {
  if (name === 'integer') return ['number'];
  return allTypes.filter((type) => type === name);
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
