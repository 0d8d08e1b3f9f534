import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';

const count = z.int().min(0);

export const ranking = z
  .strictObject({
    id: z.string().startsWith('rerank_'),
    object: z.literal('list'),
    model: z.string().min(1).meta({ description: 'As it was asked for.' }),
    results: z
      .array(
        z.strictObject({
          index: count.meta({ description: 'Of the document.' }),
          relevance_score: z.number().min(0).max(1),
          document: z.strictObject({ text: z.string() }).optional(),
        }),
      )
      .min(1)
      .meta({ description: 'The best first.' }),
    usage: z.strictObject({ prompt_tokens: count, total_tokens: count }),
  })
  .register(components, { id: 'Ranking' });
