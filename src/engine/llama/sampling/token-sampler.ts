import { randomInt } from 'node:crypto';
import type { GeneratedTokenLogprob } from '../../generation.ts';
import type { NativeContext } from '../native/context.ts';
import type { GrammarState, NativeSampler, NativeSamplerConfig } from '../native/sampler.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { AllowedDraw } from './allowed-draw.ts';
import { isPenalised, toNativeConfig, type SeededSampling, type SeenTokens } from './native-config.ts';
import type { SamplerPool } from './sampler-pool.ts';
import { mustBeNumbers, TokenJudge } from './token-judge.ts';

/** llama.cpp takes this seed for "any": a client that asks for it still gets the same text every time. */
const reservedSeed = 2 ** 32 - 1;
/** Logits are checked to be numbers before the first draw, and then before every draw of this number. */
const drawsPerCheck = 32;
/** libuv has four threads, in which the addon looks at logits. */
const mostJudges = 4;

/** What the samplers of one model share. */
export interface TokenSamplerOptions {
  readonly samplers: SamplerPool;
  readonly vocabulary: Vocabulary;
  /** Most tokens that penalties look back on. */
  readonly contextTokens: number;
}

export interface SampledToken {
  readonly token: number;
  readonly logprob: GeneratedTokenLogprob | undefined;
}

/** A grammar that binds the draws. */
interface Constraint {
  readonly state: GrammarState;
  /** Draws once more when the first token drawn is not allowed. */
  readonly again: AllowedDraw;
}

/** Draws one request's tokens. Borrows native samplers: dispose of it when the last draw is over. */
export class TokenSampler {
  readonly #options: TokenSamplerOptions;
  readonly #prepared: PreparedRequest;
  /** End-of-turn tokens cannot be drawn before so many tokens; Infinity: never. */
  readonly #minTokens: number;
  readonly #native: NativeSampler;
  /** Created when they are first needed; several judge a prompt together. */
  readonly #judges: TokenJudge[] = [];
  readonly #borrowed: NativeSampler[] = [];
  readonly #drawn: number[] = [];
  /** As requested, its seed drawn. */
  readonly #requested: SeededSampling;
  /** The same with a ban on the tokens that must not come now. */
  #sampling: SeededSampling;
  #endIsBanned: boolean;
  #constraint: Constraint | undefined;

