import { createCompletionHead, toStreamedUsage } from '../generation/wire/completion-wire.ts';
import { AttachedFiles } from '../attachments/attached-files.ts';
import type { AppDeps, AppContext } from '../env.ts';
import { findModelFor } from '../model/find-model.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { generationOf } from '../generation/checked-request.ts';
import { wantsProgress } from '../generation/wire/prompt-progress.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { readBody } from '../request/read-parameters.ts';
import { toAnswerFormat } from '../parameters/format/answer-format.ts';
import { ChatStream, toCompletion } from './answer.ts';
import { placesIn, toChatRequest } from './convert.ts';
import { parseChatCompletion, refuseUnavailable } from './schema.ts';
import { customToolNames } from './tools.ts';

/** POST /v1/chat/completions: checks the request in the public order, then generates. */
export async function chatCompletions(c: AppContext, deps: AppDeps): Promise<Response> {
  const { catalog, engine, settings } = deps;
  const parameters = readBody(c, parseChatCompletion);
  const principal = c.get('principal');
  refuseUnavailable(parameters);
  const isStreamed = parameters.stream === true;
  const named = findModelFor('chat', catalog, principal, parameters.model);
  const { format, place } = toAnswerFormat(parameters);
  const files = new AttachedFiles(deps, principal, named, c.get('documents'));
  const request = toChatRequest(parameters, named, principal, settings.reasoningTokens, files, format);
  const tellsProgress = wantsProgress(c, parameters, named);
  const places = [place, ...placesIn(parameters)];
  const object = isStreamed ? 'chat.completion.chunk' : 'chat.completion';
  const head = createCompletionHead('chatcmpl', object, named, deps);
  const options = {
    usage: toStreamedUsage(parameters.stream_options),
    withLogprobs: request.topLogprobs !== undefined,
    withReasoning: parameters.include_reasoning !== false && parameters.reasoning?.exclude !== true,
    customTools: customToolNames(parameters.tools),
  };
  return await serveGeneration(c, deps, {
    ...generationOf({ named, request, files, places }, (signal) =>
      engine.generate({ ...request, tellsProgress }, signal),
    ),
    route: meteredRoutes.chatCompletions,
    answer: isStreamed ? new ChatStream(head, options) : toCompletion(head, options),
  });
}
