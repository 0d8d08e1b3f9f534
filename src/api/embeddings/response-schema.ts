import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';

const count = z.int().min(0);

const embedding = z
  .strictObject({
    object: z.literal('embedding'),
    index: count.meta({ description: 'Of the input.' }),
    embedding: z
      .union([z.array(z.number().min(-1).max(1)).min(1), z.base64().min(1)])
      .meta({ description: 'A vector of length 1: numbers, or little-endian 32-bit numbers in base64.' }),
  })
  .register(components, { id: 'Embedding' });

export const embeddingList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(embedding).min(1),
    model: z.string().min(1).meta({ description: 'As it was asked for.' }),
    usage: z.strictObject({ prompt_tokens: count, total_tokens: count }),
  })
  .register(components, { id: 'EmbeddingList' });
