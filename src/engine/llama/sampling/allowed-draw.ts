import { neutralFilters } from '../../sampling-options.ts';
import type { NativeContext } from '../native/context.ts';
import type { GrammarState, NativeSampler } from '../native/sampler.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { GrammarQuestions } from './grammar-questions.ts';
import { toNativeConfig, type SeededSampling, type SeenTokens } from './native-config.ts';

/** The grammar is asked about so many of the likeliest tokens at most before the tree of all tokens is searched. */
const mostRanked = 256;
/** So many of the likeliest are looked at for each one that is needed, since the grammar refuses some of them. */
const rankedPerNeeded = 8;
/** The grammar is asked about so many tokens of the tree at most, and of the likeliest where these are too many. */
const mostChecks = 4000;
/** Added to the logits of allowed tokens: puts them above all others and still leaves them exact to 0.0001. */
const lift = 500;

export interface AllowedDrawOptions {
  readonly grammar: GrammarState;
  /** Not used for anything else. */
  readonly sampler: NativeSampler;
  readonly vocabulary: Pick<Vocabulary, 'tree' | 'endOfGeneration' | 'size'>;
  /** Control tokens that the grammar may contain. */
  readonly shownTokens: Iterable<number>;
}

/** What a token is drawn from, and how. */
interface Draw {
  readonly context: NativeContext;
  readonly logitIndex: number;
  readonly sampling: SeededSampling;
  /** The tokens that penalties count. */
  readonly seen?: SeenTokens | undefined;
}

/**
 * Draws among the tokens that a grammar allows. llama.cpp would ask the grammar about every token of the vocabulary,
 * which takes longer than a small model takes to compute a token. So this class first finds those allowed tokens that
 * can be drawn at all, lifts their logits above all others, and then draws with the request's own sampling.
 */
export class AllowedDraw {
  readonly #options: AllowedDrawOptions;

  constructor(options: AllowedDrawOptions) {
    this.#options = options;
  }

  /**
   * One token that the grammar allows; the grammar has accepted it. Throws AppError schema_too_complex when the grammar
   * takes too long to say which tokens it allows.
   */
  async draw(draw: Draw): Promise<number> {
    const { grammar, sampler, vocabulary } = this.#options;
    const { context, logitIndex, sampling, seen } = draw;
    const allowed = await this.#find(draw);
    if (allowed !== undefined) {
      const token = await this.#drawOneOf(allowed, draw);
      if (token >= 0 && grammar.allows(token)) {
        // A token that ends the turn is no part of the grammar, which needs no next state after it.
        if (!vocabulary.endOfGeneration.has(token)) grammar.accept(token);
        return token;
      }
    }
    sampler.applyConfig({ ...toNativeConfig(sampling, seen), grammarEvaluationState: grammar.native });
    return context.sampleToken(logitIndex, sampler);
  }

  #ask(): GrammarQuestions {
    const { grammar } = this.#options;
    return new GrammarQuestions((token) => grammar.allows(token));
  }

  async #drawOneOf(
    allowed: readonly number[],
    { context, logitIndex, sampling, seen }: Draw,
  ): Promise<number> {
    const [only = -1] = allowed;
    if (allowed.length <= 1) return only;
    const { sampler } = this.#options;
    const logitBias = new Map(sampling.logitBias);
    for (const token of allowed) logitBias.set(token, (logitBias.get(token) ?? 0) + lift);
    sampler.applyConfig(toNativeConfig({ ...sampling, logitBias }, seen));
    return context.sampleToken(logitIndex, sampler);
  }

  /**
   * The allowed tokens: all of them, or at least all that the sampling leaves to be drawn. Undefined when finding them
   * would take too long.
   */
  async #find(draw: Draw): Promise<readonly number[] | undefined> {
    // This penalty divides logits, so it would change the differences between lifted ones.
    if (draw.sampling.repeatPenalty !== 1) return undefined;
    const { vocabulary, shownTokens } = this.#options;
    const needed = neededOf(draw.sampling);
    const likeliest = await this.#likeliest(draw, needed, Math.min(mostRanked, needed * rankedPerNeeded));
    if (likeliest !== undefined) return likeliest;
    // The tree is made for the first one that needs it, which is none of the time that the questions may take.
    const tree = await vocabulary.tree();
    const questions = this.#ask();
    const found = await tree.find(questions, mostChecks);
    if (found === undefined) {
      // So it is near the end of a text whose length is bounded: most tokens are too long, and below many others.
      const lessLikely = await this.#likeliest(draw, needed, mostChecks);
      if (lessLikely === undefined) questions.mustAllowAskingAbout(vocabulary.size);
      return lessLikely;
    }
    const others = [...shownTokens, ...vocabulary.endOfGeneration];
    return [...found, ...others.filter((token) => questions.allows(token))];
  }

  /** The `needed` likeliest allowed tokens; undefined when fewer of the `ranked` likeliest are allowed, or too many needed. */
  async #likeliest(
    { context, logitIndex, sampling, seen }: Draw,
    needed: number,
    ranked: number,
  ): Promise<readonly number[] | undefined> {
    if (needed > mostRanked) return undefined;
    const { sampler } = this.#options;
    sampler.applyConfig(toNativeConfig({ ...sampling, ...neutralFilters, topK: ranked }, seen));
    const details = [[], false, false, false, ranked] as [number[], false, false, false, number];
    const [, , , pairs = []] = await context.sampleToken(logitIndex, sampler, false, false, details, false);
    const questions = this.#ask();
    const likeliest: number[] = [];
    for (let at = 0; at < pairs.length && likeliest.length < needed; at += 2) {
      const [token = -1, logit = Number.NEGATIVE_INFINITY] = pairs.slice(at, at + 2);
      if (questions.isPauseDue) await questions.pause();
      if (logit !== Number.NEGATIVE_INFINITY && questions.allows(token)) likeliest.push(token);
    }
    return likeliest.length === needed ? likeliest : undefined;
  }
}

/** How many of the likeliest allowed tokens can be drawn; Infinity: all of them. */
function neededOf({ temperature, topK, xtcProbability }: SeededSampling): number {
  // XTC may leave out the likeliest token, even of a greedy draw.
  const isGreedy = temperature === 0 && xtcProbability === 0;
  return isGreedy ? 1 : topK > 0 ? topK : Number.POSITIVE_INFINITY;
}
