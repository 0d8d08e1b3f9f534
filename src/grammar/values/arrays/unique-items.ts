import type { Compilation } from '../compilation.ts';
import { choice, emptyText, literal, ref, sequence, type Expression } from '../../text/expression.ts';
import type { Contained } from './contains.ts';
import { disjointParts, mostParts } from './disjoint-parts.ts';
import type { Json } from '../../schema/json-value.ts';
import { isConstraint } from '../../schema/check-keywords.ts';
import { orderedSelection } from '../ordered-selection.ts';
import { boundsOfAll } from '../../schema/keywords.ts';
import { limits } from '../../budget/limits.ts';
import { allowedTypes, namedValues } from '../../logic/plausible.ts';
import { refusal } from '../../budget/refusal.ts';
import type { SchemaNode } from '../../schema/schema-document.ts';
import { isValid } from '../../logic/validate-value.ts';

export interface UniqueList {
  /** The schema with `uniqueItems`. */
  readonly node: SchemaNode;
  /** The schemas that every item has to satisfy. */
  readonly items: readonly SchemaNode[];
  readonly min: number;
  readonly max: number;
  /** The schemas that some items have to satisfy. */
  readonly contained: readonly Contained[];
}

/**
 * Arrays without repeated items. Items that the schema spells out come in its order. Others must differ in a way that a
 * grammar can remember: no two of them begin with letters of the same eighth of the alphabet, or are numbers of the
 * same range. So there are at most eight of these.
 */
export function uniqueItems(compilation: Compilation, list: UniqueList, name: string): Expression {
  const values = finiteValues(compilation, list.items);
  if (values !== undefined) return namedItems(compilation, list, values, name);
  const [contained] = list.contained;
  if (contained !== undefined)
    throw refusal(
      contained.holder.path,
      'contains',
      'beside uniqueItems it can be enforced only where the items come from an enum.',
    );
  return compilation.once(sharedKey(list), () => differingItems(compilation, list, name));
}

function differingItems(compilation: Compilation, list: UniqueList, name: string): Expression {
  const { document, builder } = compilation;
  // Lists in lists multiply, so there are fewer parts the larger the grammar already is.
  const room = Math.max(list.min, Math.round(mostParts * (1 - 2 * builder.fullness)), 2);
  const parts = disjointParts(compilation, list.items, Math.min(room, mostParts)).map((schema) =>
    compilation.valueOf([...list.items, document.node(schema, list.node.path, list.node)], `${name}-item`),
  );
  if (list.min > parts.length) {
    const numbers = wholeNumbers(compilation, list.items);
    if (numbers !== undefined) return namedItems(compilation, list, numbers, name);
    const most = `at most ${parts.length} items that differ can be enforced.`;
    throw refusal(list.node.path, 'uniqueItems', most);
  }
  return builder.define(name, new DistinctList(compilation, list, parts, name).write());
}

/** The key under which such lists share an expression: long schemas often have many lists of the same kind. */
function sharedKey({ items, min, max }: UniqueList): string {
  const texts = items.map(({ id, schema }) => {
    const constraining = Object.entries(schema).filter(([keyword]) => isConstraint(keyword));
    const text = JSON.stringify(Object.fromEntries(constraining));
    return /"\$\w*[rR]ef"/.test(text) ? String(id) : text;
  });
  return ['unique', min, max, ...texts].join(' ');
}

/** Writes a list with one rule for each set of parts that were used already. */
class DistinctList {
  readonly #compilation: Compilation;
  readonly #list: UniqueList;
  readonly #parts: readonly Expression[];
  readonly #name: string;
  readonly #rests = new Map<number, Expression>();

  constructor(compilation: Compilation, list: UniqueList, parts: readonly Expression[], name: string) {
    this.#compilation = compilation;
    this.#list = list;
    this.#parts = parts;
    this.#name = name;
  }

  write(): Expression {
    const close = this.#list.min === 0 ? [literal(']')] : [];
    return sequence(literal('['), choice([...this.#items(0, 0), ...close]));
  }

  #items(used: number, count: number): readonly Expression[] {
    if (count >= this.#list.max) return [];
    return this.#parts.flatMap((part, index) => {
      const bit = 1 << index;
      return (used & bit) === 0 ? [sequence(part, this.#rest(used | bit, count + 1))] : [];
    });
  }

  #rest(used: number, count: number): Expression {
    let rest = this.#rests.get(used);
    if (rest === undefined) {
      const rule = this.#compilation.builder.reserve(`${this.#name}-rest`);
      this.#rests.set(used, (rest = ref(rule)));
      const items = this.#items(used, count);
      const more = items.length === 0 ? [] : [sequence(literal(','), ref('ws'), choice(items))];
      const close = count >= this.#list.min ? [literal(']')] : [];
      this.#compilation.builder.set(rule, choice([...more, ...close]));
    }
    return rest;
  }
}

/** A list of some of `values`, each at most once and in their order. */
function namedItems(
  compilation: Compilation,
  { node, min, max, contained }: UniqueList,
  values: readonly Json[],
  name: string,
): Expression {
  const texts = new Map(
    values.flatMap((value) => {
      const text = compilation.style.textOf(value);
      return text === undefined ? [] : [[text, value]];
    }),
  );
  if (min > texts.size)
    return compilation.impossible(node, 'uniqueItems', 'minItems asks for more values than there are.');
  const wanted = new Set(
    contained.flatMap(({ node: one, min: least }) => {
      const fitting = [...texts].filter(([, value]) => isValid(compilation.document, one, value));
      return Array.from({ length: least }, (_, at) => fitting[at]?.[0]);
    }),
  );
  if (wanted.has(undefined) || wanted.size > max)
    return compilation.impossible(contained[0]?.holder, 'contains', 'too few of the values satisfy it.');
  const members = [...texts.keys()].map((text) => ({ text, rest: emptyText, required: wanted.has(text) }));
  const list = orderedSelection(compilation.builder, name, {
    open: '[',
    close: ']',
    members,
    free: [],
    min,
    max,
  });
  if (list === undefined)
    throw refusal(node.path, 'uniqueItems', 'there are too many values to choose from.');
  return list;
}

/** The values that satisfy all of `nodes`; undefined unless every alternative spells its values out. */
function finiteValues(compilation: Compilation, nodes: readonly SchemaNode[]): readonly Json[] | undefined {
  const values: Json[] = [];
  for (const conjunction of compilation.branches.alternatives(nodes)) {
    const named = namedValues(compilation.document, conjunction);
    if (named === undefined) return undefined;
    values.push(...named);
  }
  return values;
}

/** The whole numbers that satisfy all of `nodes`; undefined where other values do too, or where there are too many. */
function wholeNumbers(compilation: Compilation, nodes: readonly SchemaNode[]): readonly Json[] | undefined {
  const { document, branches } = compilation;
  const [conjunction, ...others] = branches.alternatives(nodes);
  if (conjunction === undefined || others.length > 0) return undefined;
  if ([...allowedTypes(conjunction)].join('') !== 'number') return undefined;
  const { min, max } = boundsOfAll(conjunction);
  const [from, to] = [Math.ceil(min), Math.floor(max)];
  if (!(to - from < limits.repetition)) return undefined;
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at).filter((value) =>
    conjunction.every((node) => isValid(document, node, value)),
  );
}
