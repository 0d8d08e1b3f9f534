import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import type { FinishedGeneration } from '../../engine/generation.ts';
import type { GenerationRequest } from '../../engine/types.ts';
import { createLeaving } from '../generation/leaving.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { countPromptTokens, generationOf } from '../generation/checked-request.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { readBody } from '../request/read-parameters.ts';
import { ResponseEvents } from './events/response-events.ts';
import { StreamedResponse, WholeResponse } from './events/stream.ts';
import { Approvals } from './mcp/approvals.ts';
import { loopOptions, newLists } from './mcp/loop-options.ts';
import type { LoopEvent } from './mcp/loop-events.ts';
import { ToolLoop } from './mcp/tool-loop.ts';
import { prepareResponse } from './prepare.ts';
import { toBegunResponse } from './response-object.ts';
import { parseInputTokens, parseResponse } from './schema.ts';
import type { ResponseKeeper } from './stored/response-keeper.ts';
import { generateTruncated } from './truncate.ts';

/** POST /v1/responses: checks the request in the public order, then generates. */
export function createResponse(deps: AppDeps, keeper: ResponseKeeper): Handler<AppEnv> {
  const { clock, engine } = deps;
  const approvals = new Approvals(deps.signingKey);
  return async (c) => {
    const parameters = readBody(c, parseResponse);
    const principal = c.get('principal');
    const { signal: left } = createLeaving(c);
    const prepared = await prepareResponse(deps, principal, keeper, parameters, left);
    const { request, tools, input, history, servers } = prepared;
    const { store, stream, truncation, include, reasoning } = parameters;
    keeper.checkRoom(principal.accountId, store);
    const atSeconds = () => Math.floor(clock.nowMs() / 1000);
    const events = new ResponseEvents(toBegunResponse(parameters, request.sampling, atSeconds()), {
      thoughts: {
        // Thoughts are open here: the text of their summary is all of them.
        place: reasoning?.summary ? 'summary' : 'content',
        packed: include?.includes('reasoning.encrypted_content') === true,
      },
      tools,
      first: newLists(servers, [...history, ...input]),
    });
    const generate = (one: GenerationRequest, signal: AbortSignal) =>
      truncation === 'auto' ? generateTruncated(engine, one, signal) : engine.generate(one, signal);
    const loop = loopOptions({ c, deps, approvals, prepared, events, maxCalls: parameters.max_tool_calls });
    const response = {
      events,
      ending: () => ({ store: store === true, atSeconds: atSeconds() }),
      keep: () => keeper.keep(principal.accountId, input, events.response, store),
    };
    const begin = (signal: AbortSignal) =>
      loop === undefined ? generate(request, signal) : new ToolLoop({ ...loop, generate }, signal);
    return await serveGeneration<LoopEvent, FinishedGeneration>(c, deps, {
      ...generationOf(prepared, begin),
      route: meteredRoutes.responses,
      answer:
        stream === true
          ? { kind: 'streamed', mapping: new StreamedResponse(response) }
          : { kind: 'whole', mapping: new WholeResponse(response) },
    });
  };
}

/** POST /v1/responses/input_tokens: checks the same. Nothing is computed, so nothing is charged. */
export function countInputTokens(deps: AppDeps, keeper: ResponseKeeper): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseInputTokens);
    const { signal } = createLeaving(c);
    const prepared = await prepareResponse(deps, c.get('principal'), keeper, parameters, signal);
    const tokens = await countPromptTokens(c, deps, prepared);
    return c.json({ object: 'response.input_tokens', input_tokens: tokens });
  };
}
