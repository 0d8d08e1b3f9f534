import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveWork } from '../generation/serve-work.ts';
import { createWireId } from '../generation/wire/wire-id.ts';
import { findRankingModel } from '../model/find-model.ts';
import { toModelUse } from '../model/model-names.ts';
import { readBody } from '../request/read-parameters.ts';
import { parseRerank } from './operation.ts';

/** POST /v1/rerank: checks the request in the public order, then judges each document. */
export function rerank(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseRerank);
    const { query, top_n: most, return_documents: repeats = false, keep_alive: keepAliveMs } = parameters;
    const documents = parameters.documents.map((one) =>
      (typeof one === 'string' ? one : one.text).toWellFormed(),
    );
    const principal = c.get('principal');
    const { name, model } = findRankingModel(deps.catalog, principal, parameters.model);
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
  };
}
