import type { Handler } from 'hono';
import { createCompletionHead, toStreamedUsage } from '../generation/wire/completion-wire.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { findTextModel } from '../model/find-model.ts';
import { mostTokensOf } from '../generation/most-tokens.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { readBody } from '../request/read-parameters.ts';
import { inputPlace } from '../parameters/text-inputs.ts';
import { toWireError } from '../generation/wire/to-wire-error.ts';
import { toAnswerFormat } from '../parameters/format/answer-format.ts';
import { CompletionStream, toCompletion } from './answer.ts';
import { toGenerationRequests } from './convert.ts';
import { GenerationGroup } from './generation-group.ts';
import { parseCompletion, refuseUnavailable } from './schema.ts';

/** POST /v1/completions: checks the request in the public order, then continues all prompts at the same time. */
export function completions(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseCompletion);
    refuseUnavailable(parameters);
    const principal = c.get('principal');
    const named = findTextModel(deps.catalog, principal, parameters.model);
    const { format, place } = toAnswerFormat(parameters);
    const requests = toGenerationRequests(parameters, format, named, principal);
    const head = createCompletionHead('cmpl', 'text_completion', named, deps);
    const options = {
      usage: toStreamedUsage(parameters.stream_options),
      withLogprobs: parameters.logprobs !== undefined,
    };
    // Only the group knows which of its prompts an error is about.
    const toError = (error: Error, index: number) =>
      toWireError(error, [place, inputPlace('prompt', index, parameters.prompt)]);
    return await serveGeneration(c, deps, {
      route: meteredRoutes.completions,
      model: named.model,
      mostTokens: (contextTokens) =>
        requests.reduce((sum, request) => sum + mostTokensOf(request, contextTokens), 0),
      generate: (signal) => new GenerationGroup(deps.engine, requests, signal, toError),
      answer: parameters.stream === true ? new CompletionStream(head, options) : toCompletion(head, options),
      places: [],
    });
  };
}
