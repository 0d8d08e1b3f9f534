import { components } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { modelErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { embeddingList } from './response-schema.ts';
import { embeddingSchema } from './schema.ts';

export const createEmbedding: Operation = {
  method: 'POST',
  path: '/v1/embeddings',
  id: 'createEmbedding',
  tag: 'Embeddings',
  summary: 'Turn texts into vectors',
  description:
    'Each input gets a vector of length 1, so that a dot product of two is their cosine similarity.',
  access: 'user',
  body: {
    schema: embeddingSchema.register(components, { id: 'CreateEmbedding' }),
    example: { model: modelKinds.embedding.placeholder, input: ['The fox slept.', 'A fox was asleep.'] },
  },
  responses: {
    200: { description: 'The vectors.', content: { 'application/json': embeddingList } },
  },
  errors: [...modelErrors, 'context_length_exceeded'],
};
