import { namedObject, namedParameters } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { z } from 'zod';
import { keepAlive } from '../parameters/keep-alive.ts';
import { modelName, quietParameters } from '../parameters/generation-parameters.ts';
import { textInputs } from '../parameters/text-inputs.ts';
import { createParameterParser } from '../request/validate.ts';

const maxInputs = 2048;

/** Every parameter that the endpoint knows, including those that it ignores and those that it refuses. */
const embeddingSchema = namedParameters('CreateEmbedding', {
  model: modelName,
  input: textInputs({ max: maxInputs, mayBeEmpty: false }),
  encoding_format: z.enum(['float', 'base64']).optional(),
  dimensions: z.int().min(1).optional(),
  keep_alive: keepAlive.optional(),

  ...quietParameters,
});

export const parseEmbedding = createParameterParser(embeddingSchema);

const count = z.int().min(0);

const embedding = namedObject('Embedding', {
  object: z.literal('embedding'),
  index: count.meta({ description: 'Of the input.' }),
  embedding: z
    .union([z.array(z.number().min(-1).max(1)).min(1), z.base64().min(1)])
    .meta({ description: 'A vector of length 1: numbers, or little-endian 32-bit numbers in base64.' }),
});

const embeddingList = namedObject('EmbeddingList', {
  object: z.literal('list'),
  data: z.array(embedding).min(1),
  model: z.string().min(1).meta({ description: 'As it was asked for.' }),
  usage: z.strictObject({ prompt_tokens: count, total_tokens: count }),
});

export const embeddingOperations = operationsOf(['Embeddings', 'user'], {
  createEmbedding: {
    route: 'POST /v1/embeddings',
    summary: 'Turn texts into vectors',
    description:
      'Each input gets a vector of length 1, so that a dot product of two is their cosine similarity.',
    body: {
      schema: embeddingSchema,
      example: { model: modelKinds.embedding.placeholder, input: ['The fox slept.', 'A fox was asleep.'] },
    },
    answer: json(embeddingList, 'The vectors.'),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
});
