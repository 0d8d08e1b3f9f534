import type { Branches } from './branches.ts';
import { own } from '../schema/json-value.ts';
import { propertyNodes, requiredNames } from '../schema/object-members.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';

/** Keywords that may be the reason why no value satisfies a schema, the likeliest first. */
const suspects = (
  'const enum minimum exclusiveMinimum maximum exclusiveMaximum minLength minItems minProperties oneOf anyOf allOf ' +
  'not if $ref type'
).split(' ');

/** The schema and the keyword that an error names when no value satisfies all of `nodes`. */
export function contradiction(
  document: SchemaDocument,
  branches: Branches,
  nodes: readonly SchemaNode[],
  depth = 0,
): readonly [SchemaNode | undefined, string] {
  for (const name of depth < 20 ? requiredNames(nodes) : []) {
    const property = propertyNodes(document, nodes, name);
    const never = property.find((node) => node.never);
    if (never !== undefined) return [nodes.find((node) => requiredNames([node]).has(name)), 'required'];
    if (!branches.mayHold(property)) return contradiction(document, branches, property, depth + 1);
  }
  for (const keyword of suspects)
    for (const node of nodes) if (own(node.schema, keyword) !== undefined) return [node, keyword];
  return [nodes[0], ''];
}
