import type { Principal } from '../../accounts/types.ts';
import { defaultSampling } from '../../engine/default-sampling.ts';
import type { GenerationRequest, Prompt, SamplingOptions } from '../../engine/types.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toGenerationOptions } from '../parameters/generation-parameters.ts';
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
  const { max_tokens: maxTokens = defaultMaxTokens, prompt, logprobs, echo = false, suffix } = parameters;
  const options = toGenerationOptions(parameters, maxTokens, named, principal, defaults);
  const entriesPerToken = 1 + (logprobs ?? 0);
  const common = {
    ...options,
    sampling: options.sampling.topP === 0 ? { ...options.sampling, topP: 1 } : options.sampling,
    topLogprobs: logprobs,
    echo,
    maxEchoedLogprobs: Math.floor(maxEchoedEntries / (entriesPerToken * prompt.items.length)),
  };
  return prompt.items.map((input) => ({ ...common, prompt: toPrompt(input, suffix) }));
}

function toPrompt(input: TextInput, suffix = ''): Prompt {
  return {
    ...(typeof input === 'string' ? { kind: 'text', text: input } : { kind: 'tokens', tokens: input }),
    // An empty one asks for nothing.
    ...(suffix !== '' && { suffix: suffix.toWellFormed() }),
  };
}
