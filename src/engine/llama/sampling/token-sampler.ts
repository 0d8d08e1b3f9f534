import { randomInt } from 'node:crypto';
import type { GeneratedTokenLogprob } from '../../generation/generation.ts';
import type { SamplingOptions } from '../../generation/sampling-options.ts';
import {
  noNumbers,
  nothingAllowed,
  takesTooLong,
  type StepDraw,
  type Stepper,
  type StepSampler,
} from '../native/stepper.ts';
import { tokensOnly } from '../media/medium-ids.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { brokenModel, tooManyAlternatives } from './draw-errors.ts';
import { toLogprob } from './logprobs.ts';

/** llama.cpp takes this seed for "any": a client that asks for it still gets the same text every time. */
const reservedSeed = 2 ** 32 - 1;
const noTokens = new Uint32Array();

export interface SampledToken {
  readonly token: number;
  readonly logprob: GeneratedTokenLogprob | undefined;
}

/** Draws one request's tokens within the steps of its context, except for those that take too long. */
export class TokenSampler {
  readonly #stepper: Stepper;
  readonly #sampler: StepSampler;
  readonly #vocabulary: Vocabulary;
  readonly #prepared: PreparedRequest;
  /** Log-probabilities that are wanted besides a token's own; -1: not even that. */
  readonly #alternatives: number;
  /** Tokens before which no end-of-turn token can be drawn; Infinity: it can never be drawn. */
  readonly #minTokens: number;
  #endIsBanned: boolean;
  #drawnTokens = 0;

  constructor(stepper: Stepper, vocabulary: Vocabulary, prepared: PreparedRequest) {
    this.#stepper = stepper;
    this.#vocabulary = vocabulary;
    this.#prepared = prepared;
    const { sampling, ignoreEos, minTokens, topLogprobs = -1 } = prepared.request;
    this.#alternatives = topLogprobs;
    this.#minTokens = ignoreEos ? Number.POSITIVE_INFINITY : minTokens;
    this.#endIsBanned = this.#minTokens > 0;
    const seen = isPenalised(sampling) ? tokensOnly(prepared.promptTokens) : noTokens;
    // Clients may send any integer; llama.cpp and the stepper count in 32 bits.
    const topK = Math.min(sampling.topK, vocabulary.size);
    this.#sampler = stepper.createSampler({ ...sampling, topK, seed: seedOf(sampling) }, seen);
    this.#ban(this.#endIsBanned ? vocabulary.endOfGeneration : []);
  }

  /**
   * From now on draws only tokens that the grammar allows, `begun` accepted already; leaves all open when that text
   * does not fit. Control tokens are banned unless they are `shown`: the grammar would take them for their text, which
   * the client never sees. The turn ends where the grammar ends, even before `minTokens`. Throws where llama.cpp cannot
   * parse it.
   */
  constrain(gbnf: string, begun: Uint32Array, shown: ReadonlySet<number> = new Set()): void {
    if (!this.#sampler.constrain(gbnf, begun)) return;
    const { controlTokens, endOfGeneration } = this.#vocabulary;
    this.#endIsBanned = false;
    this.#ban(
      [...controlTokens.values()].filter((token) => !shown.has(token) && !endOfGeneration.has(token)),
    );
  }

  /** Most tokens of a draft: banned ends may be drawn after them. */
  get mostDrafted(): number {
    const banned = this.#minTokens - this.#drawnTokens;
    return this.#endIsBanned && banned > 0 ? banned - 1 : Number.POSITIVE_INFINITY;
  }

  /** The bytes that the grammar leaves no choice but to write next; empty: there is a choice. For use between steps. */
  get ahead(): Uint8Array {
    return this.#sampler.ahead();
  }

  /** The draw that the next step is to make by the logits at `logitIndex`, with at most `mostDrafted` tokens of a draft. */
  drawInStep(logitIndex: number, draft: Uint32Array = noTokens): StepDraw {
    if (this.#endIsBanned && this.#drawnTokens >= this.#minTokens) {
      this.#endIsBanned = false;
      this.#ban([]);
    }
    return { logitIndex, sampler: this.#sampler.handle, alternatives: this.#alternatives, draft };
  }

  /**
   * The next token, and those of the draft that follow it, as the step told of the draw. Throws AppError model_broken
   * when the logits are not numbers, schema_too_complex when the grammar takes too long to ask.
   */
  read(drawn: Float64Array | undefined): SampledToken[] {
    const [first] = drawn ?? [];
    if (drawn === undefined || first === undefined) throw new Error('The step made no draw');
    if (first === noNumbers) throw brokenModel();
    if (first === takesTooLong) throw tooManyAlternatives();
    if (first === nothingAllowed) throw new Error('The grammar allows none of the tokens that are left');
    const each = this.#alternatives < 0 ? 1 : 2 + 2 * this.#alternatives;
    const count = Math.ceil(drawn.length / each);
    this.#drawnTokens += count;
    return Array.from({ length: count }, (_, at) => {
      const [token = -1, ...logprobs] = drawn.subarray(at * each, (at + 1) * each);
      const logprob = logprobs.length > 0 ? toLogprob(this.#vocabulary, token, logprobs) : undefined;
      return { token, logprob };
    });
  }

  /** The same of a draw that took too long for its step. Other steps may go on meanwhile. */
  async readLater(): Promise<SampledToken[]> {
    return this.read(await this.#stepper.finishDraw(this.drawInStep(0)));
  }

  /** Goes back to before the last `count` tokens, which were drawn without a grammar. */
  takeBack(count: number): void {
    this.drop(count);
    this.#drawnTokens -= count;
  }

  /** The same of tokens that were drawn in a run after the last one that was read. */
  drop(count: number): void {
    this.#sampler.takeBack(count);
  }

  /**
   * The log-probabilities that the model itself gives `tokens`, each by the logits at its place in `logitIndexes`;
   * empty unless the request wants them. Throws AppError model_broken when the logits are not numbers.
   */
  async logprobsOf(logitIndexes: Uint32Array, tokens: Uint32Array): Promise<GeneratedTokenLogprob[]> {
    if (this.#alternatives < 0 || tokens.length === 0) return [];
    const told = await this.#stepper.logprobs(
      logitIndexes.subarray(0, tokens.length),
      tokens,
      this.#alternatives,
    );
    return told.map((numbers, at) => toLogprob(this.#vocabulary, tokens[at] ?? 0, numbers));
  }

  /** Bans `tokens`, and of the others only those that the request's biases and the model rule out. */
  #ban(tokens: Iterable<number>): void {
    const biases = new Map(this.#prepared.request.sampling.logitBias);
    for (const token of this.#vocabulary.neverDrawn) biases.set(token, Number.NEGATIVE_INFINITY);
    for (const token of tokens) biases.set(token, Number.NEGATIVE_INFINITY);
    this.#sampler.setBiases(biases);
  }
}

/** The draw depends on the tokens that came before. */
export const isPenalised = ({ frequencyPenalty, presencePenalty, repeatPenalty }: SamplingOptions): boolean =>
  frequencyPenalty !== 0 || presencePenalty !== 0 || repeatPenalty !== 1;

/** The request's seed, or any. */
export function seedOf({ seed = randomInt(reservedSeed) }: SamplingOptions): number {
  return seed === reservedSeed ? reservedSeed - 1 : seed;
}
