import type { Handler } from 'hono';
import { createCompletionHead, toStreamedUsage } from '../generation/completion-wire.ts';
import { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { findChatModel } from '../model/find-model.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { readBody } from '../request/read-parameters.ts';
import { toAnswerFormat } from '../parameters/answer-format.ts';
import { AnswerCollector } from './convert-answer.ts';
import { placesIn, toGenerationRequest } from './convert.ts';
import { parseChatCompletion, refuseUnavailable } from './schema.ts';
import { ChatStream } from './stream.ts';
import { customToolNames } from './tools.ts';

/** POST /v1/chat/completions: checks the request in the public order, then generates. */
export function chatCompletions(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseChatCompletion);
    refuseUnavailable(parameters);
    const principal = c.get('principal');
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
    return await serveGeneration(c, deps, {
      route: meteredRoutes.chatCompletions,
      model: named.model,
      generate: (signal) => files.whenFetched(signal, () => deps.engine.generate(request, signal)),
      answer: isStreamed
        ? { kind: 'streamed', mapping: new ChatStream(head, options) }
        : { kind: 'whole', mapping: new AnswerCollector(head, options) },
      places: [place, ...placesIn(parameters)],
    });
  };
}
