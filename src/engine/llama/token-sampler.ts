import { randomInt } from 'node:crypto';
import type { GeneratedTokenLogprob, SamplingOptions, TokenLogprob } from '../types.ts';
import { AppError } from '../../errors.ts';
import { AllowedDraw } from './allowed-draw.ts';
import type { GrammarState, NativeContext, NativeSampler, NativeSamplerConfig } from './native.ts';
import type { SamplerPool } from './sampler-pool.ts';
import type { Vocabulary } from './vocabulary.ts';

/** llama.cpp takes this seed for "any": a client that asks for it still gets the same text every time. */
const reservedSeed = 2 ** 32 - 1;
/** Whether the model computes numbers is looked at before the first draw and after so many others. */
const drawsPerLook = 32;
const greedy: NativeSamplerConfig = { temperature: 0, seed: 0, topP: 1, minP: 0 };

export interface TokenSamplerOptions {
  readonly samplers: SamplerPool;
  readonly vocabulary: Vocabulary;
  readonly sampling: SamplingOptions;
  readonly prompt: Uint32Array;
  /** Most tokens that penalties look back on. */
  readonly contextTokens: number;
  /** End-of-turn tokens cannot be drawn before so many tokens; Infinity: never. */
  readonly minTokens: number;
  /** Alternatives reported per token; undefined: no log-probabilities. */
  readonly topLogprobs: number | undefined;
}

export interface SampledToken {
  readonly token: number;
  readonly logprob: GeneratedTokenLogprob | undefined;
}

/** Draws one request's tokens. Borrows native samplers: dispose of it when the last draw is over. */
export class TokenSampler {
  readonly #options: TokenSamplerOptions;
  readonly #seed: number;
  readonly #native: NativeSampler;
  /** See the model's own logits, before bias, penalties and temperature. */
  readonly #greedy: NativeSampler | undefined;
  readonly #top: NativeSampler | undefined;
  readonly #borrowed: NativeSampler[] = [];
  readonly #drawn: number[] = [];
  #endIsBanned: boolean;
  #grammar:
    | { readonly state: GrammarState; readonly banned: readonly number[]; readonly again: AllowedDraw }
    | undefined;

  constructor(options: TokenSamplerOptions) {
    this.#options = options;
    const seed = options.sampling.seed ?? randomInt(reservedSeed);
    this.#seed = seed === reservedSeed ? reservedSeed - 1 : seed;
    this.#endIsBanned = options.minTokens > 0;
    this.#native = this.#borrow(this.#config());
    if (options.topLogprobs === undefined) return;
    this.#greedy = this.#borrow(greedy);
    if (options.topLogprobs === 0) return;
    this.#top = this.#borrow({ temperature: 1, seed: 0, topK: options.topLogprobs, topP: 1, minP: 0 });
  }

  /**
   * From now on draws only what the grammar allows, `begun` taken in already; leaves all open when that text does
   * not fit. Control tokens are banned save for those that are `shown`: they would match as text and not be seen.
   * Where the grammar ends the turn ends, even before `minTokens`.
   */
  constrain(gbnf: string, begun: Uint32Array, shown: ReadonlySet<number> | undefined): void {
    const { samplers, vocabulary } = this.#options;
    const state = samplers.beginGrammar(gbnf, begun);
    if (state === undefined) return;
    const banned = [...vocabulary.controlTokens.values()].filter(
      (token) => shown?.has(token) !== true && !vocabulary.endOfGeneration.has(token),
    );
    const again = new AllowedDraw({
      grammar: state,
      sampler: this.#borrow({ ...this.#config(), seed: this.#secondSeed }),
      vocabulary,
      shownTokens: shown ?? [],
    });
    this.#grammar = { state, banned, again };
    this.#endIsBanned = false;
    this.#native.applyConfig(this.#config());
  }

