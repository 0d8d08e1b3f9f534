import { z } from 'zod';

const limitOf = (most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= most, {
      error: `must be an integer from 1 to ${most}`,
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, maximum: most });

/** A whole number of up to nine digits in a query. */
export const countIn = (error: string) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text), { error })
    .transform(Number)
    .meta({ type: 'integer', minimum: 0 });

export const pageOf = (most: number) => ({
  after: z.string().max(256).optional(),
  limit: limitOf(most).optional(),
});

export const pageFields = <Item extends z.ZodType>(item: Item) => ({
  data: z.array(item),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ object: z.literal('list'), ...pageFields(item) });

/** One page; in Anthropic's API without the `object`. */
export function toPage<Item extends { readonly id: string }>(data: readonly Item[], isMore: boolean) {
  return { data, first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: isMore };
}

export const toList = <Item extends { readonly id: string }>(data: readonly Item[], isMore: boolean) => ({
  object: 'list' as const,
  ...toPage(data, isMore),
});
