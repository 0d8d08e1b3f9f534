import { editDistance } from '../../../edit-distance.ts';
import { isArray, isObject, own, type Json } from './json-value.ts';
import { refusal } from '../refusal.ts';
import type { SchemaDocument, SchemaNode } from './schema-document.ts';

/** Keywords that constrain values and are honoured, or refused where that is not possible. */
const constraints = new Set(
  (
    'type enum const allOf anyOf oneOf not if then else $ref $dynamicRef $recursiveRef nullable ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minLength maxLength pattern format ' +
    'items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems contains minContains maxContains ' +
    'properties required additionalProperties patternProperties propertyNames unevaluatedProperties ' +
    'minProperties maxProperties dependencies dependentRequired dependentSchemas'
  ).split(' '),
);

/** Keywords of other drafts, of proposals and of validators that do constrain values and are not honoured. */
const unsupported = new Set(
  (
    '$merge $patch $data disallow divisibleBy extends propertyDependencies ' +
    'formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum uniqueItemProperties instanceof ' +
    'regexp range exclusiveRange patternRequired prohibited deepRequired deepProperties allRequired anyRequired ' +
    'oneRequired select selectCases selectDefault'
  ).split(' '),
);

/** Keywords that say something about values without constraining them: the drafts', OpenAPI's and editors' own. */
const annotations = new Set(
  (
    '$schema $id id $anchor $dynamicAnchor $recursiveAnchor $comment $vocabulary $defs definitions components ' +
    'title description default example examples ' +
    'deprecated readOnly writeOnly contentSchema contentMediaType contentEncoding externalDocs xml discriminator ' +
    'enumNames enumDescriptions markdownDescription markdownEnumDescriptions defaultSnippets errorMessage ' +
    'patternErrorMessage deprecationMessage doNotSuggest suggestSortText allowComments allowTrailingCommas ' +
    'enumTitles enumLabels enumItemLabels enumDeprecationMessages enumDetails messages invalidMessage errorMessages ' +
    'tsType tsEnumNames javaType existingJavaType goType order propertyOrder options strict intellisense scope ' +
    'label placeholder hint help widget hidden unit units since version $version deprecationReason replacement ' +
    'fileMatch displayName keywords license author copyright base links media binaryEncoding info tags ' +
    'additionalDescription notes see references translations i18n i18nKey internal sensitive ' +
    'isIdentifier aliases propertyDescriptions example_value typeName originalRef'
  ).split(' '),
);
const annotationPrefixes = ['x-', 'x_', 'ui:', 'meta:', '@', '//', '__', 'vscode', 'monaco'];

/**
 * Throws invalid_json_schema on a keyword of `node` that constrains values and is not honoured, and on one that
 * nobody knows: it might be meant to constrain them.
 */
export function checkKeywords(document: SchemaDocument, node: SchemaNode): void {
  if (checked.has(node)) return;
  for (const keyword of Object.keys(node.schema)) {
    if (annotations.has(keyword)) continue;
    if (constraints.has(keyword)) {
      // Also of a type for which the keyword says nothing: `required: true` beside a string is a mistake.
      for (const [read, keywords] of readers) if (keywords.has(keyword)) read(node, keyword);
      continue;
    }
    if (annotationPrefixes.some((prefix) => keyword.startsWith(prefix))) continue;
    if (node.schema[keyword] === undefined || document.isContainer(node, keyword)) continue;
    if (unsupported.has(keyword))
      throw refusal(node.path, keyword, 'it is not supported; say the same with keywords of draft 2020-12.');
    const meant = lookalike(keyword);
    const remedy = meant === undefined ? 'leave it out' : `write '${meant}'`;
    throw refusal(node.path, keyword, `it is unknown; ${remedy}, or begin its name with 'x-'.`);
  }
  document.work.spend(10 * Object.keys(node.schema).length);
  checked.add(node);
}

const checked = new WeakSet<SchemaNode>();

/** The constraint that `keyword` is a misspelling of, if it looks like one. */
function lookalike(keyword: string): string | undefined {
  const tolerance = keyword.length < 8 ? 1 : 2;
  return [...constraints].find((known) => known.length > 3 && isNear(keyword, known, tolerance));
}

const isNear = (keyword: string, known: string, tolerance: number): boolean =>
  Math.abs(keyword.length - known.length) <= tolerance &&
  editDistance(keyword.toLowerCase(), known.toLowerCase()) <= tolerance;

const mistyped = (node: SchemaNode, keyword: string, wanted: string) =>
  refusal(node.path, keyword, `its value is not ${wanted}.`);

export function numberOf(node: SchemaNode, keyword: string): number | undefined {
  const value = own(node.schema, keyword);
  if (value === undefined) return undefined;
  if (typeof value !== 'number') throw mistyped(node, keyword, 'a number');
  return value;
}

export function countOf(node: SchemaNode, keyword: string): number | undefined {
  const value = numberOf(node, keyword);
  if (value !== undefined && (!Number.isInteger(value) || value < 0))
    throw mistyped(node, keyword, 'a whole number of 0 or more');
  return value;
}

