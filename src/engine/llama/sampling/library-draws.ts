import type { NativeContext } from '../native/context.ts';
import type { GrammarState, NativeSampler, NativeSamplerConfig } from '../native/sampler.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { AllowedDraw } from './allowed-draw.ts';
import { isPenalised, toNativeConfig, type SeededSampling, type SeenTokens } from './native-config.ts';
import type { SamplerPool } from './sampler-pool.ts';
import { mustBeNumbers } from './token-judge.ts';

/** Logits are checked to be numbers before the first draw, and then before every draw of this number. */
const drawsPerCheck = 32;

export interface LibraryDrawsOptions {
  readonly samplers: SamplerPool;
  readonly vocabulary: Vocabulary;
  /** Most tokens that penalties look back on. */
  readonly contextTokens: number;
}

/** A grammar that binds the draws. */
interface Constraint {
  readonly state: GrammarState;
  /** Draws once more when the first token drawn is not allowed. */
  readonly again: AllowedDraw;
}

/**
 * Draws one request's tokens with node-llama-cpp's samplers, each in a job of its own after the step. Borrows native
 * samplers: dispose of it when the last draw is over.
 */
export class LibraryDraws {
  readonly #options: LibraryDrawsOptions;
  readonly #promptTokens: Uint32Array;
  readonly #native: NativeSampler;
  readonly #borrowed: NativeSampler[] = [];
  readonly #drawn: number[];
  #sampling: SeededSampling;
  #constraint: Constraint | undefined;

  /** `drawn`: the tokens that were drawn in another way before. */
  constructor(
    options: LibraryDrawsOptions,
    sampling: SeededSampling,
    promptTokens: Uint32Array,
    drawn: readonly number[] = [],
  ) {
    this.#options = options;
    this.#sampling = sampling;
    this.#promptTokens = promptTokens;
    this.#drawn = [...drawn];
    this.#native = this.#borrow(this.#config());
  }

  /** From now on draws with `sampling`, whose seed is the same as before. */
  useSampling(sampling: SeededSampling): void {
    this.#sampling = sampling;
    this.#native.applyConfig(this.#config());
  }

  /**
   * From now on draws only what the grammar allows, `begun` accepted already. False: that text does not fit it, so that
   * all is left open. `shown`: control tokens that the grammar may contain.
   */
  constrain(gbnf: string, begun: Uint32Array, shown: Iterable<number>): boolean {
    const { samplers, vocabulary } = this.#options;
    const state = samplers.beginGrammar(gbnf, begun);
    if (state === undefined) return false;
    const sampler = this.#borrow({ ...this.#config(), seed: this.#secondSeed });
    const again = new AllowedDraw({ grammar: state, sampler, vocabulary, shownTokens: shown });
    this.#constraint = { state, again };
    return true;
  }

  /**
   * A token, by the logits at `logitIndex` of the batch that `context` decoded last.
   * Throws AppError model_broken when they are not numbers.
   */
  async draw(context: NativeContext, logitIndex: number): Promise<number> {
    // One NaN in the cache makes all logits after it NaN, so an occasional check finds it.
    if (this.#drawn.length % drawsPerCheck === 0)
      await mustBeNumbers(context, logitIndex, this.#options.samplers);
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

  dispose(): void {
    for (const sampler of this.#borrowed.splice(0)) this.#options.samplers.giveBack(sampler);
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
    const tokens = Uint32Array.from([...this.#promptTokens, ...this.#drawn]);
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
