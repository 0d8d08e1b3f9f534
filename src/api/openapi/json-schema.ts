import { z } from 'zod';
import type { JsonObject } from '../env.ts';

/** Bodies with a name of their own in the document; each is registered beside the route that has it. */
export const components = z.registry<{ id: string }>();

/** Where a component is in the document. */
function toReference(id: string): string {
  return `#/components/schemas/${id}`;
}

const options = {
  // What a client sends, before zod makes something else of it. Responses are the same either way.
  io: 'input',
  // Checks that are code say what they look like with `.meta()`.
  unrepresentable: 'any',
  uri: toReference,
  override({ jsonSchema }) {
    // Every integer of zod's is a safe one; saying so at each of them hides the bounds that mean something.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // zod's name of a check that is there as a pattern too, and no format that anybody else knows.
    if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    // The same without its end, of which pages would make a random text for their examples.
    if (jsonSchema.pattern?.endsWith('.*')) jsonSchema.pattern = jsonSchema.pattern.slice(0, -2);
  },
} as const satisfies z.core.RegistryToJSONSchemaParams;

/** The JSON schema of what `schema` accepts; a reference where it is a component, components in it written out. */
export function toJsonSchema(schema: z.ZodType): JsonObject {
  const id = components.get(schema)?.id;
  if (id !== undefined) return { $ref: toReference(id) };
  return withoutIdentity(z.toJSONSchema(schema, options));
}

/** The JSON schemas of all components by name; they refer to one another. */
export function toComponentSchemas(): Record<string, JsonObject> {
  const { schemas } = z.toJSONSchema(components, options);
  return Object.fromEntries(
    Object.entries(schemas).map(([id, jsonSchema]) => [id, withoutIdentity(jsonSchema)]),
  );
}

/** Where it is in the document says both already. */
function withoutIdentity(jsonSchema: JsonObject): JsonObject {
  const { $schema: _schema, $id: _id, ...rest } = jsonSchema;
  return rest;
}
