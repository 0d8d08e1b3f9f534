import { z } from 'zod';
import type { JsonObject } from '../../engine/types.ts';
import { toWellFormedJson } from '../request/json-nesting.ts';
import type { DeclarableCode } from '../request/parameter-error.ts';
import { toJsonSchema } from '../openapi/json-schema.ts';

/** Deeper than the engine accepts for schemas, so that the engine's more precise errors come first. */
const maxJsonDepth = 128;

/**
 * The schema of an array of `item` that stops at the first wrong item. zod's own array reports every wrong item, so
 * that one small request of `[0,0,0,…]` could block the event loop for seconds.
 */
export function list<Item extends z.ZodType>(item: Item, limits: { min?: number; max: number }) {
  const { min = 0, max } = limits;
  const parse = z.unknown().transform((value, context): z.output<Item>[] => {
    if (!Array.isArray(value)) {
      context.issues.push({ code: 'invalid_type', expected: 'array', input: value });
      return z.NEVER;
    }
    const given: readonly unknown[] = value;
    if (given.length < min) {
      context.issues.push({
        code: 'too_small',
        origin: 'array',
        minimum: min,
        inclusive: true,
        input: value,
      });
      return z.NEVER;
    }
    if (given.length > max) {
      context.issues.push({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: value });
      return z.NEVER;
    }
    const items: z.output<Item>[] = [];
    for (const [index, element] of given.entries()) {
      const result = item.safeParse(element);
      if (!result.success) {
        const [issue] = result.error.issues;
        if (issue !== undefined) {
          context.issues.push({
            ...issue,
            path: [index, ...issue.path],
            input: element,
          } as z.core.$ZodRawIssue);
        }
        return z.NEVER;
      }
      items.push(result.data);
    }
    return items;
  });
  return parse.meta({
    type: 'array',
    items: toJsonSchema(item),
    ...(min > 0 && { minItems: min }),
    maxItems: max,
  });
}

/** zod's NEVER, after a value was refused: `complaint` completes `'<param>' …`, `path` leads to its wrong part. */
export function refuse(
  context: z.core.$RefinementCtx,
  complaint: string,
  { path = [], code }: { path?: readonly PropertyKey[]; code?: DeclarableCode } = {},
): typeof z.NEVER {
  const { issues, value: input } = context;
  issues.push({ code: 'custom', message: complaint, input, path: [...path], params: { code } });
  return z.NEVER;
}

/** `schema`, or `value` where it is null or left out. */
export const orElse = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.nullish().transform((given) => given ?? value);

/**
 * Marks of parts to be cached, in Anthropic's form; without effect: every prompt is taken from the cache where it can
 * be.
 */
export const cacheMark = { cache_control: z.unknown().optional() };

/** Any array. Its items are not checked here. */
export const anyArray = z
  .custom<readonly unknown[]>((value) => Array.isArray(value), {
    error: 'must be an array',
    params: { code: 'invalid_type' },
  })
  .meta({ type: 'array' });

/** Any object but arrays. Its fields are not checked here. */
export const anyObject = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: 'must be an object', params: { code: 'invalid_type' } },
  )
  .meta({ type: 'object' });

/** An object of `value`s by any names. Other than zod's own, which drops it, it has the name `__proto__` as any other. */
export function mapOf<Value extends z.ZodType>(value: Value) {
  return anyObject
    .transform((given, context): Readonly<Record<string, z.output<Value>>> => {
      const read = Object.entries(given).map(([name, one]) => {
        const { data, error } = value.safeParse(one);
        for (const issue of error?.issues ?? [])
          context.addIssue({ ...issue, code: 'custom', path: [name, ...issue.path] });
        return [name, data] as const;
      });
      return Object.fromEntries(read) as Record<string, z.output<Value>>;
    })
    .meta({ type: 'object', additionalProperties: toJsonSchema(value) });
}

/** A name of at most `maxChars` letters, digits, underscores and hyphens. */
export function nameOf(maxChars: number) {
  const pattern = new RegExp(`^[a-zA-Z0-9_-]{1,${maxChars}}$`);
  return z
    .string()
    .refine((name) => pattern.test(name), {
      error: `must be 1 to ${maxChars} letters, digits, underscores or hyphens`,
    })
    .meta({ pattern: pattern.source });
}

export const wireName = nameOf(64);

/** Any JSON object that is not too deep to be walked through recursively. `code` is for one that is. */
export const jsonObject = (code: DeclarableCode = 'invalid_value') =>
  anyObject.transform((object, context): JsonObject => {
    const copy = toWellFormedJson(object, maxJsonDepth);
    if (copy !== undefined) return copy as JsonObject;
    return refuse(context, `must be nested at most ${maxJsonDepth} levels deep`, { code });
  });

/** Any JSON object as a JSON schema. The engine checks its keywords. */
export const jsonSchemaObject = jsonObject('invalid_json_schema');
