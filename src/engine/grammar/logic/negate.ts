import { isArray, isObject, own, type Json, type JsonObject } from '../schema/json-value.ts';
import {
  boundsOf,
  countOf,
  jsonTypes,
  listOf,
  membersOf,
  namesOf,
  textOf,
  typesOf,
} from '../schema/keywords.ts';
import { formatSupersets } from '../language/format-patterns.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';
import { dependenciesOf } from './validate-value.ts';

export interface Negation {
  /** Each is enough for a document to be invalid. */
  readonly options: readonly Json[];
  /** Whether the options are all ways to be invalid; false: there are more that cannot be expressed. */
  readonly complete: boolean;
}

const maxDepth = 8;

/**
 * Schemas of which each excludes `node`. To fail one keyword is enough to fail the schema, so every keyword adds
 * its own (De Morgan); those that have no schema as their opposite add none. `names` are properties that an object
 * might have: one that a closed schema does not declare excludes it too.
 */
export function negate(
  document: SchemaDocument,
  node: SchemaNode,
  names: readonly string[],
  depth = 0,
): Negation {
  if (node.never) return { options: [true], complete: true };
  if (node.id < 0) return { options: [], complete: true };
  document.work.spend(10);
  const options: Json[] = [];
  let complete = true;
  const nested = (schema: Json, keyword: string, step?: string | number): Negation =>
    depth >= maxDepth
      ? { options: [], complete: false }
      : negate(document, document.child(node, schema, keyword, step), names, depth + 1);
  const add = (negation: Negation) => {
    options.push(...negation.options);
    if (!negation.complete) complete = false;
  };

  for (const keyword of Object.keys(node.schema)) {
    const value = own(node.schema, keyword) ?? null;
    switch (keyword) {
      case 'type':
        options.push(...oppositeOfType(node));
        break;
      case 'enum':
      case 'const':
        options.push({ not: { [keyword]: value } });
        break;
      case 'pattern':
        options.push({ type: 'string', not: { pattern: value } });
        break;
      case 'required':
        for (const name of namesOf(node, 'required'))
          options.push({ type: 'object', properties: { [name]: false } });
        break;
      case 'properties':
        for (const [name, schema] of membersOf(node, 'properties'))
          options.push({ type: 'object', required: [name], properties: { [name]: { not: schema } } });
        break;
      case 'additionalProperties':
        complete = false;
        if (value === false) options.push(...strangers(document, node, names));
        break;
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        break;
      case 'allOf':
        for (const [index, schema] of (listOf(node, 'allOf') ?? []).entries())
          add(nested(schema, 'allOf', index));
        break;
      case 'anyOf':
      case 'oneOf':
        // Matching none of them fails either keyword; matching several fails only oneOf and is left out.
        options.push({ allOf: (listOf(node, keyword) ?? []).map((schema) => ({ not: schema })) });
        if (keyword === 'oneOf') complete = false;
        break;
      case 'not':
        options.push(value);
        break;
      case '$ref':
      case '$dynamicRef':
      case '$recursiveRef': {
        const ref = textOf(node, keyword) ?? '';
        if (depth >= maxDepth) complete = false;
        else add(negate(document, document.resolve(node, ref, keyword), names, depth + 1));
        break;
      }
      case 'format':
        complete = false;
        if (typeof value === 'string' && formatSupersets.has(value))
          options.push({ type: 'string', not: { format: value } });
        break;
      case 'items':
        // One item that is wrong would do; that all of them are is what can be generated.
        complete = false;
        if (!isArray(value)) options.push({ type: 'array', minItems: 1, items: { not: value } });
        break;
      case 'contains':
        complete = false;
        if (own(node.schema, 'minContains') === undefined)
          options.push({ type: 'array', items: { not: value } });
        break;
      case 'dependencies':
      case 'dependentRequired':
      case 'dependentSchemas':
        for (const { trigger, required, schema } of dependenciesOf(node).filter(
          (one) => one.keyword === keyword,
        ))
          if (schema !== undefined) options.push({ type: 'object', required: [trigger], not: schema });
          else
            for (const name of required ?? [])
              options.push({ type: 'object', required: [trigger], properties: { [name]: false } });
        break;
      default: {
        const opposite = oppositeOfCount(node, keyword);
        if (opposite !== undefined) options.push(...opposite);
        else if (leavesWays.has(keyword)) complete = false;
      }
    }
  }
  options.push(...oppositeOfBounds(node));
  document.work.spend(5 * options.length);
  const ways = options.filter((option) => !isHopeless(option));
  return { options: ways.sort((a, b) => oddityOf(a) - oddityOf(b)), complete };
}

