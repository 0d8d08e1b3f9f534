import {
  createCompletionHead,
  toStreamedUsage,
  ChunkWriter,
  toWireUsage,
  type CompletionHead,
  type CompletionOptions,
} from '../generation/wire/completion-wire.ts';
import type { AppDeps, AppContext } from '../env.ts';
import { findModelFor } from '../model/find-model.ts';
import { mostTokensOf } from '../generation/checked-request.ts';
import { serveGeneration, type StreamedAnswer } from '../generation/serve-generation.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { readBody } from '../request/read-parameters.ts';
import { inputPlace, type TextInput } from '../parameters/text-inputs.ts';
import { toWireError } from '../generation/wire/to-wire-error.ts';
import { toAnswerFormat } from '../parameters/format/answer-format.ts';
import { GenerationGroup, type FinishedGroup, type GroupEvent } from './generation-group.ts';
import { refuseUnavailable, type CompletionParameters, completionSchema } from './schema.ts';
import type { Principal } from '../../accounts/types.ts';
import { defaultSampling, type SamplingOptions } from '../../engine/generation/sampling-options.ts';
import type { GenerationRequest, OutputFormat, Prompt } from '../../engine/types.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';
import { logprobsOf, textOf } from '../../engine/generation/answer.ts';
import type { FinishReason, Usage, AnswerDocument } from '../../engine/generation/generation.ts';
import { joinLogprobs, LegacyLogprobsWriter, type LegacyLogprobs } from './legacy-logprobs.ts';

/** POST /v1/completions: checks the request in the public order, then continues all prompts at the same time. */
export async function completions(c: AppContext, deps: AppDeps): Promise<Response> {
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

const toCompletion =
  (head: CompletionHead, { withLogprobs }: Pick<CompletionOptions, 'withLogprobs'>) =>
  ({ finishReasons, usage }: FinishedGroup, answers: readonly AnswerDocument[]): object => {
    const choices = answers.map(({ blocks, prompt }, index) => {
      const text = (prompt?.text ?? '') + textOf(blocks, 'text');
      const writer = new LegacyLogprobsWriter();
      const logprobs = withLogprobs
        ? joinLogprobs(writer.prompt(prompt ?? { text: '' }), writer.text(logprobsOf(blocks)))
        : null;
      return toChoice(index, text, logprobs, finishReasons[index] ?? null);
    });
    return { ...head, choices, usage: toWireUsage(usage) };
  };

/** The chunks of a completion: texts as they are generated, the finish of each choice, usage if asked for, [DONE]. */
class CompletionStream implements StreamedAnswer<GroupEvent, FinishedGroup> {
  readonly #withLogprobs: boolean;
  readonly #chunks: ChunkWriter;
  /** By the number of the choice. */
  readonly #logprobs = new Map<number, LegacyLogprobsWriter>();

  constructor(head: CompletionHead, options: CompletionOptions) {
    this.#withLogprobs = options.withLogprobs;
    this.#chunks = new ChunkWriter(head, options);
  }

  add(event: GroupEvent, usage: Usage): string {
    this.#chunks.usage = usage;
    const { index } = event;
    if (event.type === 'finished') return this.#chunks.write(toChoice(index, '', null, event.finishReason));
    if (event.type === 'delta' && event.block.type === 'text')
      return this.#write(index, event.text, (writer) => writer.text(event.logprobs));
    if (event.type !== 'started' || event.prompt === undefined) return '';
    const { prompt } = event;
    return this.#write(index, prompt.text, (writer) => writer.prompt(prompt));
  }

  end({ usage }: FinishedGroup): Iterable<string> {
    return this.#chunks.end(usage);
  }

  #write(index: number, text: string, toLogprobs: (writer: LegacyLogprobsWriter) => LegacyLogprobs): string {
    const writer = this.#logprobs.get(index) ?? new LegacyLogprobsWriter();
    this.#logprobs.set(index, writer);
    return this.#chunks.write(toChoice(index, text, this.#withLogprobs ? toLogprobs(writer) : null, null));
  }
}

const toChoice = (
  index: number,
  text: string,
  logprobs: LegacyLogprobs | null,
  reason: FinishReason | null,
) => ({ text, index, logprobs, finish_reason: reason });
