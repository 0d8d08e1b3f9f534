import type { Compilation } from '../compilation.ts';
import type { Json, JsonObject } from '../../schema/json-value.ts';
import { boundsOfAll, jsonTypes, textOf, type JsonType } from '../../schema/keywords.ts';
import { namedProperties, propertyNodes, requiredNames } from '../../schema/object-members.ts';
import { allowedTypes, namedValues } from '../../logic/plausible.ts';
import type { SchemaNode } from '../../schema/schema-document.ts';

/** The grammar needs a rule for each set of parts: 2^8 at most. */
export const mostParts = 8;
const maxDepth = 3;

/**
 * Up to `most` schemas, eight at most, of which no two allow the same value: strings differ in one of their characters, numbers in their
 * range, objects in one of their properties, and other values in their type.
 */
export function disjointParts(
  compilation: Compilation,
  nodes: readonly SchemaNode[],
  most = mostParts,
  depth = 0,
): readonly JsonObject[] {
  const alternatives = compilation.branches.alternatives(nodes);
  const holderOf = (type: JsonType) =>
    alternatives.find((conjunction) => allowedTypes(conjunction).has(type));
  const types = jsonTypes.filter((type) => holderOf(type) !== undefined);
  const room = types.length === 1 ? most : Math.min(most, 3);
  const parts = types.flatMap((type): readonly JsonObject[] => {
    // The parts are made from the first alternative of the type, but they differ in the others as well.
    const held = holderOf(type) ?? [];
    switch (type) {
      case 'null':
        return [{ const: null }];
      case 'boolean':
        return [{ const: true }, { const: false }];
      case 'string':
        return byCharacter(held, room);
      case 'number':
        return byRange(held, room);
      case 'array':
        return [{ type: 'array' }];
      case 'object':
        return depth < maxDepth ? byProperty(compilation, held, depth).slice(0, room) : [{ type: 'object' }];
    }
  });
  return parts.slice(0, most);
}

/** Digits and the letters of alphabets: each range is divided into as many pieces as there are parts. */
const alphabets: readonly (readonly [first: number, last: number])[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0x0410, 0x042f],
  [0x0430, 0x044f],
  [0x3041, 0x30f6],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
];

/** Strings that differ in one character, mostly the first. */
function byCharacter(nodes: readonly SchemaNode[], room: number): readonly JsonObject[] {
  const sets = Array.from({ length: room }, (_, part) =>
    alphabets
      .map(([first, last]) => {
        const bound = (at: number) => first + Math.round(((last + 1 - first) * at) / room);
        const [from, to] = [bound(part), bound(part + 1) - 1];
        return from > to ? '' : `${escaped(from)}-${escaped(to)}`;
      })
      .join(''),
  );
  const lettered = sets.slice(0, -1);
  // The last part also gets all characters that are in none of the alphabets.
  const { before, after, empty } = telling(nodes);
  return [
    ...lettered.map((set) => ({ type: 'string', pattern: `${before}[${set}]${after}` })),
    { type: 'string', pattern: `${empty}|${before}[^${lettered.join('')}]${after}` },
  ];
}

const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

interface Place {
  readonly before: string;
  readonly after: string;
  /** A pattern for strings that are too short to have that character. */
  readonly empty: string;
}

/**
 * The place of the character that differs: the day in dates, the end of addresses and of texts with a fixed beginning.
 */
function telling(nodes: readonly SchemaNode[]): Place {
  const formats = nodes.map((node) => textOf(node, 'format') ?? '');
  if (formats.some((format) => format.startsWith('date') || format === 'iso-date-time'))
    return { before: '^[^]{9}', after: '', empty: '^[^]{0,9}$' };
  const prefixed = nodes.some((node) => /^\^[\w/:@#$-]/.test(textOf(node, 'pattern') ?? ''));
  if (prefixed || formats.some((format) => /ur[il]|iri|pointer/.test(format)))
    return { before: '', after: '$', empty: '^$' };
  return { before: '^', after: '', empty: '^$' };
}

/** Where the ranges of numbers without bounds begin. */
const usualSteps = [-Infinity, 1, 3, 7, 20, 100, 500, 2_000];

function byRange(nodes: readonly SchemaNode[], room: number): readonly JsonObject[] {
  const { min, max } = boundsOfAll(nodes);
  const near = max - min <= 10_000;
  const steps = near
    ? Array.from({ length: room }, (_, part) => Math.ceil(min + ((max + 1 - min) * part) / room))
    : usualSteps.filter((_, at) => at % Math.ceil(usualSteps.length / room) === 0);
  const starts = [...new Set(steps)];
  return starts.map((from, at) => {
    const to = starts[at + 1];
    return {
      type: 'number',
      ...(at === 0 ? {} : { minimum: from }),
      ...(to === undefined ? {} : { exclusiveMaximum: to }),
    };
  });
}

/** Objects that differ in one property: the one with the most parts, preferably a required one. */
function byProperty(
  compilation: Compilation,
  nodes: readonly SchemaNode[],
  depth: number,
): readonly JsonObject[] {
  const required = requiredNames(nodes);
  const names = [...new Set([...required, ...namedProperties(nodes)])].slice(0, 20);
  let best: readonly JsonObject[] = [{}];
  let chosen = '';
  for (const name of names) {
    const parts = partsOfProperty(compilation, propertyNodes(compilation.document, nodes, name), depth);
    if (parts.length <= best.length || (required.has(chosen) && !required.has(name))) continue;
    [best, chosen] = [parts, name];
  }
  if (chosen === '') return [{ type: 'object' }];
  return best.map((part) => ({ type: 'object', required: [chosen], properties: { [chosen]: part } }));
}

function partsOfProperty(
  compilation: Compilation,
  nodes: readonly SchemaNode[],
  depth: number,
): readonly JsonObject[] {
  const alternatives = compilation.branches.alternatives(nodes);
  const values = alternatives.map((conjunction) => namedValues(compilation.document, conjunction));
  if (!values.includes(undefined)) {
    const texts = new Set(values.flatMap((named) => named ?? []).map((value) => JSON.stringify(value)));
    return [...texts].slice(0, mostParts).map((text): JsonObject => ({ const: JSON.parse(text) as Json }));
  }
  return disjointParts(compilation, nodes, mostParts, depth + 1);
}
