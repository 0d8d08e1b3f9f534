import type { Conjunction } from '../../branches/branches.ts';
import type { Compilation } from '../compilation.ts';
import { containedNodes, containingArray } from './contains.ts';
import { choice, emptyText, literal, ref, sequence, type Expression } from '../../text/expression.ts';
import { isArray, own, type Json } from '../../schema/json-value.ts';
import { countsOf, flagOf } from '../../schema/keywords.ts';
import { excludedContainers } from '../../logic/exclusion.ts';
import { refusal } from '../../budget/refusal.ts';
import { repetition } from '../../text/repetition.ts';
import type { SchemaDocument, SchemaNode } from '../../schema/schema-document.ts';
import { inPlace } from '../../branches/unevaluated.ts';
import { mustBeWritable } from '../string-expression.ts';
import { uniqueItems } from './unique-items.ts';
import { isValidAlone } from '../../logic/validate-value.ts';
import { itemsOf } from '../../schema/subschemas.ts';

const separator = sequence(literal(','), ref('ws'));

/**
 * The JSON arrays that satisfy all of `nodes`. A tuple (prefixItems) is written in full; further items follow it only
 * where `items` or minItems ask for them.
 */
export function arrayExpression(compilation: Compilation, nodes: Conjunction, name: string): Expression {
  const { document } = compilation;
  const contained = containedNodes(compilation, nodes);
  const shapes = nodes.map((node) => shapeOf(document, nodes, node));
  const places = Math.max(0, ...shapes.map((shape) => shape.prefix.length));
  const hasRest = shapes.some((shape) => shape.rest !== undefined);
  const excluded = excludedContainers(
    nodes,
    (node, value) => isArray(value) && isValidAlone(document, node, value),
  );
  if (excluded.filled !== undefined)
    return compilation.impossible(excluded.filled, 'not', 'an array that is spelled out cannot be excluded.');
  let { min, max } = countsOf(nodes, 'Items');
  if (excluded.empty) min = Math.max(min, 1);
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
  mustBeWritable(nodes, 'minItems', min);
  const unique = nodes.find((node) => flagOf(node, 'uniqueItems'));
  const list = { items: at(0), min, max, contained };
  const besidePlaces = (node: SchemaNode, keyword: string) =>
    refusal(node.path, keyword, 'it cannot be enforced beside a list of places; describe the items there.');
  if (unique !== undefined && max > 1) {
    if (places > 0) throw besidePlaces(unique, 'uniqueItems');
    return uniqueItems(compilation, { ...list, node: unique }, name);
  }
  const [wanted] = contained;
  if (wanted !== undefined) {
    if (places > 0) throw besidePlaces(wanted.holder, 'contains');
    return containingArray(compilation, list, name);
  }

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

interface ArrayShape {
  readonly node: SchemaNode;
  readonly prefix: readonly Json[];
  readonly prefixKeyword: string;
  readonly rest: Json | undefined;
  readonly restKeyword: string;
}

/** The schemas of the items of `node`, with unevaluatedItems for the items that no other schema covers. */
function shapeOf(document: SchemaDocument, nodes: Conjunction, node: SchemaNode): ArrayShape {
  const shape = { node, ...itemsOf(node) };
  const unevaluated = own(node.schema, 'unevaluatedItems');
  if (unevaluated === undefined || shape.rest !== undefined) return shape;
  const below = inPlace(document, node);
  const others = nodes.filter((other) => other !== node && below.has(other)).map(itemsOf);
  if (others.some((other) => other.rest !== undefined)) return shape;
  const places = Math.max(0, ...others.map((other) => other.prefix.length));
  const prefix = Array.from(
    { length: Math.max(places, shape.prefix.length) },
    (_, at) => shape.prefix[at] ?? true,
  );
  return { ...shape, prefix, rest: unevaluated, restKeyword: 'unevaluatedItems' };
}
