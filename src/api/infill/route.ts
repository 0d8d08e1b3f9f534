import { textOf } from '../../engine/generation/answer.ts';
import type { AnswerDocument, AnswerEvent, FinishedGeneration } from '../../engine/generation/generation.ts';
import type { Principal } from '../../accounts/types.ts';
import type { GenerationRequest } from '../../engine/types.ts';
import type { AppDeps, AppContext } from '../env.ts';
import { mostTokensOf } from '../generation/checked-request.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveGeneration, type StreamedAnswer } from '../generation/serve-generation.ts';
import { jsonEvent } from '../generation/wire/sse.ts';
import { perSecond, Stopwatch } from '../generation/stopwatch.ts';
import { toWireError, type ParameterPlace } from '../generation/wire/to-wire-error.ts';
import { findModelFor, presentModel } from '../model/find-model.ts';
import { fillsIn, type NamedModel } from '../model/model-names.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';
import { readBody } from '../request/read-parameters.ts';
import { infillSchema, type InfillParameters } from './operation.ts';

const places: readonly ParameterPlace[] = [
  [/^suffix$/, 'input_suffix'],
  [/^prompt$/, 'input_prefix'],
  [/^begun$/, 'prompt'],
  [/^snippets$/, 'input_extra'],
];

/** POST /infill: llama-server's route for editors, which writes the text between two others. */
export async function infill(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, infillSchema);
  const principal = c.get('principal');
  const { catalog, models } = deps;
  const asked = parameters.model || presentModel(catalog, models, principal, fillsIn).id;
  const named = findModelFor('text', catalog, principal, asked);
  const request = toRequest(parameters, named, principal);
  const stopwatch = new Stopwatch(c.get('arrivedAtMs'));
  const toAnswer = (content: string, end: FinishedGeneration): object =>
    toWire(content, named.name, end, stopwatch, parameters.response_fields);
  return await serveGeneration(c, deps, {
    route: meteredRoutes.infill,
    model: named.model,
    mostTokens: (contextTokens) => mostTokensOf(request, contextTokens),
    generate: (signal) => stopwatch.follow(deps.engine.generate(request, signal)),
    answer:
      parameters.stream === true
        ? streamOf(toAnswer)
        : (end: FinishedGeneration, { blocks }: AnswerDocument) => toAnswer(textOf(blocks, 'text'), end),
    onBegun: () => stopwatch.answer(),
    places,
  });
}

function toRequest(parameters: InfillParameters, named: NamedModel, principal: Principal): GenerationRequest {
  try {
    return toGenerationRequest(parameters, toFields(parameters), named, principal);
  } catch (thrown) {
    throw toWireError(thrown, places);
  }
}

function toFields({ input_prefix, input_suffix, input_extra = [], prompt, n_predict }: InfillParameters) {
  return {
    prompt: {
      kind: 'text' as const,
      text: input_prefix.toWellFormed(),
      suffix: input_suffix.toWellFormed(),
      begun: prompt.toWellFormed(),
      snippets: input_extra.map(({ filename = 'file', text }) => ({
        name: filename.toWellFormed(),
        text: text.toWellFormed(),
      })),
    },
    maxTokens: n_predict < 0 ? undefined : n_predict,
    topLogprobs: undefined,
  };
}

const streamOf = (
  toAnswer: (content: string, end: FinishedGeneration) => object,
): StreamedAnswer<AnswerEvent, FinishedGeneration> => ({
  add: (event) =>
    event.type === 'delta' && event.block.type === 'text'
      ? jsonEvent({ content: event.text, stop: false })
      : '',
  end: (end) => [jsonEvent(toAnswer('', end))],
});

/** The answer as llama-server has it, or those of its fields that the client asks for, under their paths. */
function toWire(
  content: string,
  model: string,
  { finishReason, stopSequence, usage }: FinishedGeneration,
  stopwatch: Stopwatch,
  wanted: readonly string[] | undefined,
): object {
  const { promptMs, answerMs } = stopwatch.stop();
  const computed = usage.promptTokens - usage.cachedTokens;
  const answer = {
    content,
    stop: true,
    model,
    tokens_predicted: usage.completionTokens,
    tokens_evaluated: usage.promptTokens,
    tokens_cached: usage.cachedTokens,
    truncated: false,
    stop_type: finishReason === 'length' ? 'limit' : stopSequence === undefined ? 'eos' : 'word',
    stopping_word: stopSequence ?? '',
    timings: {
      cache_n: usage.cachedTokens,
      prompt_n: computed,
      prompt_ms: promptMs,
      prompt_per_second: perSecond(computed, promptMs),
      predicted_n: usage.completionTokens,
      predicted_ms: answerMs,
      predicted_per_second: perSecond(usage.completionTokens, answerMs),
    },
  };
  if (wanted === undefined || wanted.length === 0) return answer;
  const paths = new Map<string, unknown>([
    ...Object.entries(answer),
    ...Object.entries(answer.timings).map(([name, value]) => [`timings/${name}`, value] as const),
  ]);
  return Object.fromEntries(wanted.filter((path) => paths.has(path)).map((path) => [path, paths.get(path)]));
}