  /**
   * Draws from the logits at `logitIndex` of the batch that `context` decoded last.
   * Throws AppError model_broken when they are no numbers.
   */
  async sample(context: NativeContext, logitIndex: number): Promise<SampledToken> {
    if (this.#endIsBanned && this.#drawn.length >= this.#options.minTokens) {
      this.#endIsBanned = false;
      this.#native.applyConfig(this.#config());
    }
    if (this.#drawn.length % drawsPerLook === 0) await this.#mustBeNumbers(context, logitIndex);
    const token = await this.#draw(context, logitIndex);
    return { token, logprob: await this.logprobOf(context, logitIndex, token) };
  }

  /** How probable the model itself held `token` to be there; undefined unless log-probabilities are wanted. */
  async logprobOf(
    context: NativeContext,
    logitIndex: number,
    token: number,
  ): Promise<GeneratedTokenLogprob | undefined> {
    if (this.#greedy === undefined) return undefined;
    const filter = (tokens: number[], top: number): [number[], boolean, boolean, boolean, number] => [
      tokens,
      false,
      false,
      true,
      top,
    ];
    // The greedy sampler keeps every candidate: its choice is the highest logit, its weight sums over all.
    const [best, , , pairs = [], weight = 1] = await context.sampleToken(
      logitIndex,
      this.#greedy,
      false,
      false,
      filter([token], 0),
      true,
    );
    const logits = toLogits(pairs);
    const normaliser = (logits.get(best) ?? 0) + Math.log(weight);
    const logprob = this.#describe(token, (logits.get(token) ?? Number.NEGATIVE_INFINITY) - normaliser);
    if (this.#top === undefined) return { ...logprob, topLogprobs: [] };
    const count = this.#options.topLogprobs ?? 0;
    const [, , , topPairs = []] = await context.sampleToken(
      logitIndex,
      this.#top,
      false,
      false,
      filter([], count),
      false,
    );
    const topLogprobs = [...toLogits(topPairs)]
      .slice(0, count)
      .map(([id, logit]) => this.#describe(id, logit - normaliser));
    return { ...logprob, topLogprobs };
  }

  dispose(): void {
    for (const sampler of this.#borrowed.splice(0)) this.#options.samplers.giveBack(sampler);
  }

  /** A sampler draws from what is no number too, just anything. Once there is one in the cache, all that follow are. */
  async #mustBeNumbers(context: NativeContext, logitIndex: number): Promise<void> {
    const { samplers } = this.#options;
    const sampler = samplers.take(greedy);
    try {
      const selected = [[], false, false, true, 0] as [number[], false, false, true, number];
      const [, , , pairs = []] = await context.sampleToken(
        logitIndex,
        sampler,
        false,
        false,
        selected,
        false,
      );
      if (!pairs.some(Number.isNaN)) return;
    } finally {
      samplers.giveBack(sampler);
    }
    throw new AppError(
      'model_broken',
      'The model computes no numbers (NaN) from this prompt, so there is no answer, and asking again does not help. ' +
        'Its file is damaged, or it needs another precision than it was converted to: take another file of the model.',
    );
  }

  async #draw(context: NativeContext, logitIndex: number): Promise<number> {
    const first = await context.sampleToken(logitIndex, this.#native);
    const { state, again } = this.#grammar ?? {};
    const isRefused = first >= 0 && state?.allows(first) === false;
    const token = isRefused
      ? await again?.draw(context, logitIndex, { ...this.#config(), seed: this.#secondSeed })
      : first;
    if (token === undefined || token < 0) throw new Error('The model gave no logits to sample from');
    if (!isRefused && !this.#options.vocabulary.endOfGeneration.has(token)) state?.accept(token);
    this.#drawn.push(token);
    // The sampler counts the token that was refused among those that it penalises.
    if (isRefused && this.#isPenalised) this.#native.applyConfig(this.#config());
    return token;
  }

  get #isPenalised(): boolean {
    const { frequencyPenalty, presencePenalty, repeatPenalty } = this.#options.sampling;
    return frequencyPenalty !== 0 || presencePenalty !== 0 || repeatPenalty !== 1;
  }

  /** A draw that was refused tells something about the random number behind it: the next needs another one. */
  get #secondSeed(): number {
    return (this.#seed ^ 0x5bd1e995) >>> 0;
  }

  #borrow(config: NativeSamplerConfig): NativeSampler {
    const sampler = this.#options.samplers.take(config);
    this.#borrowed.push(sampler);
    return sampler;
  }

  #config(): NativeSamplerConfig {
    const { sampling, prompt, contextTokens } = this.#options;
    const { temperature, topK, topP, minP } = sampling;
    const config = { temperature, ...(topK > 0 && { topK }), topP, minP, seed: this.#seed };
    const penalties = this.#isPenalised && {
      repeatPenalty: sampling.repeatPenalty,
      repeatPenaltyFrequencyPenalty: sampling.frequencyPenalty,
      repeatPenaltyPresencePenalty: sampling.presencePenalty,
      repeatPenaltyMaxTokens: contextTokens,
      repeatPenaltyTokens: Uint32Array.from([...prompt, ...this.#drawn]),
    };
    const bias = new Map(sampling.logitBias);
    if (this.#endIsBanned)
      for (const token of this.#options.vocabulary.endOfGeneration) bias.set(token, Number.NEGATIVE_INFINITY);
    for (const token of this.#grammar?.banned ?? []) bias.set(token, Number.NEGATIVE_INFINITY);
    const biases = bias.size > 0 && {
      tokenBiasKeys: Uint32Array.from(bias.keys()),
      tokenBiasValues: Float32Array.from(bias.values()),
    };
    return { ...config, ...penalties, ...biases };
  }

  #describe(token: number, logprob: number): TokenLogprob {
    return { ...describeToken(this.#options.vocabulary, token), logprob };
  }
}

/** A token's text and its bytes; a control token has a text only. */
export function describeToken(vocabulary: Vocabulary, token: number): Pick<TokenLogprob, 'token' | 'bytes'> {
  const bytes = vocabulary.bytesOf(token);
  return { token: tokenText.decode(vocabulary.shownBytesOf(token)), bytes: [...bytes] };
}

const tokenText = new TextDecoder('utf-8', { ignoreBOM: true });

/** Token → logit, in the order given. */
function toLogits(pairs: readonly number[]): Map<number, number> {
  const logits = new Map<number, number>();
  for (let index = 0; index + 1 < pairs.length; index += 2)
    logits.set(pairs[index] ?? 0, pairs[index + 1] ?? 0);
  return logits;
}
