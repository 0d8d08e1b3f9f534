import type { AppDeps, AppContext } from '../env.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveWork } from '../generation/serve-work.ts';
import { createWireId } from '../generation/wire/wire-id.ts';
import { findModelFor } from '../model/find-model.ts';
import { toModelUse } from '../model/model-names.ts';
import { readBody } from '../request/read-parameters.ts';
import { modelKinds } from '../../model-kinds.ts';
import { json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { z } from 'zod';
import { namedObject, namedParameters } from '../openapi/json-schema.ts';
import { modelName, quietParameters, keepAlive } from '../parameters/generation-parameters.ts';
import { list } from '../parameters/schema-parts.ts';

const maxDocuments = 1024;

const text = z.string().min(1);

/** Cohere's parameters, and those of Jina and llama-server, which are the same. */
const rerankSchema = namedParameters('Rerank', {
  model: modelName,
  query: text,
  documents: list(z.union([text, z.object({ text })]), { min: 1, max: maxDocuments }),
  top_n: z.int().min(1).optional().describe('How many of the best are told; default: all.'),
  return_documents: z.boolean().optional().meta({ default: false }),
  keep_alive: keepAlive.optional(),
  ...quietParameters,
});

const count = z.int().min(0);

export const ranking = namedObject('Ranking', {
  id: z.string().startsWith('rerank_'),
  object: z.literal('list'),
  model: z.string().min(1).describe('As it was asked for.'),
  results: z
    .array(
      z.strictObject({
        index: count.describe('Of the document.'),
        relevance_score: z.number().min(0).max(1),
        document: z.strictObject({ text: z.string() }).optional(),
      }),
    )
    .min(1)
    .describe('The best first.'),
  usage: z.strictObject({ prompt_tokens: count, total_tokens: count }),
});

/** The route stands at the root as well, where llama-server has it. */
export const rerankOperations = operationsOf(['Reranking', 'user'], {
  rerank: {
    route: 'POST /v1/rerank',
    isAtRoot: true,
    summary: 'Rank texts by their relevance to a query',
    description: 'For models that judge a query and a text together (cross-encoders).',
    body: {
      schema: rerankSchema,
      example: {
        model: modelKinds.reranker.placeholder,
        query: 'Who slept?',
        documents: ['The fox slept.', 'It rained.'],
      },
    },
    answer: json(ranking, 'The ranking.'),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
});

/** POST /v1/rerank: checks the request in the public order, then judges each document. */
export async function rerank(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, rerankSchema);
  const { query, top_n: most, return_documents: repeats = false, keep_alive: keepAliveMs } = parameters;
  const documents = parameters.documents.map((one) =>
    (typeof one === 'string' ? one : one.text).toWellFormed(),
  );
  const principal = c.get('principal');
  const { name, model } = findModelFor('ranking', deps.catalog, principal, parameters.model);
  const request = {
    ...toModelUse(model, principal, keepAliveMs),
    query: query.toWellFormed(),
    documents,
  };
  const job = {
    route: meteredRoutes.rerank,
    model,
    work: (signal: AbortSignal) => deps.engine.rank(request, signal),
    places: [[/^inputs(?=\[)/, 'documents'] as const],
  };
  return await serveWork(c, deps, job, ({ scores, usage: { promptTokens } }) => {
    const results = scores
      .map((score, index) => ({
        index,
        relevance_score: score,
        ...(repeats && { document: { text: documents[index] ?? '' } }),
      }))
      .toSorted((a, b) => b.relevance_score - a.relevance_score)
      .slice(0, most);
    return c.json({
      id: createWireId('rerank'),
      object: 'list',
      model: name,
      results,
      usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    });
  });
}
