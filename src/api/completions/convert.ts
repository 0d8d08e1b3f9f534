import type { Principal } from '../../accounts/types.ts';
import { defaultSampling } from '../../engine/sampling-options.ts';
import type { GenerationRequest, OutputFormat, Prompt } from '../../engine/types.ts';
import type { SamplingOptions } from '../../engine/sampling-options.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';
import type { TextInput } from '../parameters/text-inputs.ts';
import type { CompletionParameters } from './schema.ts';

/** The default of OpenAI's API. Clients that leave the parameter out expect an answer of this length. */
const defaultMaxTokens = 16;
/** Most log-probabilities of echoed prompts per answer, alternatives included: about 130 MB of memory. */
const maxEchoedEntries = 1_000_000;
/** The specified default of `top_p` at this endpoint is 0, which means off. */
const defaults: SamplingOptions = { ...defaultSampling, topP: 1 };

/** The engine's requests, one for each prompt. Throws invalid_value if two parameters contradict each other. */
export function toGenerationRequests(
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
