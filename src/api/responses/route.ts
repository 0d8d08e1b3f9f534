import type { Handler } from 'hono';
import type { Generation } from '../../engine/generation.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { createLeaving } from '../generation/leaving.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { toWireError } from '../generation/to-wire-error.ts';
import { readBody } from '../request/read-parameters.ts';
import { ResponseEvents } from './events/response-events.ts';
import { StreamedResponse, WholeResponse } from './events/stream.ts';
import { prepareResponse } from './prepare.ts';
import { toBegunResponse } from './response-object.ts';
import { parseInputTokens, parseResponse } from './schema.ts';
import type { ResponseKeeper } from './stored/response-keeper.ts';
import { generateTruncated } from './truncate.ts';

/** POST /v1/responses: checks the request in the public order, then generates. */
export function createResponse(deps: AppDeps, keeper: ResponseKeeper): Handler<AppEnv> {
  const { clock, engine } = deps;
  return async (c) => {
    const parameters = readBody(c, parseResponse);
    const { accountId } = c.get('principal');
    const { named, request, files, tools, input, places } = prepareResponse(c, deps, keeper, parameters);
    const { store, stream, truncation, include, reasoning } = parameters;
    keeper.checkRoom(accountId, store);
    const atSeconds = () => Math.floor(clock.nowMs() / 1000);
    const events = new ResponseEvents(toBegunResponse(parameters, request.sampling, atSeconds()), {
      thoughts: {
        // Thoughts are open here: the text of their summary is all of them.
        place: reasoning?.summary ? 'summary' : 'content',
        packed: include?.includes('reasoning.encrypted_content') === true,
      },
      tools,
    });
    const response = {
      events,
      ending: () => ({ store: store === true, atSeconds: atSeconds() }),
      keep: () => keeper.keep(accountId, input, events.response, store),
    };
    return await serveGeneration(c, deps, {
      route: meteredRoutes.responses,
      model: named.model,
      generate: (signal) =>
        files.whenFetched<Generation>(signal, () =>
          truncation === 'auto'
            ? generateTruncated(engine, request, signal)
            : engine.generate(request, signal),
        ),
      answer:
        stream === true
          ? { kind: 'streamed', mapping: new StreamedResponse(response) }
          : { kind: 'whole', mapping: new WholeResponse(response) },
      places,
    });
  };
}

/** POST /v1/responses/input_tokens: checks the same. Nothing is computed, so nothing is charged. */
export function countInputTokens(deps: AppDeps, keeper: ResponseKeeper): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseInputTokens);
    const { named, request, files, places } = prepareResponse(c, deps, keeper, parameters);
    c.get('access').model = named.model.id;
    const { signal } = createLeaving(c);
    try {
      const tokens = await files.whenFetched(signal, () => deps.engine.countTokens(request, signal));
      return c.json({ object: 'response.input_tokens', input_tokens: tokens });
    } catch (thrown) {
      throw toWireError(thrown, places);
    }
  };
}
