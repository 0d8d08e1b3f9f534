import { randomInt } from 'node:crypto';
import type { GeneratedTokenLogprob, SamplingOptions } from '../../types.ts';
import { AllowedDraw } from './allowed-draw.ts';
import type { GrammarState, NativeSampler, NativeSamplerConfig } from '../native/sampler.ts';
import type { NativeContext } from '../native/context.ts';
import type { SamplerPool } from './sampler-pool.ts';
import { mustBeNumbers, TokenJudge } from '../tokens/token-judge.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

/** llama.cpp takes this seed for "any": a client that asks for it still gets the same text every time. */
const reservedSeed = 2 ** 32 - 1;
/** Whether the model computes numbers is looked at before the first draw and after so many others. */
const drawsPerLook = 32;
/** So many threads has libuv, in which the addon looks at logits. */
const mostJudges = 4;

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
  /** Made when they are first needed; several judge a prompt together. */
  readonly #judges: TokenJudge[] = [];
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
    // Once there is one in the cache that is none, all that follow are none.
    if (this.#drawn.length % drawsPerLook === 0)
      await mustBeNumbers(context, logitIndex, this.#options.samplers);
    const token = await this.#draw(context, logitIndex);
    const [logprob] = await this.logprobsOf(context, Uint32Array.of(logitIndex), Uint32Array.of(token));
    return { token, logprob };
  }

  /**
   * How probable the model itself held each of `tokens` to be where `logitIndexes` say; empty unless
   * log-probabilities are wanted. Throws AppError model_broken when the logits are no numbers.
   */
  async logprobsOf(
    context: NativeContext,
    logitIndexes: Uint32Array,
    tokens: Uint32Array,
  ): Promise<GeneratedTokenLogprob[]> {
    const { samplers, vocabulary, topLogprobs } = this.#options;
    if (topLogprobs === undefined) return [];
    while (this.#judges.length < Math.min(mostJudges, tokens.length))
      this.#judges.push(new TokenJudge({ samplers, vocabulary, topLogprobs }));
    const logprobs: GeneratedTokenLogprob[] = [];
    const tasks = tokens.entries();
    const results = await Promise.allSettled(
      this.#judges.map(async (judge) => {
        for (const [at, token] of tasks)
          logprobs[at] = await judge.judge(context, logitIndexes[at] ?? 0, token);
      }),
    );
    // All of them must be over before the next step overwrites the logits, whatever one has thrown.
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return logprobs;
  }

  dispose(): void {
    for (const judge of this.#judges.splice(0)) judge.dispose();
    for (const sampler of this.#borrowed.splice(0)) this.#options.samplers.giveBack(sampler);
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
}
