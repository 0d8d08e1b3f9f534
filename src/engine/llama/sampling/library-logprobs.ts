import { neutralSampling } from '../../sampling-options.ts';
import type { NativeContext } from '../native/context/context.ts';
import type { NativeSampler } from '../native/sampler.ts';
import { brokenModel } from './draw-errors.ts';
import { toNativeConfig } from './native-config.ts';
import type { SamplerPool } from './sampler-pool.ts';

const unfiltered = { ...neutralSampling, seed: 0 };
const greedy = toNativeConfig({ ...unfiltered, temperature: 0 });

/**
 * Tells the probability that the model itself gives a token, before bias, penalties and temperature, by means of
 * node-llama-cpp's samplers. Judges one token at a time. Borrows native samplers: dispose of it when the last token is
 * judged.
 */
export class LibraryLogprobs {
  readonly #samplers: SamplerPool;
  readonly #alternatives: number;
  readonly #greedy: NativeSampler;
  readonly #top: NativeSampler | undefined;

  constructor(samplers: SamplerPool, alternatives: number) {
    this.#samplers = samplers;
    this.#alternatives = alternatives;
    this.#greedy = samplers.take(greedy);
    if (alternatives > 0) this.#top = samplers.take(toNativeConfig({ ...unfiltered, topK: alternatives }));
  }

  /** The log-probability of `token` by the logits at `logitIndex`, and the number and that of each alternative. */
  async of(context: NativeContext, logitIndex: number, token: number): Promise<readonly number[]> {
    const [summary, alternatives] = await Promise.all([
      // The greedy sampler keeps every candidate, so its choice is the highest logit and its weight sums over all.
      context.sampleToken(logitIndex, this.#greedy, false, false, selection([token], 0), true),
      this.#likeliest(context, logitIndex),
    ]);
    const [best, , , pairs = [], weight = 1] = summary;
    const logits = toLogits(pairs);
    const normaliser = (logits.get(best) ?? 0) + Math.log(weight);
    return [
      (logits.get(token) ?? Number.NEGATIVE_INFINITY) - normaliser,
      ...[...alternatives].slice(0, this.#alternatives).flatMap(([id, logit]) => [id, logit - normaliser]),
    ];
  }

  dispose(): void {
    this.#samplers.giveBack(this.#greedy);
    if (this.#top !== undefined) this.#samplers.giveBack(this.#top);
  }

  async #likeliest(context: NativeContext, logitIndex: number): Promise<ReadonlyMap<number, number>> {
    if (this.#top === undefined) return new Map();
    const filter = selection([], this.#alternatives);
    const [, , , pairs = []] = await context.sampleToken(logitIndex, this.#top, false, false, filter, false);
    return toLogits(pairs);
  }
}

/** Throws AppError model_broken when the logits at `logitIndex` are NaN, from which a sampler would draw anything. */
export async function mustBeNumbers(
  context: NativeContext,
  logitIndex: number,
  samplers: SamplerPool,
): Promise<void> {
  const sampler = samplers.take(greedy);
  try {
    const filter = selection([], 0);
    const [, , , pairs = []] = await context.sampleToken(logitIndex, sampler, false, false, filter, false);
    if (pairs.some(Number.isNaN)) throw brokenModel();
  } finally {
    samplers.giveBack(sampler);
  }
}

/** The logits of `tokens`, of the token that the sampler selects, and of the `top` best. */
const selection = (tokens: number[], top: number): [number[], boolean, boolean, boolean, number] => [
  tokens,
  false,
  false,
  true,
  top,
];

/** The logit of each token, in the order of `pairs`. */
function toLogits(pairs: readonly number[]): Map<number, number> {
  const logits = new Map<number, number>();
  for (let index = 0; index + 1 < pairs.length; index += 2)
    logits.set(pairs[index] ?? 0, pairs[index + 1] ?? 0);
  return logits;
}