/** Natural ways first: to leave a property out or to have another one, rather than one with a value that is wrong. */
export function oddityOf(option: Json): number {
  if (!isObject(option)) return 0;
  const properties = own(option, 'properties');
  if (own(option, 'type') !== 'object') return 1;
  return isObject(properties) && Object.values(properties).some((schema) => schema !== false) ? 2 : 0;
}

/** Keywords that documents can fail in ways for which there is no schema here. */
const leavesWays = new Set(
  (
    'prefixItems additionalItems unevaluatedItems uniqueItems patternProperties propertyNames ' +
    'unevaluatedProperties multipleOf if then else'
  ).split(' '),
);

function oppositeOfType(node: SchemaNode): readonly Json[] {
  const { types, integer } = typesOf(node);
  const others = jsonTypes.filter((type) => !types.has(type));
  const options: Json[] = others.length > 0 ? [{ type: others }] : [];
  if (integer) options.push({ type: 'number', not: { type: 'integer' } });
  return options;
}

function oppositeOfBounds(node: SchemaNode): readonly JsonObject[] {
  const { min, minExcluded, max, maxExcluded } = boundsOf(node);
  const options: JsonObject[] = [];
  if (min !== -Infinity)
    options.push({ type: 'number', [minExcluded ? 'maximum' : 'exclusiveMaximum']: min });
  if (max !== Infinity) options.push({ type: 'number', [maxExcluded ? 'minimum' : 'exclusiveMinimum']: max });
  return options;
}

/** The opposite of minLength, maxItems and the like; undefined for other keywords. */
function oppositeOfCount(node: SchemaNode, keyword: string): readonly JsonObject[] | undefined {
  const match = /^(min|max)(Length|Items|Properties)$/.exec(keyword);
  const count = match === null ? undefined : countOf(node, keyword);
  if (match === null || count === undefined) return undefined;
  const [, side, what = ''] = match;
  const type = what === 'Length' ? 'string' : what === 'Items' ? 'array' : 'object';
  if (side === 'max') return [{ type, [`min${what}`]: count + 1 }];
  return count === 0 ? [] : [{ type, [`max${what}`]: count - 1 }];
}

/** Objects with a property that the closed schema `node` does not know. */
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

/** Whether the option is `false` in other words, as `{required: […], properties: {x: {not: true}}}` is. */
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

/** What `not` excludes when that can be honoured as it is, without turning it into other keywords. */
export interface Exclusion {
  readonly values: readonly Json[];
  readonly patterns: readonly string[];
  readonly integers: boolean;
}

/** The exclusion in `not` of `node`; undefined when there is no `not` or it needs `negate`. */
export function exclusionOf(node: SchemaNode): Exclusion | undefined {
  const excluded = own(node.schema, 'not');
  if (!isObject(excluded)) return undefined;
  const keywords = Object.keys(excluded).filter(
    (keyword) => !/^(title|description|\$comment)$/.test(keyword),
  );
  const [keyword] = keywords;
  if (keyword === undefined || keywords.length > 1) return undefined;
  const value = own(excluded, keyword) ?? null;
  const none = { values: [], patterns: [], integers: false };
  if (keyword === 'const') return { ...none, values: [value] };
  if (keyword === 'enum' && isArray(value)) return { ...none, values: value };
  if (keyword === 'type' && value === 'integer') return { ...none, integers: true };
  // Only strings can match a pattern, so other values pass; `negate` says "a string" to fail it.
  const { types } = typesOf(node);
  const superset = keyword === 'format' && typeof value === 'string' ? formatSupersets.get(value) : undefined;
  if (superset !== undefined && types.size === 1 && types.has('string'))
    return { ...none, patterns: [superset] };
  if (keyword === 'pattern' && typeof value === 'string' && types.size === 1 && types.has('string'))
    return { ...none, patterns: [value] };
  return undefined;
}

/**
 * Objects or arrays that `not` of one of `nodes` excludes and the others allow. An empty one is kept away by asking
 * for a member, others not at all.
 */
export function excludedContainers(
  nodes: readonly SchemaNode[],
  isAllowed: (node: SchemaNode, value: Json) => boolean,
): { readonly empty: boolean; readonly filled: SchemaNode | undefined } {
  let empty = false;
  let filled: SchemaNode | undefined;
  for (const node of nodes)
    for (const value of exclusionOf(node)?.values ?? []) {
      if (!isObject(value) && !isArray(value)) continue;
      if (!nodes.every((other) => exclusionOf(other) !== undefined || isAllowed(other, value))) continue;
      if (Object.keys(value).length === 0) empty = true;
      else filled ??= node;
    }
  return { empty, filled };
}
