import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import { modelName, quietParameters } from '../parameters/generation-parameters.ts';
import { keepAlive } from '../parameters/keep-alive.ts';
import { list } from '../parameters/schema-parts.ts';
import { createParameterParser } from '../request/validate.ts';

const maxDocuments = 1024;

const text = z.string().min(1);

/** Cohere's parameters, and those of Jina and llama-server, which are the same. */
export const rerankSchema = z
  .object({
    model: modelName,
    query: text,
    documents: list(z.union([text, z.object({ text })]), { min: 1, max: maxDocuments }),
    top_n: z.int().min(1).optional().meta({ description: 'How many of the best are told; default: all.' }),
    return_documents: z.boolean().optional().meta({ default: false }),
    keep_alive: keepAlive.optional(),
    ...quietParameters,
  })
  .register(components, { id: 'Rerank' });

export const parseRerank = createParameterParser(rerankSchema);
