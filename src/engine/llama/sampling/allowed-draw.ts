import type { GrammarState, NativeSampler, NativeSamplerConfig } from '../native/sampler.ts';
import type { NativeContext } from '../native/context.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

/** Tokens that are asked about one by one, likeliest first, before the tree of all tokens is walked. */
const mostRanked = 256;
/** So many for each one that is needed: they are allowed or refused nearly all at once. */
const rankedPerNeeded = 8;
/** Tokens of the tree that are asked about at most. */
const mostChecks = 4000;
/** Lifts a logit above all others, whatever bias they have, and leaves it exact to a ten-thousandth. */
const lift = 500;

export interface AllowedDrawOptions {
  readonly grammar: GrammarState;
  /** Not used for anything else. */
  readonly sampler: NativeSampler;
  readonly vocabulary: Pick<Vocabulary, 'tree' | 'endOfGeneration'>;
  /** Control tokens that the grammar may hold. */
  readonly shownTokens: Iterable<number>;
}

/**
 * Draws among the tokens that a grammar allows. llama.cpp asks the grammar about every token of the vocabulary for
 * that, which takes longer than a small model takes to compute a token: so the allowed tokens that count are found
 * first, lifted above the others, and drawn among with all that the request says about sampling.
 */
export class AllowedDraw {
  readonly #options: AllowedDrawOptions;

  constructor(options: AllowedDrawOptions) {
    this.#options = options;
  }

  /** One token by `config`, which the grammar has taken in. */
  async draw(context: NativeContext, logitIndex: number, config: NativeSamplerConfig): Promise<number> {
    const { grammar, sampler, vocabulary } = this.#options;
    const allowed = await this.#find(context, logitIndex, config);
    if (allowed !== undefined) {
      const token = await this.#drawOneOf(allowed, context, logitIndex, config);
      if (token >= 0 && grammar.allows(token)) {
        // Nothing follows the end of the turn, and it is no part of the grammar.
        if (!vocabulary.endOfGeneration.has(token)) grammar.accept(token);
        return token;
      }
    }
    sampler.applyConfig({ ...config, grammarEvaluationState: grammar.native });
    return context.sampleToken(logitIndex, sampler);
  }

  async #drawOneOf(
    allowed: readonly number[],
    context: NativeContext,
    logitIndex: number,
    config: NativeSamplerConfig,
  ): Promise<number> {
    const [only = -1] = allowed;
    if (allowed.length <= 1) return only;
    const { sampler } = this.#options;
    sampler.applyConfig({ ...config, ...liftedBiases(config, allowed) });
    return context.sampleToken(logitIndex, sampler);
  }

  /** Allowed tokens, all of them or as many of the likeliest as can be drawn; undefined: not found cheaply. */
  async #find(
    context: NativeContext,
    logitIndex: number,
    config: NativeSamplerConfig,
  ): Promise<readonly number[] | undefined> {
    // This penalty divides the logits: it would not leave the lifted ones as they are to each other.
    if ((config.repeatPenalty ?? 1) !== 1) return undefined;
    const { grammar, sampler, vocabulary, shownTokens } = this.#options;
    const allows = (token: number) => grammar.allows(token);
    const needed = config.temperature === 0 ? 1 : (config.topK ?? Number.POSITIVE_INFINITY);
    if (needed <= mostRanked) {
      const ranked = Math.min(mostRanked, needed * rankedPerNeeded);
      sampler.applyConfig({ ...config, temperature: 1, topK: ranked, topP: 1, minP: 0 });
      const details = [[], false, false, false, ranked] as [number[], false, false, false, number];
      const [, , , pairs = []] = await context.sampleToken(logitIndex, sampler, false, false, details, false);
      const likeliest: number[] = [];
      for (let at = 0; at < pairs.length && likeliest.length < needed; at += 2) {
        const [token = -1, logit = Number.NEGATIVE_INFINITY] = pairs.slice(at, at + 2);
        if (logit !== Number.NEGATIVE_INFINITY && allows(token)) likeliest.push(token);
      }
      if (likeliest.length === needed) return likeliest;
    }
    const tree = await vocabulary.tree();
    const found = tree.find(allows, mostChecks);
    return found && [...found, ...[...shownTokens, ...vocabulary.endOfGeneration].filter(allows)];
  }
}

function liftedBiases(config: NativeSamplerConfig, allowed: readonly number[]) {
  const keys = config.tokenBiasKeys ?? [];
  const biases = new Map(Array.from(keys, (token, index) => [token, config.tokenBiasValues?.[index] ?? 0]));
  for (const token of allowed) biases.set(token, (biases.get(token) ?? 0) + lift);
  return {
    tokenBiasKeys: Uint32Array.from(biases.keys()),
    tokenBiasValues: Float32Array.from(biases.values()),
  };
}
