import type { Conjunction } from '../branches/branches.ts';
import type { Compilation } from './compilation.ts';
import { nothing, ref, sequence, type Expression } from '../text/expression.ts';
import { freeProperties } from './free-properties.ts';
import { isArray, own } from '../schema/json-value.ts';
import { countOf, countsOf, namesOf } from '../schema/keywords.ts';
import { excludedContainers } from '../logic/exclusion.ts';
import { namedProperties, propertyNodes, requiredNames } from '../schema/object-members.ts';
import { orderedSelection, type SelectionMember } from './ordered-selection.ts';
import { refusal } from '../budget/refusal.ts';
import type { SchemaNode } from '../schema/schema-document.ts';
import { unevaluatedNodes } from '../branches/unevaluated.ts';
import { isValid, isValidAlone } from '../logic/validate-value.ts';

/**
 * The JSON objects that satisfy all of `nodes`: declared properties in the order of their declaration, then those
 * that are required without being declared, then others where the schema allows them expressly.
 */
export function objectExpression(compilation: Compilation, nodes: Conjunction, name: string): Expression {
  const { document, builder } = compilation;
  const nameNodes = nodes.flatMap((node) => {
    const schema = own(node.schema, 'propertyNames');
    return schema === undefined ? [] : [document.child(node, schema, 'propertyNames')];
  });
  const required = requiredNames(nodes);
  const free = freeProperties(compilation, nodes, nameNodes, name);
  const members = namedMembers(compilation, nodes, nameNodes, free.names);
  if (members === undefined) return nothing;
  const counts = memberCounts(compilation, nodes);
  if (counts === undefined) return nothing;
  const { min, max } = counts;
  const isAny = members.length === 0 && min === 0 && max === Infinity && free.any;
  if (isAny) return compilation.style.anyObject;

  let others = free.members;
  const holder = (keyword: string) => nodes.find((node) => countOf(node, keyword) !== undefined);
  // Two free properties may get the same name and then count as one, so they can stand in for one missing at most.
  if (others.length > 0 && min > required.size + 1) {
    if (members.length < min)
      throw refusal(
        holder('minProperties')?.path ?? '',
        'minProperties',
        'that names differ cannot be enforced; declare the properties or ask for at most one more than are required.',
      );
    others = [];
  }
  if (others.length === 0 && min > members.length)
    return compilation.impossible(
      holder('minProperties'),
      'minProperties',
      'there are not as many properties.',
    );
  const list = orderedSelection(builder, name, { open: '{', close: '}', members, free: others, min, max });
  if (list !== undefined) return list;
  const counted = min > required.size ? 'minProperties' : 'maxProperties';
  throw refusal(
    holder(counted)?.path ?? nodes[0]?.path ?? '',
    counted,
    'there are too many properties to count them.',
  );
}

/** The members with a name that `nodes` or `freeNames` spell out; undefined when a required one is not allowed. */
function namedMembers(
  compilation: Compilation,
  nodes: Conjunction,
  nameNodes: readonly SchemaNode[],
  freeNames: readonly string[],
): readonly SelectionMember[] | undefined {
  const { document } = compilation;
  const required = requiredNames(nodes);
  const members: SelectionMember[] = [];
  for (const property of new Set([...namedProperties(nodes), ...freeNames])) {
    const held = [
      ...propertyNodes(document, nodes, property),
      ...unevaluatedNodes(document, nodes, property),
    ];
    const allowed = nameNodes.every((node) => isValid(document, node, property));
    const never = held.find((node) => node.never);
    if (allowed && never === undefined) {
      const value = compilation.valueOf(held, property);
      const text = `${compilation.style.nameOf(property)}:`;
      members.push({ text, rest: sequence(ref('ws'), value), required: required.has(property) });
    } else if (required.has(property)) {
      const asking = nodes.find((node) => namesOf(node, 'required').includes(property));
      compilation.impossible(asking, 'required', `the property '${property}' is not allowed.`);
      return undefined;
    }
  }
  return members;
}

/** How many members an object may have; undefined when there is no such number. */
function memberCounts(
  compilation: Compilation,
  nodes: Conjunction,
): { readonly min: number; readonly max: number } | undefined {
  const excluded = excludedContainers(
    nodes,
    (node, value) => !isArray(value) && isValidAlone(compilation.document, node, value),
  );
  if (excluded.filled !== undefined) {
    compilation.impossible(excluded.filled, 'not', 'an object that is spelled out cannot be excluded.');
    return undefined;
  }
  const counts = countsOf(nodes, 'Properties');
  const [min, max] = [Math.max(counts.min, excluded.empty ? 1 : 0), counts.max];
  if (min <= max) return { min, max };
  compilation.impossible(nodes[0], 'minProperties', 'it is greater than maxProperties.');
  return undefined;
}
