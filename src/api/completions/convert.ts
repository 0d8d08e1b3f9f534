import type { Principal } from '../../accounts/types.ts';
import { defaultSampling } from '../../engine/default-sampling.ts';
import type { GenerationRequest, Prompt, SamplingOptions } from '../../engine/types.ts';
import type { NamedModel } from '../model/model-names.ts';
import { checkMinTokens, toSamplingOptions, toStopSequences } from '../parameters/sampling-parameters.ts';
import type { TextInput } from '../parameters/text-inputs.ts';
import type { CompletionParameters } from './schema.ts';

/** The interface's own; with others a client that leaves it out would get far more than it is used to. */
const defaultMaxTokens = 16;
/** Log-probabilities, alternatives counted, that an answer may repeat of its prompts: about 130 MB of memory. */
const maxEchoedEntries = 1_000_000;
/** The interface's default for `top_p` here is 0, which stands for off. */
const defaults: SamplingOptions = { ...defaultSampling, topP: 1 };

/** What the engine is asked for, one request for each prompt; throws where two parameters contradict each other. */
export function toGenerationRequests(
  parameters: CompletionParameters,
  named: NamedModel,
  principal: Principal,
): readonly GenerationRequest[] {
  const {
    max_tokens: maxTokens = defaultMaxTokens,
    min_tokens: minTokens = 0,
    keep_alive: keepAliveMs,
  } = parameters;
  checkMinTokens(minTokens, maxTokens);
  const sampling = toSamplingOptions(parameters, defaults);
  const entriesPerToken = 1 + (parameters.logprobs ?? 0);
  const common = {
    modelId: named.model.id,
    accountId: principal.accountId,
    keyId: principal.keyId,
    sampling: sampling.topP === 0 ? { ...sampling, topP: 1 } : sampling,
    stop: toStopSequences(parameters.stop),
    maxTokens,
    minTokens,
    ignoreEos: parameters.ignore_eos ?? false,
    topLogprobs: parameters.logprobs,
    echo: parameters.echo ?? false,
    maxEchoedLogprobs: Math.floor(maxEchoedEntries / (entriesPerToken * parameters.prompt.items.length)),
    ...(keepAliveMs !== undefined && { keepAliveMs }),
  };
  return parameters.prompt.items.map((input) => ({ ...common, prompt: toPrompt(input, parameters.suffix) }));
}

function toPrompt(input: TextInput, suffix = ''): Prompt {
  return {
    ...(typeof input === 'string' ? { kind: 'text', text: input } : { kind: 'tokens', tokens: input }),
    // An empty one asks for nothing.
    ...(suffix !== '' && { suffix: suffix.toWellFormed() }),
  };
}
