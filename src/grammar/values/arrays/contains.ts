import type { Compilation } from '../compilation.ts';
import type { Conjunction } from '../../branches/branches.ts';
import { literal, ref, sequence, type Expression } from '../../text/expression.ts';
import { own } from '../../schema/json-value.ts';
import { countOf } from '../../schema/keywords.ts';
import { limits } from '../../budget/limits.ts';
import { refusal } from '../../budget/refusal.ts';
import { repetition } from '../../text/repetition.ts';
import type { SchemaNode } from '../../schema/schema-document.ts';

/** A schema that some items have to satisfy. */
export interface Contained {
  readonly node: SchemaNode;
  /** The schema with the keyword `contains`. */
  readonly holder: SchemaNode;
  /** The least number of items that have to satisfy it. */
  readonly min: number;
}

/**
 * The schemas that some items have to satisfy, from `contains` of `nodes`. Throws invalid_json_schema for maxContains.
 */
export function containedNodes(compilation: Compilation, nodes: Conjunction): readonly Contained[] {
  return nodes.flatMap((holder) => {
    const schema = own(holder.schema, 'contains');
    if (schema === undefined) return [];
    if (own(holder.schema, 'maxContains') !== undefined)
      throw refusal(holder.path, 'maxContains', `items that match cannot be counted; use 'maxItems'.`);
    const min = countOf(holder, 'minContains') ?? 1;
    if (min > limits.containedItems)
      throw refusal(holder.path, 'minContains', `at most ${limits.containedItems} can be enforced.`);
    return min === 0 ? [] : [{ node: compilation.document.child(holder, schema, 'contains'), holder, min }];
  });
}

export interface ContainingList {
  readonly items: readonly SchemaNode[];
  readonly contained: readonly Contained[];
  readonly min: number;
  readonly max: number;
}

/**
 * Arrays with the items that `contained` asks for, in that order. Other items may stand before and between them, or,
 * where minItems or maxItems count the items, after them.
 */
export function containingArray(
  compilation: Compilation,
  { items, contained, min, max }: ContainingList,
  name: string,
): Expression {
  const { builder } = compilation;
  const wanted = contained.flatMap(({ node, min: times }) => {
    const expression = compilation.valueOf([...items, node], `${name}-contained`);
    return Array.from({ length: times }, () => expression);
  });
  if (wanted.length > max)
    return compilation.impossible(contained[0]?.holder, 'contains', 'maxItems allows fewer items.');
  const separator = sequence(literal(','), ref('ws'));
  const item = compilation.valueOf(items, `${name}-item`);
  const counted = max !== Infinity || min > wanted.length;
  const before = builder.define(`${name}-before`, sequence(item, separator));
  const others = counted ? sequence() : repetition(builder, `${name}-others`, before, 0, Infinity);
  const after = builder.define(`${name}-next`, sequence(separator, item));
  return sequence(
    literal('['),
    ...wanted.flatMap((one, at) => (at === 0 ? [others, one] : [separator, others, one])),
    repetition(builder, `${name}-items`, after, Math.max(0, min - wanted.length), max - wanted.length),
    literal(']'),
  );
}
