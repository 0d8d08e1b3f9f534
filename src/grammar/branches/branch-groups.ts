import { own, isObject, type Json } from '../schema/json-value.ts';
import { listOf, membersOf } from '../schema/keywords.ts';
import { negate, oddityOf, type Negation } from '../logic/negate.ts';
import { exclusionOf } from '../logic/exclusion.ts';
import { namedProperties, requiredNames } from '../schema/object-members.ts';
import { refusal } from '../budget/refusal.ts';
import { rivalsOf, type Tags } from './rivals.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';
import { dependenciesOf, includedNodes } from '../schema/subschemas.ts';

/** A choice: a value has to satisfy one of the branches. */
export interface BranchGroup {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly branches: readonly Branch[];
  /** True when some branches may be left out, as each is one of several ways to exclude something. */
  readonly optional: boolean;
  /** True when odd branches count only where no other is possible. */
  readonly plainFirst: boolean;
}

export interface Branch {
  readonly nodes: readonly SchemaNode[];
  readonly groups: readonly BranchGroup[];
  /** 0 for natural documents, more for documents that nobody would write. */
  readonly oddity: number;
}

const branchOf = (nodes: readonly SchemaNode[], groups: readonly BranchGroup[] = []): Branch => ({
  nodes,
  groups,
  oddity: 0,
});

const choiceOf = (node: SchemaNode, keyword: string, branches: readonly Branch[]): BranchGroup => ({
  node,
  keyword,
  branches,
  optional: false,
  plainFirst: false,
});

/**
 * The choices in `node`: anyOf, oneOf, if, dependencies, not. With `loose` they may allow more values than the schema,
 * and no branches are compared: that is enough to prove that no value is possible.
 */
export function groupsOf(
  document: SchemaDocument,
  node: SchemaNode,
  look: BranchLook | 'loose',
): readonly BranchGroup[] {
  const child = (schema: Json, keyword: string, step?: string | number) =>
    document.child(node, schema, keyword, step);
  const group = (keyword: string, branches: readonly Branch[]) => choiceOf(node, keyword, branches);
  const groups: BranchGroup[] = [];
  for (const keyword of ['anyOf', 'oneOf']) {
    const schemas = listOf(node, keyword);
    if (schemas === undefined) continue;
    const branches = schemas.map((schema, index) => branchOf([child(schema, keyword, index)]));
    const exclusive = keyword === 'oneOf' && look !== 'loose';
    groups.push(group(keyword, exclusive ? exclusiveBranches(document, node, branches, look) : branches));
  }
  if (look === 'loose') return groups;

  const excluded = own(node.schema, 'not');
  if (excluded !== undefined && exclusionOf(node) === undefined)
    groups.push(
      exclusion(document, node, 'not', negate(document, child(excluded, 'not'), []), 'write what is allowed'),
    );
  const condition = own(node.schema, 'if');
  const [then, otherwise] = ['then', 'else'].map((keyword) => {
    const schema = own(node.schema, keyword);
    return schema === undefined ? [] : [child(schema, keyword)];
  });
  if (condition !== undefined && (then?.length ?? 0) + (otherwise?.length ?? 0) > 0) {
    const holds = child(condition, 'if');
    const fails = exclusion(
      document,
      node,
      'if',
      negate(document, holds, []),
      'use anyOf with one branch per case',
    );
    groups.push(group('if', [branchOf([holds, ...(then ?? [])]), branchOf(otherwise ?? [], [fails])]));
  }
  for (const { keyword, trigger, required, schema } of dependenciesOf(node)) {
    const absent = document.node({ properties: { [trigger]: false } }, node.path, node);
    const present = document.node({ required: [trigger, ...(required ?? [])] }, node.path, node);
    const asked = schema === undefined ? [] : [child(schema, keyword, trigger)];
    groups.push(group(keyword, [branchOf([absent]), branchOf([present, ...asked])]));
  }
  return groups;
}

export interface BranchLook {
  /** False only when it is certain that no value satisfies all of `nodes`. */
  mayHold(nodes: readonly SchemaNode[]): boolean;
  /** The texts by which values of `nodes` can be told from others. */
  tagsOf(nodes: readonly SchemaNode[]): Tags;
}

/** The branches of a oneOf: for each, the schemas that exclude the other branches that might match as well. */
function exclusiveBranches(
  document: SchemaDocument,
  node: SchemaNode,
  branches: readonly Branch[],
  look: BranchLook,
): readonly Branch[] {
  const rivals = rivalsOf(branches.map((branch) => look.tagsOf(branch.nodes)));
  return branches.map((branch, index) => {
    let names: readonly string[] | undefined;
    const groups = (rivals[index] ?? []).flatMap((at) => {
      const [theirs] = branches[at]?.nodes ?? [];
      if (theirs === undefined || !look.mayHold([...branch.nodes, theirs])) return [];
      names ??= namedProperties(branch.nodes.flatMap((one) => declaring(document, one, 0)));
      const remedy = `both oneOf[${index}] and oneOf[${at}] may match; use anyOf, or give each a 'const' that differs`;
      return [exclusion(document, node, 'oneOf', negate(document, theirs, names), remedy)];
    });
    return branchOf(branch.nodes, groups);
  });
}

/** `node` and the schemas that it includes, which may all declare properties. */
function declaring(document: SchemaDocument, node: SchemaNode, depth: number): readonly SchemaNode[] {
  if (depth > 8 || node.never) return [];
  return [
    node,
    ...includedNodes(document, node).flatMap((included) => declaring(document, included, depth + 1)),
  ];
}

/** The ways of `negation`, as a choice. Throws invalid_json_schema with `remedy` where there are none. */
function exclusion(
  document: SchemaDocument,
  node: SchemaNode,
  keyword: string,
  negation: Negation,
  remedy: string,
): BranchGroup {
  if (negation.options.length === 0 && !negation.complete)
    throw refusal(node.path, keyword, `what it excludes cannot be kept from being generated; ${remedy}.`);
  const branches = negation.options.map((schema) => ({
    ...branchOf([document.node(schema, node.path, node)]),
    oddity: oddityOf(schema),
  }));
  return { node, keyword, branches, optional: true, plainFirst: keyword === 'oneOf' };
}

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
    const branches = [{ required: [name] }, { properties: { [name]: false } }].map((schema) =>
      branchOf([document.node(schema, holder.path, holder)]),
    );
    return [choiceOf(holder, 'if', branches)];
  });
}
