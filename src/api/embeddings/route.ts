import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { findEmbeddingModel } from '../model/find-model.ts';
import { clientLeft } from '../generation/leaving.ts';
import { meteredRoutes, runMetered } from '../generation/metering.ts';
import { readBody } from '../request/read-parameters.ts';
import { inputPlaces } from '../parameters/text-inputs.ts';
import { toWireError } from '../generation/to-wire-error.ts';
import { toEmbeddingList } from './convert-answer.ts';
import { parseEmbedding } from './schema.ts';

/** POST /v1/embeddings: checks the request in the public order, then computes a vector for each text. */
export function embeddings(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseEmbedding);
    const { input, dimensions, encoding_format: format = 'float', keep_alive: keepAliveMs } = parameters;
    const principal = c.get('principal');
    const { name, model } = findEmbeddingModel(deps.catalog, principal, parameters.model);
    const request = {
      modelId: model.id,
      accountId: principal.accountId,
      keyId: principal.keyId,
      inputs: input.items,
      dimensions,
      ...(keepAliveMs !== undefined && { keepAliveMs }),
    };
    return await runMetered(c, deps, {
      route: meteredRoutes.embeddings,
      model,
      start: (signal) => ({ ended: deps.engine.embed(request, signal) }),
      use: async ({ ended }) => {
        const end = await ended;
        if (end.outcome === 'failed') throw toWireError(end.error, inputPlaces('inputs', 'input', input));
        if (end.outcome === 'aborted') return clientLeft(c);
        const body = await toEmbeddingList(name, end.vectors, format, end.usage);
        return c.body(body, 200, { 'content-type': 'application/json' });
      },
    });
  };
}
