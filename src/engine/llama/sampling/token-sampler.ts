import { randomInt } from 'node:crypto';
import type { GeneratedTokenLogprob } from '../../generation.ts';
import type { NativeContext } from '../native/context.ts';
import { canDraw, noNumbers, type Drawer, type StepDraw, type Stepper } from '../native/stepper.ts';
import { tokensOnly } from '../media/medium-ids.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import { LibraryDraws, type LibraryDrawsOptions } from './library-draws.ts';
import { isPenalised, type SeededSampling } from './native-config.ts';
import { brokenModel, TokenJudge, toLogprob } from './token-judge.ts';

/** llama.cpp takes this seed for "any": a client that asks for it still gets the same text every time. */
const reservedSeed = 2 ** 32 - 1;
/** libuv has four threads, in which node-llama-cpp looks at logits. */
const mostJudges = 4;

/** What the samplers of one model share. */
export interface TokenSamplerOptions extends LibraryDrawsOptions {
  /** Undefined: all draws are made by node-llama-cpp. */
  readonly stepper?: Stepper | undefined;
}

export interface SampledToken {
  readonly token: number;
  readonly logprob: GeneratedTokenLogprob | undefined;
}

/** A grammar, and how many tokens were drawn before it applied. */
interface Constraint {
  readonly gbnf: string;
  readonly begun: Uint32Array;
  readonly shown: ReadonlySet<number>;
  readonly since: number;
}

/**
 * Draws one request's tokens: within the step where the stepper can, else after it. Borrows native samplers: dispose of
 * it when the last draw is over.
 */
export class TokenSampler {
  readonly #options: TokenSamplerOptions;
  readonly #prepared: PreparedRequest;
  /** End-of-turn tokens cannot be drawn before so many tokens; Infinity: never. */
  readonly #minTokens: number;
  /** Created when they are first needed; several judge a prompt together. */
  readonly #judges: TokenJudge[] = [];
  readonly #drawn: number[] = [];
  /** As requested, its seed drawn. */
  readonly #requested: SeededSampling;
  /** The same with a ban on the tokens that must not come now. */
  #sampling: SeededSampling;
  #endIsBanned: boolean;
  #constraint: Constraint | undefined;
  /** Makes the draws within steps; undefined: `#library` makes them. */
  #drawer: Drawer | undefined;
  #library: LibraryDraws | undefined;

