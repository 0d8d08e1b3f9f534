import { z } from 'zod';

/** Names that an object may have at `path` below `schema`; none where that is no object with names of its own. */
export function knownKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe) return knownKeys(schema.in, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => knownKeys(option, path));
  const [step, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    const { shape } = schema;
    return step === undefined ? Object.keys(shape) : knownKeys(shape[String(step)], rest);
  }
  if (schema instanceof z.ZodRecord) return knownKeys(schema.valueType, rest);
  return schema instanceof z.ZodArray ? knownKeys(schema.element, rest) : [];
}
