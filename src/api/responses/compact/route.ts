import type { Handler } from 'hono';
import type { GenerationRequest } from '../../../engine/types.ts';
import type { AppDeps, AppEnv } from '../../env.ts';
import { createLeaving } from '../../generation/leaving.ts';
import { meteredRoutes } from '../../generation/metering.ts';
import { generationOf } from '../../generation/checked-request.ts';
import { serveGeneration } from '../../generation/serve-generation.ts';
import { readBody } from '../../request/read-parameters.ts';
import { prepareResponse } from '../prepare.ts';
import type { ResponseKeeper } from '../stored/response-keeper.ts';
import { CompactedAnswer } from './compacted-answer.ts';
import { parseCompact } from './schema.ts';

/** No summary of a conversation is shorter. A model that ended its turn at once would lose all of it. */
const leastSummaryTokens = 16;
const mostSummaryTokens = 4096;

const task =
  'Summarise this conversation for somebody who will continue it and has not seen it. Say what was asked for, what was ' +
  'done and decided and why, what was found out (with names, paths, numbers and quotations where they matter), what is ' +
  'not finished, and what comes next. Write nothing but the summary.';

/** POST /v1/responses/compact: the model writes a summary with which the conversation can go on in fewer tokens. */
export function compactConversation(deps: AppDeps, keeper: ResponseKeeper): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseCompact);
    const { signal: left } = createLeaving(c);
    const prepared = await prepareResponse(deps, c.get('principal'), keeper, parameters, left);
    const items = [...prepared.history, ...prepared.input];
    const atSeconds = Math.floor(deps.clock.nowMs() / 1000);
    const request = toSummaryRequest(prepared.request);
    return await serveGeneration(c, deps, {
      ...generationOf(prepared, (signal) => deps.engine.generate(request, signal)),
      route: meteredRoutes.responsesCompact,
      answer: { kind: 'whole', mapping: new CompactedAnswer(items, atSeconds) },
    });
  };
}

/** The request for a summary of what `request` asks about: without tools and thoughts. */
function toSummaryRequest(request: GenerationRequest): GenerationRequest {
  const { tools: _, ...rest } = request;
  const messages = request.prompt.kind === 'messages' ? request.prompt.messages : [];
  return {
    ...rest,
    prompt: { kind: 'messages', messages: [...messages, { role: 'user', content: task }] },
    minTokens: leastSummaryTokens,
    maxTokens: mostSummaryTokens,
    ...(request.reasoning && { reasoning: { enabled: false } }),
  };
}
