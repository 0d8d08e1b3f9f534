import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { clientLeft } from '../generation/leaving.ts';
import { meteredRoutes, runMetered } from '../generation/metering.ts';
import { toWireError } from '../generation/to-wire-error.ts';
import { createWireId } from '../generation/wire-id.ts';
import { findRankingModel } from '../model/find-model.ts';
import { readBody } from '../request/read-parameters.ts';
import { parseRerank } from './schema.ts';

/** POST /v1/rerank: checks the request in the public order, then judges each document. */
export function rerank(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseRerank);
    const { query, top_n: most, return_documents: repeats = false, keep_alive: keepAliveMs } = parameters;
    const documents = parameters.documents.map((one) =>
      (typeof one === 'string' ? one : one.text).toWellFormed(),
    );
    const { accountId, keyId } = c.get('principal');
    const { name, model } = findRankingModel(deps.catalog, c.get('principal'), parameters.model);
    const request = {
      modelId: model.id,
      accountId,
      keyId,
      query: query.toWellFormed(),
      documents,
      ...(keepAliveMs !== undefined && { keepAliveMs }),
    };
    return await runMetered(c, deps, {
      route: meteredRoutes.rerank,
      model,
      start: (signal) => ({ ended: deps.engine.rank(request, signal) }),
      use: async ({ ended }) => {
        const end = await ended;
        if (end.outcome === 'failed') throw toWireError(end.error, [[/^inputs(?=\[)/, 'documents']]);
        if (end.outcome === 'aborted') return clientLeft(c);
        const results = end.scores
          .map((score, index) => ({
            index,
            relevance_score: score,
            ...(repeats && { document: { text: documents[index] ?? '' } }),
          }))
          .toSorted((a, b) => b.relevance_score - a.relevance_score)
          .slice(0, most);
        const { promptTokens } = end.usage;
        return c.json({
          id: createWireId('rerank'),
          object: 'list',
          model: name,
          results,
          usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
        });
      },
    });
  };
}
