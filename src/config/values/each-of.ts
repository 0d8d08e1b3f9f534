import { z } from 'zod';

/** An object with `schema` under each of `names`. */
export const eachOf = <Name extends string, Schema extends z.ZodType>(
  names: readonly Name[],
  schema: Schema,
): z.ZodObject<Record<Name, Schema>, z.core.$strict> =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>);
