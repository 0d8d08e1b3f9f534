import { isArray, own, type Json } from './json-value.ts';
import { listOf, membersOf, namesOf, textOf } from './keywords.ts';
import type { SchemaDocument, SchemaNode } from './schema-document.ts';

/** The schemas that `node` refers to. */
export function referred(document: SchemaDocument, node: SchemaNode): readonly SchemaNode[] {
  return ['$ref', '$dynamicRef', '$recursiveRef'].flatMap((keyword) => {
    const ref = textOf(node, keyword);
    return ref === undefined ? [] : [document.resolve(node, ref, keyword)];
  });
}

/** The schemas in allOf and $ref of `node`, which its value has to satisfy as well. */
export function includedNodes(document: SchemaDocument, node: SchemaNode): readonly SchemaNode[] {
  const all = listOf(node, 'allOf') ?? [];
  const included = all.map((schema, index) => document.child(node, schema, 'allOf', index));
  return [...referred(document, node), ...included];
}

/** `prefixItems` and `items` of `node` as in draft 2020-12, whichever draft it is written in. */
export function itemsOf(node: SchemaNode): {
  readonly prefix: readonly Json[];
  readonly prefixKeyword: string;
  readonly rest: Json | undefined;
  readonly restKeyword: string;
} {
  const items = own(node.schema, 'items');
  if (isArray(items))
    return {
      prefix: items,
      prefixKeyword: 'items',
      rest: own(node.schema, 'additionalItems'),
      restKeyword: 'additionalItems',
    };
  return {
    prefix: listOf(node, 'prefixItems') ?? [],
    prefixKeyword: 'prefixItems',
    rest: items,
    restKeyword: 'items',
  };
}

/** A demand on objects with the property `trigger`: they have other properties, or satisfy a schema. */
export interface Dependency {
  readonly keyword: string;
  readonly trigger: string;
  readonly required: readonly string[] | undefined;
  readonly schema: Json | undefined;
}

export function dependenciesOf(node: SchemaNode): readonly Dependency[] {
  return ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((keyword) =>
    membersOf(node, keyword).map(([trigger, value]) =>
      isArray(value)
        ? { keyword, trigger, required: namesOf(node, keyword, value), schema: undefined }
        : { keyword, trigger, required: undefined, schema: value },
    ),
  );
}
