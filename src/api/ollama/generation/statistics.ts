import type { Usage } from '../../../engine/generation/generation.ts';
import type { Stopwatch } from '../../generation/stopwatch.ts';

const nanosecondsPerMs = 1e6;

/** The statistics of an answer that ends now: durations in nanoseconds, and numbers of tokens. */
export function toStatistics(stopwatch: Stopwatch, { promptTokens, completionTokens }: Usage) {
  const { totalMs, loadMs, promptMs, answerMs } = stopwatch.stop();
  return {
    total_duration: toNanoseconds(totalMs),
    load_duration: toNanoseconds(loadMs),
    prompt_eval_count: promptTokens,
    prompt_eval_duration: toNanoseconds(promptMs),
    eval_count: completionTokens,
    eval_duration: toNanoseconds(answerMs),
  };
}

/** At least 1: programs divide by it. */
const toNanoseconds = (ms: number): number => Math.max(1, Math.round(ms * nanosecondsPerMs));
