import { z } from 'zod';
import { list } from '../../parameters/schema-parts.ts';
import { createParameterParser } from '../../request/validate.ts';

const maxIdChars = 256;
const maxPageItems = 100;

/**
 * `include` has no effect, because responses always have what it can name. OpenAI's clients write lists with brackets.
 */
const include = { include: z.string().optional(), 'include[]': list(z.string(), { max: 16 }).optional() };

const flag = z.enum(['true', 'false']).optional();

export const responseQuery = z.object({
  stream: flag,
  starting_after: z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text), { error: 'must be the number of an event' })
    .transform(Number)
    .meta({ type: 'integer', minimum: 0 })
    .optional(),
  include_obfuscation: flag,
  ...include,
});

export const itemsQuery = z.object({
  after: z.string().max(maxIdChars).optional(),
  limit: z
    .string()
    .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPageItems, {
      error: `must be an integer from 1 to ${maxPageItems}`,
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, maximum: maxPageItems })
    .optional(),
  order: z.enum(['asc', 'desc']).optional(),
  ...include,
});

export const parseResponseQuery = createParameterParser(responseQuery);
export const parseItemsQuery = createParameterParser(itemsQuery);
