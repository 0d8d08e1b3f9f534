import type { Conjunction } from './branches.ts';
import type { Compilation } from './compilation.ts';
import { choice, emptyText, literal, ref, sequence, type Expression } from './expression.ts';
import { isArray, own, type Json } from './json-value.ts';
import { countOf, flagOf } from './keywords.ts';
import { limits } from './limits.ts';
import { excludedContainers } from './negate.ts';
import { orderedSelection } from './ordered-selection.ts';
import { namedValues } from './plausible.ts';
import { refusal } from './refusal.ts';
import { repetition } from './repetition.ts';
import type { SchemaNode } from './schema-document.ts';
import { isValid, itemsOf } from './validate-value.ts';

const separator = sequence(literal(','), ref('ws'));

/**
 * The JSON arrays that satisfy all of `nodes`. A tuple (prefixItems) is written in full, and goes on after its last
 * place only where `items` or minItems ask for that.
 */
export function arrayExpression(compilation: Compilation, nodes: Conjunction, name: string): Expression {
  const { document } = compilation;
  const counts = (keyword: string) => nodes.flatMap((node) => countOf(node, keyword) ?? []);
  for (const node of nodes) checkUnsupported(node);
  const shapes = nodes.map((node) => ({ node, ...itemsOf(node) }));
  const places = Math.max(0, ...shapes.map((shape) => shape.prefix.length));
  const hasRest = shapes.some((shape) => shape.rest !== undefined);
  const excluded = excludedContainers(
    nodes,
    (node, value) => isArray(value) && isValid(document, node, value),
  );
  if (excluded.filled !== undefined)
    return compilation.impossible(excluded.filled, 'not', 'an array that is spelled out cannot be excluded.');
  let min = Math.max(excluded.empty ? 1 : 0, ...counts('minItems'));
  let max = Math.min(Infinity, ...counts('maxItems'));
  const at = (index: number): readonly SchemaNode[] =>
    shapes.flatMap(({ node, prefix, prefixKeyword, rest, restKeyword }) => {
      const schema = prefix[index];
      if (schema !== undefined) return document.child(node, schema, prefixKeyword, index);
      return rest === undefined ? [] : document.child(node, rest, restKeyword);
    });
  for (let index = 0; index <= places; index++)
    if (at(index).some((item) => item.never)) max = Math.min(max, index);
  if (places > 0 && !hasRest && min <= places) max = Math.min(max, places);
  min = Math.max(min, Math.min(places, max));
  if (min > max) return compilation.impossible(nodes[0], 'minItems', 'there cannot be as many items.');
  if (min > limits.leastRepetition)
    throw refusal(
      nodes.find((node) => countOf(node, 'minItems') === min)?.path ?? '',
      'minItems',
      `at most ${limits.leastRepetition} can be enforced.`,
    );
  const unique = nodes.find((node) => flagOf(node, 'uniqueItems'));
  if (unique !== undefined && max > 1)
    return uniqueItems(compilation, unique, at, { places, min, max }, name);

  const fixed = Array.from({ length: Math.min(places, max) }, (_, index) =>
    compilation.valueOf(at(index), `${name}-${index}`),
  );
  const open = fixed.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
  const more = { min: min - fixed.length, max: max - fixed.length };
  if (more.max <= 0) return sequence(literal('['), ...open, literal(']'));
  const item = compilation.valueOf(at(places), `${name}-item`);
  const following = compilation.builder.define(`${name}-next`, sequence(separator, item));
  const times = (least: number, most: number) =>
    repetition(compilation.builder, `${name}-items`, following, least, most);
  if (fixed.length > 0) return sequence(literal('['), ...open, times(more.min, more.max), literal(']'));
  const some = sequence(item, times(Math.max(0, more.min - 1), more.max - 1));
  return sequence(literal('['), more.min > 0 ? some : choice([some, emptyText]), literal(']'));
}

function checkUnsupported(node: SchemaNode): void {
  const contains = own(node.schema, 'contains');
  if (contains !== undefined && countOf(node, 'minContains') !== 0)
    throw refusal(
      node.path,
      'contains',
      `which item matches is open; describe the items with 'items' or 'prefixItems'.`,
    );
  if (contains !== undefined && own(node.schema, 'maxContains') !== undefined)
    throw refusal(node.path, 'maxContains', `items that match cannot be counted; use 'maxItems'.`);
  const unevaluated = own(node.schema, 'unevaluatedItems');
  const { prefix, rest } = itemsOf(node);
  if (unevaluated !== undefined && unevaluated !== true && rest === undefined && prefix.length === 0)
    throw refusal(node.path, 'unevaluatedItems', `use 'items' beside 'prefixItems' instead.`);
}

interface Extent {
  readonly places: number;
  readonly min: number;
  readonly max: number;
}

/** Arrays without repeated items: possible where the items are named values, which then keep their order. */
function uniqueItems(
  compilation: Compilation,
  node: SchemaNode,
  at: (index: number) => readonly SchemaNode[],
  { places, min, max }: Extent,
  name: string,
): Expression {
  const values = places === 0 ? finiteValues(compilation, at(0)) : undefined;
  if (values === undefined)
    throw refusal(
      node.path,
      'uniqueItems',
      'that items differ cannot be enforced while they are generated, unless they come from an enum; ' +
        'remove it and check afterwards.',
    );
  const texts = [...new Set(values.map((value) => JSON.stringify(value)))];
  if (min > texts.length)
    return compilation.impossible(node, 'uniqueItems', 'minItems asks for more values than there are.');
  const members = texts.map((text) => ({ text, rest: emptyText, required: false }));
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

/** The values that satisfy all of `nodes`, where every alternative names its values. */
function finiteValues(compilation: Compilation, nodes: readonly SchemaNode[]): readonly Json[] | undefined {
  const values: Json[] = [];
  for (const conjunction of compilation.branches.alternatives(nodes)) {
    const named = namedValues(compilation.document, conjunction);
    if (named === undefined) return undefined;
    values.push(...named);
  }
  return values;
}
