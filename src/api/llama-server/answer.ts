import { logprobsOf, textOf } from '../../engine/generation/answer.ts';
import type {
  AnswerDocument,
  AnswerEvent,
  FinishedGeneration,
  GeneratedTokenLogprob,
} from '../../engine/generation/generation.ts';
import { perSecond, type Stopwatch } from '../generation/stopwatch.ts';
import { toWireTokens } from '../generation/wire/completion-wire.ts';
import { jsonEvent } from '../generation/wire/sse.ts';
import type { CommonParameters } from './operation.ts';

/** The answer as llama-server has it, whole or as the last event of a stream, or those fields that the client asks for. */
export function toWrittenAnswer(
  model: string,
  stopwatch: Stopwatch,
  { response_fields: wanted = [], n_probs: alternatives }: CommonParameters,
) {
  const toAnswer = (content: string, tokens: readonly GeneratedTokenLogprob[], end: FinishedGeneration) =>
    chooseFields(
      {
        content,
        ...toFacts(model, end, stopwatch),
        ...(alternatives > 0 && { completion_probabilities: toWireTokens(tokens) }),
      },
      wanted,
    );
  return {
    whole: (end: FinishedGeneration, { blocks }: AnswerDocument): object =>
      toAnswer(textOf(blocks, 'text'), logprobsOf(blocks), end),
    last: (end: FinishedGeneration): string[] => [jsonEvent(toAnswer('', [], end))],
  };
}

/** Writes the event of a piece of text. */
export const toPiece =
  ({ n_probs: alternatives }: CommonParameters) =>
  (event: AnswerEvent): string =>
    event.type === 'delta' && event.block.type === 'text'
      ? jsonEvent({
          content: event.text,
          stop: false,
          ...(alternatives > 0 && { completion_probabilities: toWireTokens(event.logprobs) }),
        })
      : '';

function toFacts(
  model: string,
  { finishReason, stopSequence, usage }: FinishedGeneration,
  stopwatch: Stopwatch,
) {
  const { promptMs, answerMs } = stopwatch.stop();
  const computed = usage.promptTokens - usage.cachedTokens;
  return {
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
}

/** Those fields of `answer` that are `wanted`, under their paths; none are: all. */
function chooseFields(
  answer: { readonly content: string; readonly timings: object },
  wanted: readonly string[],
): object {
  if (wanted.length === 0) return answer;
  const paths = new Map<string, unknown>([
    ...Object.entries(answer),
    ...Object.entries(answer.timings).map(([name, value]) => [`timings/${name}`, value] as const),
  ]);
  return Object.fromEntries(wanted.filter((path) => paths.has(path)).map((path) => [path, paths.get(path)]));
}
