import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';

const id = z.int().min(0);

export const tokenization = z
  .strictObject({
    tokens: z.array(
      z.union([id, z.strictObject({ id, piece: z.union([z.string(), z.array(z.int().min(0).max(255))]) })]),
    ),
    count: id,
    max_model_len: z.int().min(1).meta({ description: 'Tokens that the model holds.' }),
    token_strs: z.array(z.string()).nullable(),
  })
  .register(components, { id: 'Tokenization' });

/** The same text under llama-server's name and vLLM's. */
export const detokenization = z
  .strictObject({ content: z.string(), prompt: z.string() })
  .register(components, { id: 'Detokenization' });
