import type { BranchGroup } from './branch-groups.ts';
import { isObject, own } from '../schema/json-value.ts';
import { membersOf } from '../schema/keywords.ts';
import { requiredNames } from '../schema/object-members.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';

/** How many conditions that ask about the same property are many. */
const manyConditions = 4;

/**
 * Where many `if` among `groups` ask about a property that may be missing, the choice whether it is there: without it
 * all of them hold, and otherwise every set of them could.
 */
export function presencesOf(
  document: SchemaDocument,
  nodes: readonly SchemaNode[],
  groups: readonly BranchGroup[],
): readonly BranchGroup[] {
  const [holder] = nodes;
  const counts = new Map<string, number>();
  for (const { node } of groups.filter(({ keyword }) => keyword === 'if')) {
    const condition = own(node.schema, 'if');
    if (!isObject(condition)) continue;
    for (const [name] of membersOf(document.child(node, condition, 'if'), 'properties'))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const required = requiredNames(nodes);
  const asked = [...counts].filter(([name, count]) => count >= manyConditions && !required.has(name));
  return asked.flatMap(([name]) => {
    if (holder === undefined) return [];
    const branches = [{ required: [name] }, { properties: { [name]: false } }].map((schema) => ({
      nodes: [document.node(schema, holder.path, holder)],
      groups: [],
      oddity: 0,
    }));
    return [{ node: holder, keyword: 'if', branches, optional: false, plainFirst: false }];
  });
}