  constructor(options: TokenSamplerOptions, prepared: PreparedRequest) {
    this.#options = options;
    this.#prepared = prepared;
    const { sampling, ignoreEos, minTokens } = prepared.request;
    const seed = sampling.seed ?? randomInt(reservedSeed);
    this.#requested = { ...sampling, seed: seed === reservedSeed ? reservedSeed - 1 : seed };
    this.#minTokens = ignoreEos ? Number.POSITIVE_INFINITY : minTokens;
    this.#endIsBanned = this.#minTokens > 0;
    this.#sampling = this.#endIsBanned
      ? withBanned(this.#requested, options.vocabulary.endOfGeneration)
      : this.#requested;
    this.#native = this.#borrow(this.#config());
  }

  /**
   * From now on draws only what the grammar allows, `begun` accepted already; leaves all open when that text does not
   * fit. Control tokens are banned unless they are `shown`: the grammar would take them for their text, which the
   * client never sees. The turn ends where the grammar ends, even before `minTokens`.
   */
  constrain(gbnf: string, begun: Uint32Array, shown: ReadonlySet<number> | undefined): void {
    const { samplers, vocabulary } = this.#options;
    const state = samplers.beginGrammar(gbnf, begun);
    if (state === undefined) return;
    const hidden = [...vocabulary.controlTokens.values()].filter(
      (token) => shown?.has(token) !== true && !vocabulary.endOfGeneration.has(token),
    );
    const secondSampler = this.#borrow({ ...this.#config(), seed: this.#secondSeed });
    const again = new AllowedDraw({
      grammar: state,
      sampler: secondSampler,
      vocabulary,
      shownTokens: shown ?? [],
    });
    this.#constraint = { state, again };
    this.#endIsBanned = false;
    this.#sampling = withBanned(this.#requested, hidden);
    this.#native.applyConfig(this.#config());
  }

  /**
   * Draws from the logits at `logitIndex` of the batch that `context` decoded last.
   * Throws AppError model_broken when they are not numbers.
   */
  async sample(context: NativeContext, logitIndex: number): Promise<SampledToken> {
    if (this.#endIsBanned && this.#drawn.length >= this.#minTokens) {
      this.#endIsBanned = false;
      this.#sampling = this.#requested;
      this.#native.applyConfig(this.#config());
    }
    // One NaN in the cache makes all logits after it NaN, so an occasional check finds it.
    if (this.#drawn.length % drawsPerCheck === 0)
      await mustBeNumbers(context, logitIndex, this.#options.samplers);
    const token = await this.#draw(context, logitIndex);
    const [logprob] = await this.logprobsOf(context, Uint32Array.of(logitIndex), Uint32Array.of(token));
    return { token, logprob };
  }

  /**
   * The log-probabilities that the model itself gives `tokens`, each by the logits at its place in `logitIndexes`;
   * empty unless the request wants them. Throws AppError model_broken when the logits are not numbers.
   */
  async logprobsOf(
    context: NativeContext,
    logitIndexes: Uint32Array,
    tokens: Uint32Array,
  ): Promise<GeneratedTokenLogprob[]> {
    const { samplers, vocabulary } = this.#options;
    const { topLogprobs } = this.#prepared.request;
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
    // All judges must have ended before the next step overwrites the logits, even when one of them throws.
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return logprobs;
  }

  dispose(): void {
    for (const judge of this.#judges.splice(0)) judge.dispose();
    for (const sampler of this.#borrowed.splice(0)) this.#options.samplers.giveBack(sampler);
  }

  async #draw(context: NativeContext, logitIndex: number): Promise<number> {
    const first = await context.sampleToken(logitIndex, this.#native);
    const { state, again } = this.#constraint ?? {};
    const isRefused = first >= 0 && state?.allows(first) === false;
    const token = isRefused
      ? await again?.draw({ context, logitIndex, sampling: this.#secondSampling, seen: this.#seen })
      : first;
    if (token === undefined || token < 0) throw new Error('The model gave no logits to sample from');
    if (!isRefused && !this.#options.vocabulary.endOfGeneration.has(token)) state?.accept(token);
    this.#drawn.push(token);
    // The sampler would go on counting the refused token among those that it penalises.
    if (isRefused && isPenalised(this.#sampling)) this.#native.applyConfig(this.#config());
    return token;
  }

  get #secondSampling(): SeededSampling {
    return { ...this.#sampling, seed: this.#secondSeed };
  }

  /** A second draw by the same random number would not be independent of the first, so it gets another seed. */
  get #secondSeed(): number {
    return (this.#sampling.seed ^ 0x5bd1e995) >>> 0;
  }

  get #seen(): SeenTokens | undefined {
    if (!isPenalised(this.#sampling)) return undefined;
    const tokens = Uint32Array.from([...this.#prepared.promptTokens, ...this.#drawn]);
    return { tokens, most: this.#options.contextTokens };
  }

  #borrow(config: NativeSamplerConfig): NativeSampler {
    const sampler = this.#options.samplers.take(config);
    this.#borrowed.push(sampler);
    return sampler;
  }

  #config(): NativeSamplerConfig {
    return toNativeConfig(this.#sampling, this.#seen);
  }
}

function withBanned(sampling: SeededSampling, tokens: Iterable<number>): SeededSampling {
  const logitBias = new Map(sampling.logitBias);
  for (const token of tokens) logitBias.set(token, Number.NEGATIVE_INFINITY);
  return { ...sampling, logitBias };
}
