/** The parts of the OpenAPI document that the reference reads. */
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Operation extends Described {
  readonly method: string;
  readonly path: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly (string | number)[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export const operationsIn = ({ paths }: ApiDocument): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({ ...one, path, method: method.toUpperCase() })),
  );

type Schemas = ApiDocument['components']['schemas'];

/** `schema` itself where it only refers to another one. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  const { $ref: _, ...own } = schema;
  return name === undefined ? schema : resolved({ ...schemas[name], ...own }, schemas);
}

/** A schema that refers to itself has no end. */
const deepest = 5;

/** The objects that a value of `schema` has in it or may be, each with its fields. */
export function objectsIn(schema: Schema, schemas: Schemas, depth = 0): readonly Schema[] {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = resolved(schema, schemas);
  if (properties !== undefined) return [resolved(schema, schemas)];
  if (depth > deepest) return [];
  const more = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const parts = [...(items ? [items] : []), ...(anyOf ?? oneOf ?? allOf ?? []), ...more];
  return parts.flatMap((part) => objectsIn(part, schemas, depth + 1));
}

/** A type for people: `string`, `list of integer`, `"auto" or "none"`. */
export function typeOf(schema: Schema, schemas: Schemas, depth = 0): string {
  const {
    const: only,
    enum: values,
    anyOf,
    oneOf,
    allOf,
    type,
    items,
    minimum,
    exclusiveMinimum: above,
    maximum,
  } = resolved(schema, schemas);
  const inside = (part: Schema) => (depth > deepest ? 'anything' : typeOf(part, schemas, depth + 1));
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(inside))].join(' or ');
  if (allOf?.[0] !== undefined) return inside(allOf[0]);
  if (type === 'array') return `list of ${items === undefined ? 'anything' : inside(items)}`;
  const bounds = [
    minimum !== undefined && Math.abs(minimum) < 1e9 && `from ${minimum}`,
    above !== undefined && `above ${above}`,
    maximum !== undefined && Math.abs(maximum) < 1e9 && `to ${maximum}`,
  ];
  return [[type ?? 'anything'].flat().join(' or '), ...bounds.filter(Boolean)].join(' ');
}
