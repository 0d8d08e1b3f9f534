import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { findEmbeddingModel } from '../find-model.ts';
import { createLeaving } from '../leaving.ts';
import { admit, meteredRoutes } from '../metering.ts';
import { clientLeft } from '../middleware/on-error.ts';
import { toIgnoredHeader } from '../parameter-names.ts';
import { inputPlaces } from '../text-inputs.ts';
import { toWireError } from '../to-wire-error.ts';
import { toEmbeddingList } from './convert-answer.ts';
import { parseEmbedding } from './schema.ts';

/** POST /v1/embeddings: checks in the public order, then turns all texts into vectors. */
export function embeddings(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { parameters, ignored } = parseEmbedding(c.get('body'));
    if (ignored.length > 0) c.header('x-ignored-parameters', toIgnoredHeader(ignored));
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
    const leaving = createLeaving(c);

    // Nothing may throw between the two: what is admitted must be settled.
    const meter = admit(c, deps, meteredRoutes.embeddings, model);
    const end = await meter.settleAtEndOf({ ended: deps.engine.embed(request, leaving.signal) });
    if (end.outcome === 'failed') throw toWireError(end.error, inputPlaces('inputs', 'input', input));
    if (end.outcome === 'aborted') return clientLeft(c);
    const body = await toEmbeddingList(name, end.vectors, format, end.usage);
    return c.body(body, 200, { 'content-type': 'application/json' });
  };
}
