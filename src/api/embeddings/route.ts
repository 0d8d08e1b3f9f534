import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { findEmbeddingModel } from '../model/find-model.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveWork } from '../generation/serve-work.ts';
import { toModelUse } from '../model/model-names.ts';
import { readBody } from '../request/read-parameters.ts';
import { inputPlaces } from '../parameters/text-inputs.ts';
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
      ...toModelUse(model, principal, keepAliveMs),
      inputs: input.items,
      dimensions,
    };
    const job = {
      route: meteredRoutes.embeddings,
      model,
      work: (signal: AbortSignal) => deps.engine.embed(request, signal),
      places: inputPlaces('inputs', 'input', input),
    };
    return await serveWork(c, deps, job, async ({ vectors, usage }) => {
      const body = await toEmbeddingList(name, vectors, format, usage);
      return c.body(body, 200, { 'content-type': 'application/json' });
    });
  };
}