  constructor(options: TokenSamplerOptions, prepared: PreparedRequest) {
    this.#options = options;
    this.#prepared = prepared;
    const { sampling, ignoreEos, minTokens } = prepared.request;
    const seed = sampling.seed ?? randomInt(reservedSeed);
    this.#requested = {
      ...sampling,
      // Clients may send any integer; llama.cpp and the stepper count in 32 bits.
      topK: Math.min(sampling.topK, options.vocabulary.size),
      seed: seed === reservedSeed ? reservedSeed - 1 : seed,
    };
    this.#minTokens = ignoreEos ? Number.POSITIVE_INFINITY : minTokens;
    this.#endIsBanned = this.#minTokens > 0;
    this.#sampling = this.#endIsBanned
      ? withBanned(this.#requested, options.vocabulary.endOfGeneration)
      : this.#requested;
    this.#drawer = this.#createDrawer();
    if (this.#drawer === undefined)
      this.#library = new LibraryDraws(options, this.#sampling, tokensOnly(prepared.promptTokens));
  }

  /**
   * From now on draws only what the grammar allows, `begun` accepted already; leaves all open when that text does not
   * fit. Control tokens are banned unless they are `shown`: the grammar would take them for their text, which the
   * client never sees. The turn ends where the grammar ends, even before `minTokens`.
   */
  constrain(gbnf: string, begun: Uint32Array, shown: ReadonlySet<number> = new Set()): void {
    const fits = this.#drawer?.constrain(gbnf, begun) ?? this.#library?.constrain(gbnf, begun, shown);
    if (fits !== true) return;
    this.#constraint = { gbnf, begun, shown, since: this.#drawn.length };
    const { controlTokens, endOfGeneration } = this.#options.vocabulary;
    const hidden = [...controlTokens.values()].filter(
      (token) => !shown.has(token) && !endOfGeneration.has(token),
    );
    this.#endIsBanned = false;
    this.#useSampling(withBanned(this.#requested, hidden));
  }

  /** The draw that the next step is to make by the logits at `logitIndex`; undefined: `sample` makes it. */
  drawInStep(logitIndex: number): StepDraw | undefined {
    this.#allowEnd();
    const { topLogprobs: alternatives = -1 } = this.#prepared.request;
    return this.#drawer && { logitIndex, drawer: this.#drawer.handle, alternatives };
  }

  /**
   * The next token, by the logits at `logitIndex` of the batch that `context` decoded last. `drawn` is what the step
   * told of the draw that it was to make. Throws AppError model_broken when the logits are not numbers.
   */
  async sample(context: NativeContext, logitIndex: number, drawn?: Float64Array): Promise<SampledToken> {
    this.#allowEnd();
    if (drawn?.[0] === noNumbers) throw brokenModel();
    let token = drawn?.[0] ?? -1;
    const isDrawn = token >= 0;
    if (!isDrawn) {
      this.#library ??= this.#leaveDrawer();
      token = await this.#library.draw(context, logitIndex);
    }
    this.#drawn.push(token);
    const { topLogprobs } = this.#prepared.request;
    if (topLogprobs === undefined) return { token, logprob: undefined };
    if (isDrawn && drawn !== undefined)
      return { token, logprob: toLogprob(this.#options.vocabulary, token, drawn.subarray(1)) };
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
    const { samplers, vocabulary, stepper } = this.#options;
    const { topLogprobs } = this.#prepared.request;
    if (topLogprobs === undefined || tokens.length === 0) return [];
    if (stepper !== undefined) {
      const told = await stepper.judge(logitIndexes.subarray(0, tokens.length), tokens, topLogprobs);
      return told.map((numbers, at) => toLogprob(vocabulary, tokens[at] ?? 0, numbers));
    }
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
    this.#library?.dispose();
  }

  /** Undefined where there is no stepper, or the request wants XTC, which it does not have. */
  #createDrawer(): Drawer | undefined {
    const { sampling: requested } = this.#prepared.request;
    if (!canDraw(requested)) return undefined;
    const seen = isPenalised(requested) ? tokensOnly(this.#prepared.promptTokens) : new Uint32Array();
    const drawer = this.#options.stepper?.createDrawer(this.#requested, seen);
    drawer?.setBiases(this.#sampling.logitBias);
    return drawer;
  }

  /** The draws of the library in the drawer's place, which stopped because its grammar takes too long to ask. */
  #leaveDrawer(): LibraryDraws {
    this.#drawer = undefined;
    const library = new LibraryDraws(
      this.#options,
      this.#sampling,
      tokensOnly(this.#prepared.promptTokens),
      this.#drawn,
    );
    if (this.#constraint !== undefined) {
      const { gbnf, begun, shown, since } = this.#constraint;
      library.constrain(gbnf, Uint32Array.from([...begun, ...this.#drawn.slice(since)]), shown);
    }
    return library;
  }

  #allowEnd(): void {
    if (!this.#endIsBanned || this.#drawn.length < this.#minTokens) return;
    this.#endIsBanned = false;
    this.#useSampling(this.#requested);
  }

  #useSampling(sampling: SeededSampling): void {
    this.#sampling = sampling;
    this.#drawer?.setBiases(sampling.logitBias);
    this.#library?.useSampling(sampling);
  }
}

function withBanned(sampling: SeededSampling, tokens: Iterable<number>): SeededSampling {
  const logitBias = new Map(sampling.logitBias);
  for (const token of tokens) logitBias.set(token, Number.NEGATIVE_INFINITY);
  return { ...sampling, logitBias };
}
