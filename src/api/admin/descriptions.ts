// Schemas and types that the descriptions of the admin routes share.
import { z } from 'zod';
import type { Answer, Operation } from '../openapi/operation.ts';

export const count = z.int().min(0);
export const time = count.meta({ description: 'Unix seconds.' });

export const listOf = <Item extends z.ZodType>(item: Item) => ({
  object: z.literal('list'),
  data: z.array(item),
});

/** An answer of one JSON document. */
export const json = (schema: z.ZodType, description: string): Answer => ({
  description,
  content: { 'application/json': schema },
});

/** A method and a path below /admin/v1, and what else describes them. */
export type AdminOperation = Omit<Operation, 'method' | 'path' | 'tag' | 'access'> & {
  readonly route: `${Operation['method']} ${string}`;
};
