import type { Handler } from 'hono';
import type { Generation } from '../../engine/types.ts';
import type { AppContext, AppDeps, AppEnv } from '../env.ts';
import { findChatModel } from '../find-model.ts';
import { createLeaving } from '../leaving.ts';
import { admit, meteredRoutes } from '../metering.ts';
import type { Meter } from '../metering.ts';
import { clientLeft, logCause } from '../middleware/on-error.ts';
import { awaitStart, readWhole } from '../read-generation.ts';
import type { FinishedEnd } from '../read-generation.ts';
import { readBody } from '../read-parameters.ts';
import { sseResponse } from '../sse.ts';
import { outputSchemaPlace, toolParametersPlace, toWireError } from '../to-wire-error.ts';
import type { ParameterPlace } from '../to-wire-error.ts';
import { toGenerationRequest } from './convert.ts';
import { toChatMessages } from './convert-items.ts';
import { loadConversation } from './conversation.ts';
import type { ResponseEvent } from './event-schema.ts';
import { ResponseKeeper } from './response-keeper.ts';
import { ResponseEvents } from './response-events.ts';
import { toBegunResponse } from './response-object.ts';
import { parseResponse } from './schema.ts';
import { toServerSentEvents } from './stream.ts';
import { generateTruncated } from './truncate.ts';
import { refuseUnavailable } from './unavailable.ts';

const places: readonly ParameterPlace[] = [
  [outputSchemaPlace, 'text.format.schema'],
  [toolParametersPlace, 'tools[$1].parameters'],
  [/^messages$/, 'input'],
];

interface RunningResponse {
  readonly generation: Generation;
  readonly meter: Meter;
  readonly mapping: ResponseEvents;
  /** Ends the last item; the response is then complete. */
  finish(end: FinishedEnd): ResponseEvent[];
  /** Keeps the complete response where that was asked for. */
  keep(): void;
}

/** POST /v1/responses: checks in the public order, then generates. */
export function createResponse(deps: AppDeps): Handler<AppEnv> {
  const { catalog, clock, engine, settings } = deps;
  const keeper = new ResponseKeeper(deps);
  return async (c) => {
    const parameters = readBody(c, parseResponse);
    refuseUnavailable(parameters);
    const principal = c.get('principal');
    const named = findChatModel(catalog, principal, parameters.model);
    keeper.checkRoom(principal.accountId, parameters.store);
    const { history, input } = loadConversation(keeper.sourceFor(principal.accountId), parameters);
    const messages = toChatMessages(parameters.instructions, history, input);
    const request = toGenerationRequest(parameters, messages, named, principal, settings.reasoningTokens);
    const mapping = new ResponseEvents(
      toBegunResponse(parameters, request.sampling, toSeconds(clock.nowMs())),
      { withPackedThought: parameters.include?.includes('reasoning.encrypted_content') === true },
    );
    const { store } = parameters;
    const leaving = createLeaving(c);

    // Nothing may throw between the two: what is admitted must be settled.
    const meter = admit(c, deps, meteredRoutes.responses, named.model);
    const generation =
      parameters.truncation === 'auto'
        ? await generateTruncated(engine, request, leaving.signal)
        : engine.generate(request, leaving.signal);
    const running: RunningResponse = {
      generation,
      meter,
      mapping,
      finish: (end) => mapping.finish(end, { store: store === true, atSeconds: toSeconds(clock.nowMs()) }),
      keep: () => keeper.keep(principal.accountId, input, mapping.response, store),
    };
    try {
      if (parameters.stream !== true) return await respondWhole(c, running);
      return await respondStreamed(c, deps, running, () => leaving.abort());
    } catch (thrown) {
      // What a client sent is judged before any output: an error within a stream names no parameter.
      throw toWireError(thrown, places);
    }
  };
}

async function respondWhole(c: AppContext, running: RunningResponse): Promise<Response> {
  const { generation, meter, mapping } = running;
  const end = await readWhole(generation, meter, (event) => mapping.add(event));
  if (end === undefined) return clientLeft(c);
  running.finish(end);
  running.keep();
  return c.json(mapping.response);
}

async function respondStreamed(
  c: AppContext,
  deps: AppDeps,
  running: RunningResponse,
  leave: () => void,
): Promise<Response> {
  const started = await awaitStart(running.generation, running.meter);
  if (started === undefined) return clientLeft(c);
  const source = toServerSentEvents({
    ...started,
    ...running,
    requestId: c.get('requestId'),
    onFailure(error) {
      c.get('access').errorCode = error.code;
      logCause(deps.log, c.get('requestId'), error);
    },
  });
  return sseResponse(c, source, leave, deps.settings);
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
