import { randomInt } from 'node:crypto';
import type { GeneratedTokenLogprob } from '../../generation.ts';
import type { NativeContext } from '../native/context/context.ts';
import type { StepDraw, Stepper } from '../native/stepper.ts';
import { tokensOnly } from '../media/medium-ids.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import type { Draws } from './draws.ts';
import { LibraryDraws, type LibraryDrawsOptions } from './library-draws.ts';
import { toLogprob } from './logprobs.ts';
import { isPenalised, type SeededSampling } from './native-config.ts';
import { StepDraws } from './step-draws.ts';

/** llama.cpp takes this seed for "any": a client that asks for it still gets the same text every time. */
const reservedSeed = 2 ** 32 - 1;

/** The options that the samplers of one model share. */
export interface TokenSamplerOptions extends LibraryDrawsOptions {
  readonly vocabulary: Vocabulary;
  /** Undefined: all draws are made by node-llama-cpp. */
  readonly stepper?: Stepper | undefined;
}

export interface SampledToken {
  readonly token: number;
  readonly logprob: GeneratedTokenLogprob | undefined;
}

/**
 * Draws one request's tokens: within the step where there is a stepper, else after it. Dispose of it when the last draw is
 * over.
 */
export class TokenSampler {
  readonly #options: TokenSamplerOptions;
  readonly #prepared: PreparedRequest;
  readonly #draws: Draws;
  /** Tokens before which no end-of-turn token can be drawn; Infinity: it can never be drawn. */
  readonly #minTokens: number;
  #endIsBanned: boolean;
  #drawnTokens = 0;

  constructor(options: TokenSamplerOptions, prepared: PreparedRequest) {
    this.#options = options;
    this.#prepared = prepared;
    const { sampling: requested, ignoreEos, minTokens, topLogprobs = -1 } = prepared.request;
    const { vocabulary, stepper } = options;
    this.#minTokens = ignoreEos ? Number.POSITIVE_INFINITY : minTokens;
    this.#endIsBanned = this.#minTokens > 0;
    const seed = requested.seed ?? randomInt(reservedSeed);
    const sampling: SeededSampling = {
      ...requested,
      // Clients may send any integer; llama.cpp and the stepper count in 32 bits.
      topK: Math.min(requested.topK, vocabulary.size),
      seed: seed === reservedSeed ? reservedSeed - 1 : seed,
    };
    const seen = isPenalised(sampling) ? tokensOnly(prepared.promptTokens) : new Uint32Array();
    this.#draws =
      stepper === undefined
        ? new LibraryDraws(options, sampling, seen, topLogprobs)
        : new StepDraws(stepper, sampling, seen, topLogprobs);
    this.#ban(this.#endIsBanned ? vocabulary.endOfGeneration : []);
  }

  /**
   * From now on draws only what the grammar allows, `begun` accepted already; leaves all open when that text does not
   * fit. Control tokens are banned unless they are `shown`: the grammar would take them for their text, which the
   * client never sees. The turn ends where the grammar ends, even before `minTokens`.
   */
  constrain(gbnf: string, begun: Uint32Array, shown: ReadonlySet<number> = new Set()): void {
    if (!this.#draws.constrain(gbnf, begun)) return;
    const { controlTokens, endOfGeneration } = this.#options.vocabulary;
    this.#endIsBanned = false;
    this.#ban(
      [...controlTokens.values()].filter((token) => !shown.has(token) && !endOfGeneration.has(token)),
    );
  }

  /** Most tokens of a draft: what is banned now may be drawn after them. */
  get mostDrafted(): number {
    const banned = this.#minTokens - this.#drawnTokens;
    return this.#endIsBanned && banned > 0 ? banned - 1 : Number.POSITIVE_INFINITY;
  }

  /** As `Draws.ahead`. */
  get ahead(): Uint8Array {
    return this.#draws.ahead();
  }

  /**
   * The draw that the next step is to make by the logits at `logitIndex`, with at most `mostDrafted` tokens of a draft;
   * undefined: `sample` makes it.
   */
  drawInStep(logitIndex: number, draft: Uint32Array = new Uint32Array()): StepDraw | undefined {
    if (this.#endIsBanned && this.#drawnTokens >= this.#minTokens) {
      this.#endIsBanned = false;
      this.#ban([]);
    }
    return this.#draws.inStep(logitIndex, draft);
  }

  /**
   * The next token, and those of the draft that follow it. Comes after `drawInStep`; arguments and errors are as of
   * `Draws.draw`.
   */
  async sample(context: NativeContext, logitIndex: number, drawn?: Float64Array): Promise<SampledToken[]> {
    return this.#tell(await this.#draws.draw(context, logitIndex, drawn));
  }

  /** As `sample`, of a draw that a step of a run made. */
  read(drawn: Float64Array): SampledToken[] {
    return this.#tell(this.#draws.read(drawn));
  }

  #tell(told: readonly ArrayLike<number>[]): SampledToken[] {
    this.#drawnTokens += told.length;
    return told.map((numbers) => {
      const [token = -1, ...logprobs] = Array.from(numbers);
      if (logprobs.length === 0) return { token, logprob: undefined };
      return { token, logprob: toLogprob(this.#options.vocabulary, token, logprobs) };
    });
  }

  /** Goes back to before the last `count` tokens, which were drawn without a grammar. */
  takeBack(count: number): void {
    this.drop(count);
    this.#drawnTokens -= count;
  }

  /** The same of tokens that were drawn in a run after the last one that was read. */
  drop(count: number): void {
    this.#draws.takeBack(count);
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
    if (this.#prepared.request.topLogprobs === undefined || tokens.length === 0) return [];
    const told = await this.#draws.logprobs(context, logitIndexes, tokens);
    return told.map((numbers, at) => toLogprob(this.#options.vocabulary, tokens[at] ?? 0, numbers));
  }

  dispose(): void {
    this.#draws.dispose();
  }

  /** Lets none of `tokens` be drawn, and no others but what the request's biases and the model rule out. */
  #ban(tokens: Iterable<number>): void {
    const biases = new Map(this.#prepared.request.sampling.logitBias);
    for (const token of this.#options.vocabulary.neverDrawn) biases.set(token, Number.NEGATIVE_INFINITY);
    for (const token of tokens) biases.set(token, Number.NEGATIVE_INFINITY);
    this.#draws.setBiases(biases);
  }
}
