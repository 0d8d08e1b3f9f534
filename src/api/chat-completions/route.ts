import type { Handler } from 'hono';
import type { Principal } from '../../accounts/types.ts';
import { createCompletionHead, toStreamedUsage } from '../generation/wire/completion-wire.ts';
import { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { findChatModel } from '../model/find-model.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveAnswer, type AnswerJob } from '../generation/serve-answer.ts';
import { readBody } from '../request/read-parameters.ts';
import { toAnswerFormat } from '../parameters/format/answer-format.ts';
import { AnswerCollector } from './convert-answer.ts';
import { placesIn, toGenerationRequest } from './convert.ts';
import { parseChatCompletion, refuseUnavailable, type ChatCompletionParameters } from './schema.ts';
import { ChatStream } from './stream.ts';
import { customToolNames } from './tools.ts';

/** POST /v1/chat/completions: checks the request in the public order, then generates. */
export function chatCompletions(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseChatCompletion);
    return await serveAnswer(c, deps, prepareChatCompletion(deps, c.get('principal'), parameters));
  };
}

/** The engine's job and the form of its answer. Throws AppError where parameters do not fit together or the model. */
function prepareChatCompletion(
  deps: AppDeps,
  principal: Principal,
  parameters: ChatCompletionParameters,
): AnswerJob {
  refuseUnavailable(parameters);
  const named = findChatModel(deps.catalog, principal, parameters.model);
  const { format, place } = toAnswerFormat(parameters);
  const { reasoningTokens } = deps.settings;
  const files = new AttachedFiles(deps, principal, named);
  const request = toGenerationRequest(parameters, named, principal, reasoningTokens, files, format);
  const isStreamed = parameters.stream === true;
  const object = isStreamed ? 'chat.completion.chunk' : 'chat.completion';
  const head = createCompletionHead('chatcmpl', object, named, deps);
  const options = {
    usage: toStreamedUsage(parameters.stream_options),
    withLogprobs: request.topLogprobs !== undefined,
    withReasoning: parameters.include_reasoning !== false && parameters.reasoning?.exclude !== true,
    customTools: customToolNames(parameters.tools),
  };
  return {
    route: meteredRoutes.chatCompletions,
    named,
    request,
    files,
    answer: isStreamed
      ? { kind: 'streamed', mapping: new ChatStream(head, options) }
      : { kind: 'whole', mapping: new AnswerCollector(head, options) },
    places: [place, ...placesIn(parameters)],
  };
}
