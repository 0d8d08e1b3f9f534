import { isArray, isObject, own, type Json, type JsonObject } from '../schema/json-value.ts';
import { listOf, membersOf, namesOf, textOf } from '../schema/keywords.ts';
import { checkKeywords } from '../schema/check-keywords.ts';
import { formatSupersets } from '../language/format-patterns.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';
import { dependenciesOf, type Dependency } from '../schema/subschemas.ts';
import { oppositeOfBounds, oppositeOfCount, oppositeOfType } from './opposites.ts';

export interface Negation {
  /** Every value of one of these schemas is excluded. */
  readonly options: readonly Json[];
  /** True when the options are all ways to be excluded; else there are more, for which there is no schema. */
  readonly complete: boolean;
}

const maxDepth = 8;

/**
 * Schemas of which each excludes every value of `node`. A value that fails one keyword fails the schema, so every
 * keyword adds schemas of its own (De Morgan's law), if there is a schema for its opposite. `names` are properties
 * that an object may have: one that a closed schema does not declare excludes it too.
 */
export function negate(
  document: SchemaDocument,
  node: SchemaNode,
  names: readonly string[],
  depth = 0,
): Negation {
  if (node.never) return all([true]);
  if (node.id < 0) return all([]);
  document.work.spend(10);
  checkKeywords(document, node);
  const place = { document, node, names, depth };
  const failures = together(Object.keys(node.schema).map((keyword) => failuresOf(place, keyword)));
  const options = [...failures.options, ...oppositeOfBounds(node)];
  document.work.spend(5 * options.length);
  const ways = options.filter((option) => !isHopeless(option));
  return { options: ways.sort((a, b) => oddityOf(a) - oddityOf(b)), complete: failures.complete };
}

interface Place {
  readonly document: SchemaDocument;
  readonly node: SchemaNode;
  readonly names: readonly string[];
  readonly depth: number;
}

const all = (options: readonly Json[]): Negation => ({ options, complete: true });
const some = (options: readonly Json[]): Negation => ({ options, complete: false });

const together = (negations: readonly Negation[]): Negation => ({
  options: negations.flatMap(({ options }) => options),
  complete: negations.every(({ complete }) => complete),
});

/** Schemas for the values that fail `keyword`. */
function failuresOf(place: Place, keyword: string): Negation {
  const { document, node, names } = place;
  const value = own(node.schema, keyword) ?? null;
  switch (keyword) {
    case 'type':
      return all(oppositeOfType(node));
    case 'enum':
    case 'const':
      return all([{ not: { [keyword]: value } }]);
    case 'pattern':
      return all([{ type: 'string', not: { pattern: value } }]);
    case 'format':
      return some(
        typeof value === 'string' && formatSupersets.has(value)
          ? [{ type: 'string', not: { format: value } }]
          : [],
      );
    case 'required':
      return all(namesOf(node, keyword).map(without));
    case 'properties':
      return all(
        membersOf(node, keyword).map(([name, schema]) => ({
          type: 'object',
          required: [name],
          properties: { [name]: { not: schema } },
        })),
      );
    case 'additionalProperties':
      return some(value === false ? strangers(document, node, names) : []);
    case 'items':
      // One wrong item would be enough, but only arrays in which all items are wrong can be generated.
      return some(isArray(value) ? [] : [{ type: 'array', minItems: 1, items: { not: value } }]);
    case 'contains':
      return some(
        own(node.schema, 'minContains') === undefined ? [{ type: 'array', items: { not: value } }] : [],
      );
    case 'dependencies':
    case 'dependentRequired':
    case 'dependentSchemas':
      return all(
        dependenciesOf(node)
          .filter((one) => one.keyword === keyword)
          .flatMap(brokenDependency),
      );
    default: {
      const opposite = oppositeOfCount(node, keyword);
      return opposite === undefined ? failuresOfParts(place, keyword, value) : all(opposite);
    }
  }
}

/** The same for keywords that combine schemas. */
function failuresOfParts(place: Place, keyword: string, value: Json): Negation {
  const { document, node, names, depth } = place;
  const deeper = (part: () => SchemaNode): Negation =>
    depth >= maxDepth ? some([]) : negate(document, part(), names, depth + 1);
  switch (keyword) {
    case 'allOf':
      return together(
        (listOf(node, keyword) ?? []).map((schema, index) =>
          deeper(() => document.child(node, schema, keyword, index)),
        ),
      );
    case 'anyOf':
    case 'oneOf': {
      // A value that matches none of the schemas fails both keywords. One that matches several fails oneOf too, but
      // there is no schema for that.
      const none = { allOf: (listOf(node, keyword) ?? []).map((schema) => ({ not: schema })) };
      return keyword === 'oneOf' ? some([none]) : all([none]);
    }
    case 'not':
      return all([value]);
    case '$ref':
    case '$dynamicRef':
    case '$recursiveRef': {
      const ref = textOf(node, keyword) ?? '';
      return deeper(() => document.resolve(node, ref, keyword));
    }
    default:
      return leavesWays.has(keyword) ? some([]) : all([]);
  }
}

const without = (name: string): JsonObject => ({ type: 'object', properties: { [name]: false } });

const brokenDependency = ({ trigger, required = [], schema }: Dependency): readonly Json[] =>
  schema === undefined
    ? required.map((name) => ({ type: 'object', required: [trigger], properties: { [name]: false } }))
    : [{ type: 'object', required: [trigger], not: schema }];

/**
 * How odd documents of `option` are, 0 for the most natural: those that leave a property out or have another one, and
 * not one with a wrong value.
 */
export function oddityOf(option: Json): number {
  if (!isObject(option)) return 0;
  const properties = own(option, 'properties');
  if (own(option, 'type') !== 'object') return 1;
  return isObject(properties) && Object.values(properties).some((schema) => schema !== false) ? 2 : 0;
}

/** Keywords that values can fail in ways for which there is no schema here. */
const leavesWays = new Set(
  (
    'prefixItems additionalItems unevaluatedItems uniqueItems patternProperties propertyNames ' +
    'unevaluatedProperties multipleOf if then else'
  ).split(' '),
);

/** Schemas for objects with a property of `names` that `node`, which allows no further ones, does not declare. */
function strangers(
  document: SchemaDocument,
  node: SchemaNode,
  names: readonly string[],
): readonly JsonObject[] {
  const declared = new Set(membersOf(node, 'properties').map(([name]) => name));
  const patterns = membersOf(node, 'patternProperties').map(([pattern]) => pattern);
  document.work.spend(declared.size + names.length);
  return names
    .filter((name) => !declared.has(name))
    .filter(
      (name) =>
        !patterns.some((pattern) => document.patterns.matches(node, 'patternProperties', pattern, name)),
    )
    .map((name) => ({ type: 'object', required: [name] }));
}

/** Whether no value satisfies the option, as with `{required: ['x'], properties: {x: {not: true}}}`. */
function isHopeless(option: Json): boolean {
  if (option === false) return true;
  if (!isObject(option)) return false;
  const excluded = own(option, 'not');
  if (excluded !== undefined && isEverything(excluded)) return true;
  const properties = own(option, 'properties');
  if (!isObject(properties) || own(option, 'required') === undefined) return false;
  return Object.values(properties).some(
    (schema) => isObject(schema) && isEverything(own(schema, 'not') ?? false),
  );
}

const isEverything = (schema: Json): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).length === 0);
