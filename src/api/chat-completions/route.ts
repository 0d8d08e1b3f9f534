import type { Handler } from 'hono';
import type { Generation } from '../../engine/types.ts';
import type { AppContext, AppDeps, AppEnv } from '../env.ts';
import { findChatModel } from '../find-model.ts';
import { createLeaving } from '../leaving.ts';
import { admit, meteredRoutes } from '../metering.ts';
import type { Meter } from '../metering.ts';
import { clientLeft, logCause } from '../middleware/on-error.ts';
import { toIgnoredHeader } from '../parameter-names.ts';
import { awaitStart, readWhole } from '../read-generation.ts';
import { sseResponse } from '../sse.ts';
import { outputSchemaPlace, toolParametersPlace, toWireError } from '../to-wire-error.ts';
import type { ParameterPlace } from '../to-wire-error.ts';
import { AnswerCollector } from './collect-answer.ts';
import { toChatCompletion } from './convert-answer.ts';
import { createCompletionIdentity } from '../completion-identity.ts';
import type { CompletionIdentity } from '../completion-identity.ts';
import { toGenerationRequest } from './convert.ts';
import { parseChatCompletion } from './schema.ts';
import { toChatEvents } from './stream.ts';
import { refuseUnavailable } from './unavailable.ts';

const places: readonly ParameterPlace[] = [
  [outputSchemaPlace, 'response_format.json_schema.schema'],
  [toolParametersPlace, 'tools[$1].function.parameters'],
];

interface RunningCompletion {
  readonly identity: CompletionIdentity;
  readonly generation: Generation;
  readonly meter: Meter;
  readonly withLogprobs: boolean;
}

/** POST /v1/chat/completions: checks in the public order, then generates. */
export function chatCompletions(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { parameters, ignored } = parseChatCompletion(c.get('body'));
    if (ignored.length > 0) c.header('x-ignored-parameters', toIgnoredHeader(ignored));
    refuseUnavailable(parameters);
    const principal = c.get('principal');
    const named = findChatModel(deps.catalog, principal, parameters.model);
    const request = toGenerationRequest(parameters, named, principal, deps.settings.reasoningTokens);
    const identity = createCompletionIdentity('chatcmpl', named, deps);
    const leaving = createLeaving(c);

    // Nothing may throw between the two: what is admitted must be settled.
    const meter = admit(c, deps, meteredRoutes.chatCompletions, named.model);
    const generation = deps.engine.generate(request, leaving.signal);
    const completion = { identity, generation, meter, withLogprobs: request.topLogprobs !== undefined };
    try {
      if (parameters.stream !== true) return await respondWhole(c, completion);
      const includeUsage = parameters.stream_options?.include_usage === true;
      return await respondStreamed(c, deps, completion, { includeUsage, leave: () => leaving.abort() });
    } catch (thrown) {
      // What a client sent is judged before any output: an error within a stream names no parameter.
      throw toWireError(thrown, places);
    }
  };
}

async function respondWhole(c: AppContext, completion: RunningCompletion): Promise<Response> {
  const { identity, generation, meter, withLogprobs } = completion;
  const collector = new AnswerCollector({ withLogprobs });
  const end = await readWhole(generation, meter, (event) => collector.add(event));
  if (end === undefined) return clientLeft(c);
  const answer = collector.finish({ isCutOff: end.finishReason === 'length' });
  return c.json(toChatCompletion(identity, answer, end));
}

async function respondStreamed(
  c: AppContext,
  deps: AppDeps,
  completion: RunningCompletion,
  options: { includeUsage: boolean; leave: () => void },
): Promise<Response> {
  const { identity, generation, meter, withLogprobs } = completion;
  const started = await awaitStart(generation, meter);
  if (started === undefined) return clientLeft(c);
  const source = toChatEvents({
    ...started,
    identity,
    meter,
    includeUsage: options.includeUsage,
    withLogprobs,
    requestId: c.get('requestId'),
    onFailure(error) {
      c.get('access').errorCode = error.code;
      logCause(deps.log, c.get('requestId'), error);
    },
  });
  return sseResponse(c, source, options.leave, deps.settings);
}
