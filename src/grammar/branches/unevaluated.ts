import { remembered } from '../remembered.ts';
import { groupsOf } from './branch-groups.ts';
import { includedNodes } from '../schema/subschemas.ts';
import type { Conjunction } from './branches.ts';
import { own } from '../schema/json-value.ts';
import { memberOf, membersOf } from '../schema/keywords.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';

/** The schemas of `unevaluatedProperties` that apply to the property `name`, as no other schema covers it. */
export function unevaluatedNodes(
  document: SchemaDocument,
  nodes: Conjunction,
  name: string,
): readonly SchemaNode[] {
  return nodes.flatMap((node) => {
    const schema = own(node.schema, 'unevaluatedProperties');
    if (schema === undefined) return [];
    const below = inPlace(document, node);
    document.work.spend(nodes.length);
    const evaluated = nodes.some((other) => below.has(other) && speaksOf(document, other, name));
    return evaluated ? [] : [document.child(node, schema, 'unevaluatedProperties')];
  });
}

/** Whether one of `nodes` restricts the properties that no other schema covers. */
export const hasUnevaluated = (nodes: Conjunction): boolean =>
  nodes.some((node) => {
    const schema = own(node.schema, 'unevaluatedProperties');
    return schema !== undefined && schema !== true;
  });

function speaksOf(document: SchemaDocument, node: SchemaNode, name: string): boolean {
  return (
    memberOf(node, 'properties', name) !== undefined ||
    own(node.schema, 'additionalProperties') !== undefined ||
    membersOf(node, 'patternProperties').some(([pattern]) =>
      document.patterns.matches(node, 'patternProperties', pattern, name),
    )
  );
}

/** `node` and all schemas that it applies to the same value, such as those in allOf and anyOf. */
export const inPlace = (document: SchemaDocument, node: SchemaNode): ReadonlySet<SchemaNode> =>
  remembered(placed, node, () => findInPlace(document, node));

const placed = new WeakMap<SchemaNode, ReadonlySet<SchemaNode>>();

function findInPlace(document: SchemaDocument, node: SchemaNode): ReadonlySet<SchemaNode> {
  const found = new Set<SchemaNode>([node]);
  for (const next of found) {
    document.work.spend(20);
    for (const included of includedNodes(document, next)) found.add(included);
    for (const group of groupsOf(document, next, 'loose'))
      for (const branch of group.branches) for (const one of branch.nodes) found.add(one);
    for (const keyword of ['then', 'else']) {
      const schema = own(next.schema, keyword);
      if (schema !== undefined) found.add(document.child(next, schema, keyword));
    }
  }
  return found;
}
