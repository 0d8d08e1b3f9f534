import type { Principal } from '../../accounts/types.ts';
import type { AppDeps, AppContext } from '../env.ts';
import type { FinishedGeneration, Engine, Generation } from '../../engine/generation/generation.ts';
import type { GenerationRequest, ChatMessage } from '../../engine/types.ts';
import { createLeaving } from '../generation/leaving.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { countPromptTokens, generationOf } from '../generation/checked-request.ts';
import { wantsProgress } from '../generation/wire/prompt-progress.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { readBody } from '../request/read-parameters.ts';
import { ResponseStream, toResponse, type ResponseOptions } from './answer.ts';
import { Approvals } from './mcp/approvals.ts';
import { loopOptions, newLists } from './mcp/loop-options.ts';
import type { LoopBlock, LoopEvent } from './mcp/served-call.ts';
import { ToolLoop } from './mcp/tool-loop.ts';
import { prepareResponse, type PreparedResponse } from './prepare.ts';
import { toBegunResponse } from './response-object.ts';
import { parseInputTokens, parseResponse, type ResponseParameters } from './schema.ts';
import { ResponseKeeper } from './stored/response-keeper.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import { compactConversation } from './compact/route.ts';
import { listServers } from './mcp/servers-route.ts';
import { storedRoutes } from './stored/stored-routes.ts';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors/errors.ts';

/** POST /v1/responses: checks the request in the public order, then generates. */
export async function createResponse(
  c: AppContext,
  deps: AppDeps,
  keeper: ResponseKeeper,
  approvals: Approvals,
): Promise<Response> {
  const { engine } = deps;
  const parameters = readBody(c, parseResponse);
  const principal = c.get('principal');
  const { signal: left } = createLeaving(c);
  const prepared = await prepareResponse(c, deps, keeper, parameters, left);
  const { stream, truncation } = parameters;
  keeper.checkRoom(principal.accountId, parameters.store);
  const options = responseOptions(deps, keeper, principal, parameters, prepared);
  const tellsProgress = wantsProgress(c, parameters, prepared.named);
  const generate = (turn: GenerationRequest, signal: AbortSignal) => {
    const one = { ...turn, tellsProgress };
    return truncation === 'auto' ? generateTruncated(engine, one, signal) : engine.generate(one, signal);
  };
  const loop = loopOptions({ c, deps, approvals, prepared, maxCalls: parameters.max_tool_calls });
  const begin = async (signal: AbortSignal) =>
    await prepared.quotes.readyFor(
      loop === undefined
        ? await generate(prepared.request, signal)
        : new ToolLoop({ ...loop, generate }, signal),
    );
  return await serveGeneration<LoopEvent, FinishedGeneration, { readonly blocks: readonly LoopBlock[] }>(
    c,
    deps,
    {
      ...generationOf(prepared, begin),
      route: meteredRoutes.responses,
      answer: stream === true ? new ResponseStream(options) : toResponse(options),
    },
  );
}

/** How the response to a prepared request is written, and kept by `keeper` where it is to be stored. */
export function responseOptions(
  { clock, health }: AppDeps,
  keeper: ResponseKeeper,
  { accountId }: Principal,
  parameters: ResponseParameters,
  { request, tools, input, history, servers, quotes }: PreparedResponse,
): ResponseOptions {
  const { store, include, reasoning } = parameters;
  const atSeconds = () => Math.floor(clock.nowMs() / 1000);
  return {
    begun: toBegunResponse(parameters, request.sampling, atSeconds()),
    first: newLists(servers, [...history, ...input]),
    // Thoughts are open here: the text of their summary is all of them.
    thoughtPlace: reasoning?.summary ? 'summary' : 'content',
    packsThoughts: include?.includes('reasoning.encrypted_content') === true,
    tools,
    quotes,
    ending: () => ({ store: store === true, atSeconds: atSeconds() }),
    keep: async (response) => {
      if (store === true) await health.writable();
      keeper.keep(accountId, input, response, store);
    },
  };
}

/** POST /v1/responses/input_tokens: checks the same. Nothing is computed, so nothing is charged. */
async function countInputTokens(c: AppContext, deps: AppDeps, keeper: ResponseKeeper): Promise<Response> {
  const parameters = readBody(c, parseInputTokens);
  const { signal } = createLeaving(c);
  const prepared = await prepareResponse(c, deps, keeper, parameters, signal);
  const tokens = await countPromptTokens(c, deps, prepared);
  return c.json({ object: 'response.input_tokens', input_tokens: tokens });
}

/** The routes of responses. `json` reads the body of a request. */
export function responseRoutes(deps: AppDeps, json: Middleware): Routes {
  const keeper = new ResponseKeeper(deps);
  const approvals = new Approvals(deps.signingKey);
  return {
    '/v1/responses': { POST: [json, (c) => createResponse(c, deps, keeper, approvals)] },
    '/v1/responses/compact': { POST: [json, (c) => compactConversation(c, deps, keeper)] },
    '/v1/responses/input_tokens': { POST: [json, (c) => countInputTokens(c, deps, keeper)] },
    '/v1/mcp_servers': { GET: (c) => listServers(c, deps) },
    ...storedRoutes(deps),
  };
}

/** The share of the turns that is dropped at a time: to render the rest after each single one would be slow. */
const droppedShare = 1 / 4;

/** The generation of `request`, without its oldest turns where all do not fit; system messages and the last stay. */
async function generateTruncated(
  engine: Engine,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Generation> {
  for (let tried = request; ;) {
    const generation = engine.generate(tried, signal);
    await generation.accepted;
    const shorter = (await isTooLong(generation)) ? withoutOldestTurns(tried) : undefined;
    if (shorter === undefined) return generation;
    tried = shorter;
  }
}

/** Whether the request does not fit. Such a generation has already ended when `accepted` resolves. */
async function isTooLong({ ended }: Generation): Promise<boolean> {
  const end = await Promise.race([ended, setImmediate(undefined)]);
  if (end?.outcome !== 'failed' || !(end.error instanceof AppError)) return false;
  return end.error.code === 'context_length_exceeded';
}

/** `request` without its oldest turns, which begin with messages of users; undefined if only one is left. */
function withoutOldestTurns(request: GenerationRequest): GenerationRequest | undefined {
  if (request.prompt.kind !== 'messages') return undefined;
  const { messages } = request.prompt;
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const firstKept = starts[Math.ceil(starts.length * droppedShare)];
  if (firstKept === undefined) return undefined;
  const stays = ({ role }: ChatMessage, index: number) => role === 'system' || index >= firstKept;
  return { ...request, prompt: { kind: 'messages', messages: messages.filter(stays) } };
}
