import type { Handler } from 'hono';
import { createCompletionHead, toStreamedUsage } from '../generation/wire/completion-wire.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { findModelFor } from '../model/find-model.ts';
import { mostTokensOf } from '../generation/checked-request.ts';
import { serveGeneration } from '../generation/serve-generation.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { readBody } from '../request/read-parameters.ts';
import { inputPlace, type TextInput } from '../parameters/text-inputs.ts';
import { toWireError } from '../generation/wire/to-wire-error.ts';
import { toAnswerFormat } from '../parameters/format/answer-format.ts';
import { CompletionStream, toCompletion } from './answer.ts';
import { GenerationGroup } from './generation-group.ts';
import { refuseUnavailable, type CompletionParameters, completionSchema } from './schema.ts';
import type { Principal } from '../../accounts/types.ts';
import { defaultSampling, type SamplingOptions } from '../../engine/sampling-options.ts';
import type { GenerationRequest, OutputFormat, Prompt } from '../../engine/types.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';

/** POST /v1/completions: checks the request in the public order, then continues all prompts at the same time. */
export function completions(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, completionSchema);
    refuseUnavailable(parameters);
    const principal = c.get('principal');
    const named = findModelFor('text', deps.catalog, principal, parameters.model);
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

/** The default of OpenAI's API. Clients that leave the parameter out expect an answer of this length. */
const defaultMaxTokens = 16;
/** Most log-probabilities of echoed prompts per answer, alternatives included: about 130 MB of memory. */
const maxEchoedEntries = 1_000_000;
/** The specified default of `top_p` at this endpoint is 0, which means off. */
const defaults: SamplingOptions = { ...defaultSampling, topP: 1 };

/** The engine's requests, one for each prompt. Throws invalid_value if two parameters contradict each other. */
function toGenerationRequests(
  parameters: CompletionParameters,
  outputFormat: OutputFormat | undefined,
  named: NamedModel,
  principal: Principal,
): readonly GenerationRequest[] {
  const { max_tokens: maxTokens = defaultMaxTokens, prompt, logprobs, echo = false, suffix } = parameters;
  const options = parameters.top_p === 0 ? { ...parameters, top_p: 1 } : parameters;
  const entriesPerToken = 1 + (logprobs ?? 0);
  const maxEchoedLogprobs = Math.floor(maxEchoedEntries / (entriesPerToken * prompt.items.length));
  const common = { maxTokens, topLogprobs: logprobs, outputFormat, echo, maxEchoedLogprobs };
  return prompt.items.map((input) =>
    toGenerationRequest(options, { ...common, prompt: toPrompt(input, suffix) }, named, principal, defaults),
  );
}

function toPrompt(input: TextInput, suffix = ''): Prompt {
  return {
    ...(typeof input === 'string' ? { kind: 'text', text: input } : { kind: 'tokens', tokens: input }),
    // An empty suffix asks for nothing.
    ...(suffix !== '' && { suffix: suffix.toWellFormed() }),
  };
}
