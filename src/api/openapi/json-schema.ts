import { z } from 'zod';
import type { JsonObject } from '../env.ts';

/** The schemas that have a name in the document. Each is registered where it is defined. */
export const components = z.registry<{ id: string }>();

/** An object of an answer, without other fields than these. */
export function namedObject<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return named(id, z.strictObject(shape));
}

/** The parameters of a request. Other names than these are dropped. */
export function namedParameters<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return named(id, z.object(shape));
}

export function namedUnion<const Options extends readonly z.core.SomeType[]>(id: string, options: Options) {
  return named(id, z.union(options));
}

/** One of several forms, which are told apart by the field `mark`. */
export function namedUnionBy<
  Mark extends string,
  const Options extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(id: string, mark: Mark, options: Options) {
  return named(id, z.discriminatedUnion(mark, options));
}

/** `schema`, which from now on has the name `id` in the document. */
export function named<Schema extends z.core.$ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id });
  return schema;
}

/** The components to which `toJsonSchema` made references, by these. */
const referenced = new Map<unknown, z.ZodType>();

function toReference(id: string): string {
  return `#/components/schemas/${id}`;
}

const options = {
  // The schema of a client's value, before zod transforms it. For responses there is no difference.
  io: 'input',
  // Checks in code describe themselves with `.meta()`.
  unrepresentable: 'any',
  uri: toReference,
  override({ jsonSchema }) {
    // zod bounds every integer to the safe ones, which would hide the bounds that mean something.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // Only zod knows this format, and the same check is also there as a pattern.
    if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    // The end of such a pattern means nothing, and pages would generate random examples from it.
    if (jsonSchema.pattern?.endsWith('.*')) jsonSchema.pattern = jsonSchema.pattern.slice(0, -2);
  },
} as const satisfies z.core.RegistryToJSONSchemaParams;

/** The JSON schema of the values that `schema` accepts: a reference if it is a component, otherwise in full. */
export function toJsonSchema(schema: z.ZodType): JsonObject {
  const id = components.get(schema)?.id;
  if (id !== undefined) {
    const reference = toReference(id);
    referenced.set(reference, schema);
    return { $ref: reference };
  }
  return toFullJsonSchema(schema);
}

/** The JSON schema of the values that `schema` accepts, in full though it is a component. */
export function toFullJsonSchema(schema: z.ZodType): JsonObject {
  return withoutIdentity(z.toJSONSchema(schema, options));
}

/** `jsonSchema`, or the component to which it is a reference. */
export function resolveReference(jsonSchema: JsonObject): JsonObject {
  const component = referenced.get(jsonSchema['$ref']);
  return component === undefined ? jsonSchema : toFullJsonSchema(component);
}

/** The JSON schemas of all components, by name, with references to each other. */
export function toComponentSchemas(): Record<string, JsonObject> {
  const { schemas } = z.toJSONSchema(components, options);
  return Object.fromEntries(
    Object.entries(schemas).map(([id, jsonSchema]) => [id, withoutIdentity(jsonSchema)]),
  );
}

/** `jsonSchema` without the identity that its place in the document already gives it. */
function withoutIdentity(jsonSchema: JsonObject): JsonObject {
  const { $schema: _schema, $id: _id, ...rest } = jsonSchema;
  return rest;
}
