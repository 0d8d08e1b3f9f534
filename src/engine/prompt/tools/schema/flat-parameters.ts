import { constraintBeyond } from '../../../../grammar/compile-schema.ts';
import { valueOfReference } from '../../../../grammar/fits-schema.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { isJsonObject, listOf } from './call-arguments.ts';

/** The keywords that constrain objects and are honoured where arguments are not written as one JSON object. */
const understood = new Set(['type', 'properties', 'required', 'additionalProperties', 'nullable']);
const composing = ['$ref', 'allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'];
const included = new Set([...understood, '$ref', 'allOf']);
const deepestParts = 16;
/** The most properties and schemas that are looked into: a schema may include others many times over. */
const mostParts = 10_000;

/**
 * `parameters` with one list of properties, its own and those of all schemas that it includes or chooses between:
 * arguments that are written one by one need that. Its references point into `root`. `beyond` has the paths of the
 * keywords that such arguments cannot be held to.
 */
export function flatParameters(parameters: JsonObject, root = parameters) {
  if (!isComposed(parameters)) return { schema: parameters, beyond: keywordsBeyond(parameters) };
  const beyond: string[] = [];
  let left = mostParts;
  /** The properties of `schema` and its parts; `path` is undefined for a schema that need not hold. */
  const gather = (schema: JsonValue | undefined, path: string | undefined, depth: number): Gathered => {
    if (!isJsonObject(schema) || depth > deepestParts || left < 0) return nothing;
    const { properties, required, $ref: reference, allOf, anyOf, oneOf, then, else: otherwise } = schema;
    const named = isJsonObject(properties) ? Object.entries(properties) : [];
    left -= 1 + named.length;
    const at = (step: string) => (path === undefined ? undefined : path === '' ? step : `${path}.${step}`);
    const parts = listOf(allOf).map((part, index) => gather(part, at(`allOf[${index}]`), depth + 1));
    if (typeof reference === 'string')
      parts.push(gather(valueOfReference(root, reference), at('$ref'), depth + 1));
    if (path !== undefined) beyond.push(...keywordsBeyond(schema).map((keyword) => at(keyword) ?? keyword));
    const held = merged(
      [{ properties: new Map(named), required: new Set(listOf(required)) }, ...parts],
      'allOf',
    );
    const choices = [listOf(anyOf), listOf(oneOf), [then, otherwise], [...dependents(schema), {}]].map(
      (choice) =>
        merged(
          choice.map((part) => gather(part, undefined, depth + 1)),
          'anyOf',
        ),
    );
    return {
      properties: new Map([...choices.flatMap((choice) => [...choice.properties]), ...held.properties]),
      required: new Set([held, ...choices].flatMap((part) => [...part.required])),
    };
  };
  const { properties, required } = gather(parameters, '', 0);
  const lists = { properties: Object.fromEntries(properties), required: [...required] };
  return { schema: { ...parameters, ...lists }, beyond };
}

/** Whether `schema` includes others, or chooses between them. */
export const isComposed = (schema: JsonObject): boolean =>
  composing.some((keyword) => Object.hasOwn(schema, keyword));

/** Whether `schema` says nothing but the names and schemas of properties, and which are required. */
export const isPlainObject = (schema: JsonObject): boolean =>
  constraintBeyond(schema, understood) === undefined;

/** The keywords of `schema` that arguments written one by one cannot be held to, save for those of its parts. */
const keywordsBeyond = (schema: JsonObject): string[] =>
  Object.entries(schema)
    .filter(([keyword, value]) => !(keyword === 'unevaluatedProperties' && value === false))
    .map(([keyword]) => keyword)
    .filter((keyword) => constraintBeyond({ [keyword]: true }, included) !== undefined);

interface Gathered {
  readonly properties: ReadonlyMap<string, JsonValue>;
  readonly required: ReadonlySet<JsonValue>;
}

const nothing: Gathered = { properties: new Map(), required: new Set() };

const dependents = ({ dependentSchemas: schemas }: JsonObject) =>
  isJsonObject(schemas) ? Object.values(schemas) : [];

/** The properties of all `parts`, and those that all of them require, or one of them where all have to hold. */
function merged(parts: readonly Gathered[], keyword: 'allOf' | 'anyOf'): Gathered {
  const found = new Map<string, JsonValue[]>();
  for (const { properties } of parts)
    for (const [name, schema] of properties) found.set(name, [...(found.get(name) ?? []), schema]);
  const properties = [...found].map(([name, [first = true, ...others]]): [string, JsonValue] => [
    name,
    others.length === 0 ? first : { [keyword]: [first, ...others] },
  ]);
  const required = parts.flatMap((part) => [...part.required]);
  const always = required.filter(
    (name) => keyword === 'allOf' || parts.every((part) => part.required.has(name)),
  );
  return { properties: new Map(properties), required: new Set(always) };
}

/** The definitions of `schema` that references may point to. */
export const definitionsOf = ({ $defs, definitions }: JsonObject): JsonObject => ({
  ...(isJsonObject($defs) && { $defs }),
  ...(isJsonObject(definitions) && { definitions }),
});
