import { z } from 'zod';
import { createWireId } from '../generation/wire/wire-id.ts';
import { calledToolName } from '../parameters/tools/function-fields.ts';

/** A field with two sides: how requests may have it, read to the kept value, and how responses show that value. */
interface Field {
  readonly given: z.ZodType;
  readonly shown: z.ZodType;
}

type Side<Fields extends Record<string, Field>, Name extends keyof Field> = {
  readonly [Key in keyof Fields]: Fields[Key][Name];
};

/** The two schemas of an object of that `type`: `given` reads the object that `shown` describes, in this order. */
export function describe<const Type extends string, Fields extends Record<string, Field>>(
  type: Type,
  fields: Fields,
) {
  const head = { type: z.literal(type) };
  return {
    given: z.object({ ...head, ...sideOf(fields, 'given') }),
    shown: z.strictObject({ ...head, ...sideOf(fields, 'shown') }),
  };
}

function sideOf<Fields extends Record<string, Field>, Name extends keyof Field>(fields: Fields, name: Name) {
  const sides = Object.entries(fields).map(([key, field]) => [key, field[name]]);
  return Object.fromEntries(sides) as Side<Fields, Name>;
}

/** One side of each of `kinds`, in their order. */
export function sidesOf<const Kinds extends readonly Field[], Name extends keyof Field>(
  kinds: Kinds,
  name: Name,
) {
  return kinds.map((kind) => kind[name]) as { readonly [Index in keyof Kinds]: Kinds[Index][Name] };
}

/** `schema`, which may be left out or null: then it is not there. */
export const leftOut = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .transform((given) => (given ?? undefined) as z.output<Schema> | undefined)
    .optional();

export const orNull = <Value>(value: Value | null | undefined): Value | null => value ?? null;

const maxIdChars = 256;

const shownId = z.string().min(1);
export const givenId = shownId.max(maxIdChars);
/** The id of an item, which gets one where a request leaves it out. */
export const id = (prefix: string) => ({
  given: givenId.nullish().transform((given) => given ?? createWireId(prefix)),
  shown: shownId,
});

export const name = { given: calledToolName, shown: z.string().min(1) };
