import { AppError } from '../../../errors/errors.ts';
import type { GeneratedTokenLogprob, TokenLogprob } from '../../generation.ts';
import { neutralSampling } from '../../sampling-options.ts';
import type { NativeContext } from '../native/context.ts';
import type { NativeSampler } from '../native/sampler.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { toNativeConfig } from './native-config.ts';
import type { SamplerPool } from './sampler-pool.ts';

export interface TokenJudgeOptions {
  readonly samplers: SamplerPool;
  readonly vocabulary: Vocabulary;
  /** Alternatives reported per token. */
  readonly topLogprobs: number;
}

const unfiltered = { ...neutralSampling, seed: 0 };
const greedy = toNativeConfig({ ...unfiltered, temperature: 0 });

/**
 * Tells the probability that the model itself gives a token, before bias, penalties and temperature. Judges one token
 * at a time. Borrows native samplers: dispose of it when the last token is judged.
 */
export class TokenJudge {
  readonly #options: TokenJudgeOptions;
  readonly #greedy: NativeSampler;
  readonly #top: NativeSampler | undefined;

  constructor(options: TokenJudgeOptions) {
    this.#options = options;
    const { samplers, topLogprobs } = options;
    this.#greedy = samplers.take(greedy);
    if (topLogprobs > 0) this.#top = samplers.take(toNativeConfig({ ...unfiltered, topK: topLogprobs }));
  }

  /** The log-probability of `token` by the logits at `logitIndex`. Throws AppError model_broken when they are NaN. */
  async judge(context: NativeContext, logitIndex: number, token: number): Promise<GeneratedTokenLogprob> {
    const [summary, alternatives] = await Promise.all([
      // The greedy sampler keeps every candidate, so its choice is the highest logit and its weight sums over all.
      context.sampleToken(logitIndex, this.#greedy, false, false, selection([token], 0), true),
      this.#alternatives(context, logitIndex),
    ]);
    const [best, , , pairs = [], weight = 1] = summary;
    const logits = toLogits(pairs);
    const normaliser = (logits.get(best) ?? 0) + Math.log(weight);
    const { topLogprobs, vocabulary } = this.#options;
    const numbers = [
      (logits.get(token) ?? Number.NEGATIVE_INFINITY) - normaliser,
      ...[...alternatives].slice(0, topLogprobs).flatMap(([id, logit]) => [id, logit - normaliser]),
    ];
    return toLogprob(vocabulary, token, numbers);
  }

  dispose(): void {
    const { samplers } = this.#options;
    samplers.giveBack(this.#greedy);
    if (this.#top !== undefined) samplers.giveBack(this.#top);
  }

  async #alternatives(context: NativeContext, logitIndex: number): Promise<ReadonlyMap<number, number>> {
    if (this.#top === undefined) return new Map();
    const filter = selection([], this.#options.topLogprobs);
    const [, , , pairs = []] = await context.sampleToken(logitIndex, this.#top, false, false, filter, false);
    return toLogits(pairs);
  }
}

/**
 * The log-probability of `token` with its alternatives: `numbers` are its own one, and then the number and the
 * log-probability of each alternative. Throws AppError model_broken where these are NaN.
 */
export function toLogprob(
  vocabulary: Vocabulary,
  token: number,
  [own = Number.NaN, ...others]: Iterable<number>,
): GeneratedTokenLogprob {
  if (Number.isNaN(own)) throw brokenModel();
  const topLogprobs: TokenLogprob[] = [];
  for (let at = 0; at + 1 < others.length; at += 2)
    topLogprobs.push({ ...describeToken(vocabulary, others[at] ?? 0), logprob: others[at + 1] ?? 0 });
  return { ...describeToken(vocabulary, token), logprob: own, topLogprobs };
}

/** A token's text and its bytes; a control token has a text only. */
export function describeToken(vocabulary: Vocabulary, token: number): Pick<TokenLogprob, 'token' | 'bytes'> {
  const bytes = vocabulary.bytesOf(token);
  return { token: tokenText.decode(vocabulary.shownBytesOf(token)), bytes: [...bytes] };
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

export const brokenModel = (): AppError =>
  new AppError(
    'model_broken',
    'The model computes no numbers (NaN) from this prompt, so there is no answer, and asking again does not help. ' +
      'Its file is damaged, or it needs another precision than it was converted to: take another file of the model.',
  );

const tokenText = new TextDecoder('utf-8', { ignoreBOM: true });

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
