import { own } from './json-value.ts';
import { memberOf, membersOf, namesOf } from './keywords.ts';
import type { SchemaDocument, SchemaNode } from './schema-document.ts';

/** Every property that one of `nodes` declares or requires; first the declared ones, in the order of declaration. */
export function namedProperties(nodes: readonly SchemaNode[]): readonly string[] {
  const declared = nodes.flatMap((node) => membersOf(node, 'properties').map(([name]) => name));
  return [...new Set([...declared, ...requiredNames(nodes)])];
}

export const requiredNames = (nodes: readonly SchemaNode[]): ReadonlySet<string> =>
  new Set(nodes.flatMap((node) => namesOf(node, 'required')));

/** The schemas that the value of the property `name` has to satisfy; one is `never` where it is forbidden. */
export function propertyNodes(
  document: SchemaDocument,
  nodes: readonly SchemaNode[],
  name: string,
): readonly SchemaNode[] {
  return nodes.flatMap((node) => {
    const found: SchemaNode[] = [];
    const declared = memberOf(node, 'properties', name);
    if (declared !== undefined) found.push(document.child(node, declared, 'properties', name));
    for (const [pattern, schema] of membersOf(node, 'patternProperties'))
      if (document.patterns.matches(node, 'patternProperties', pattern, name))
        found.push(document.child(node, schema, 'patternProperties', pattern));
    if (found.length > 0) return found;
    const additional = additionalNode(document, node);
    return additional === undefined ? [] : [additional];
  });
}

/** The schema of `additionalProperties` in `node`; undefined when it is absent. */
export function additionalNode(document: SchemaDocument, node: SchemaNode): SchemaNode | undefined {
  const additional = own(node.schema, 'additionalProperties');
  return additional === undefined ? undefined : document.child(node, additional, 'additionalProperties');
}
