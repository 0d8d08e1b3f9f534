import { modelKinds } from '../../model-kinds.ts';
import { modelErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { ranking } from './response-schema.ts';
import { rerankSchema } from './schema.ts';

const rerank: Operation = {
  method: 'POST',
  path: '/v1/rerank',
  id: 'rerank',
  tag: 'Reranking',
  summary: 'Rank texts by what they have to do with a query',
  description: 'For models that judge a query and a text together (cross-encoders).',
  access: 'user',
  body: {
    schema: rerankSchema,
    example: {
      model: modelKinds.reranker.placeholder,
      query: 'Who slept?',
      documents: ['The fox slept.', 'It rained.'],
    },
  },
  responses: { 200: { description: 'The ranking.', content: { 'application/json': ranking } } },
  errors: [...modelErrors, 'context_length_exceeded'],
};

/** The route stands at the root as well, where llama-server has it. */
export const rerankOperations: readonly Operation[] = [
  rerank,
  { ...rerank, path: '/rerank', id: 'rerankAtRoot' },
];