export function textOf(node: SchemaNode, keyword: string): string | undefined {
  const value = own(node.schema, keyword);
  if (value !== undefined && typeof value !== 'string') throw mistyped(node, keyword, 'a string');
  return value;
}

export function flagOf(node: SchemaNode, keyword: string): boolean {
  const value = own(node.schema, keyword);
  if (value !== undefined && typeof value !== 'boolean') throw mistyped(node, keyword, 'true or false');
  return value ?? false;
}

/** The members of an object keyword such as `properties`; none when it is absent. */
export function membersOf(
  node: SchemaNode,
  keyword: string,
): readonly (readonly [name: string, value: Json])[] {
  const value = own(node.schema, keyword);
  if (value === undefined) return [];
  if (!isObject(value)) throw mistyped(node, keyword, 'an object');
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** The member `name` of an object keyword. */
export function memberOf(node: SchemaNode, keyword: string, name: string): Json | undefined {
  const value = own(node.schema, keyword);
  return isObject(value) ? own(value, name) : undefined;
}

/** The items of an array keyword such as `anyOf`; undefined when it is absent. */
export function listOf(node: SchemaNode, keyword: string): readonly Json[] | undefined {
  const value = own(node.schema, keyword);
  if (value !== undefined && !isArray(value)) throw mistyped(node, keyword, 'an array');
  return value;
}

export function namesOf(
  node: SchemaNode,
  keyword: string,
  value = own(node.schema, keyword),
): readonly string[] {
  if (value === undefined) return [];
  if (!isArray(value)) throw mistyped(node, keyword, 'an array of strings');
  return value.map((name) => {
    if (typeof name !== 'string') throw mistyped(node, keyword, 'an array of strings');
    return name;
  });
}

const keywordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What throws where a keyword has a value of the wrong type. */
const readers: readonly (readonly [
  read: (node: SchemaNode, keyword: string) => unknown,
  keywords: ReadonlySet<string>,
])[] = [
  [numberOf, keywordsOf('minimum maximum multipleOf')],
  [
    countOf,
    keywordsOf('minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties'),
  ],
  [textOf, keywordsOf('$ref $dynamicRef $recursiveRef pattern format')],
  [flagOf, keywordsOf('nullable uniqueItems')],
  [membersOf, keywordsOf('properties patternProperties dependencies dependentRequired dependentSchemas')],
  [namesOf, keywordsOf('required')],
  [listOf, keywordsOf('enum allOf anyOf oneOf prefixItems')],
];

/** The values of `enum` and `const`; undefined when there are neither. */
export function valuesOf(node: SchemaNode): readonly Json[] | undefined {
  const constant = own(node.schema, 'const');
  return constant === undefined ? listOf(node, 'enum') : [constant];
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
export const jsonTypes: readonly JsonType[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];

export interface AllowedTypes {
  readonly types: ReadonlySet<JsonType>;
  /** Numbers must be whole. */
  readonly integer: boolean;
}

const anything: AllowedTypes = { types: new Set(jsonTypes), integer: false };
const knownTypes = new WeakMap<SchemaNode, AllowedTypes>();

/** What `type` and OpenAPI's `nullable` of `node` allow. */
export function typesOf(node: SchemaNode): AllowedTypes {
  let types = knownTypes.get(node);
  if (types === undefined) knownTypes.set(node, (types = readTypes(node)));
  return types;
}

function readTypes(node: SchemaNode): AllowedTypes {
  const value = own(node.schema, 'type');
  if (value === undefined) return anything;
  const names = typeof value === 'string' ? [value] : namesOf(node, 'type', value);
  const types = new Set<JsonType>();
  for (const name of names) {
    const type = name === 'integer' ? 'number' : jsonTypes.find((known) => known === name);
    if (type === undefined)
      throw refusal(
        node.path,
        'type',
        `'${name}' is not one of object, array, string, number, integer, boolean, null.`,
      );
    types.add(type);
  }
  if (flagOf(node, 'nullable')) types.add('null');
  return { types, integer: names.includes('integer') && !names.includes('number') };
}

export interface NumberBounds {
  readonly min: number;
  readonly minExcluded: boolean;
  readonly max: number;
  readonly maxExcluded: boolean;
}

/** The bounds of numbers in `node`, with the draft-4 booleans exclusiveMinimum and exclusiveMaximum. */
export function boundsOf(node: SchemaNode): NumberBounds {
  const minimum = numberOf(node, 'minimum') ?? -Infinity;
  const maximum = numberOf(node, 'maximum') ?? Infinity;
  const above = own(node.schema, 'exclusiveMinimum');
  const below = own(node.schema, 'exclusiveMaximum');
  const exclusiveMin =
    typeof above === 'boolean' ? -Infinity : (numberOf(node, 'exclusiveMinimum') ?? -Infinity);
  const exclusiveMax =
    typeof below === 'boolean' ? Infinity : (numberOf(node, 'exclusiveMaximum') ?? Infinity);
  return {
    min: Math.max(minimum, exclusiveMin),
    minExcluded: above === true || (exclusiveMin >= minimum && exclusiveMin !== -Infinity),
    max: Math.min(maximum, exclusiveMax),
    maxExcluded: below === true || (exclusiveMax <= maximum && exclusiveMax !== Infinity),
  };
}
