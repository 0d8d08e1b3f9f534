import type { NativeContext } from '../native/context/context.ts';
import type { GrammarState, NativeSampler } from '../native/sampler.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import type { Draws } from './draws.ts';
import { tooManyAlternatives } from './draw-errors.ts';
import { LibraryLogprobs, mustBeNumbers } from './library-logprobs.ts';
import { isPenalised, toNativeConfig, type SeededSampling } from './native-config.ts';
import type { SamplerPool } from './sampler-pool.ts';

/** Logits are checked to be numbers before the first draw, and then before every draw of this number. */
const drawsPerCheck = 32;
/** libuv has four threads, in which node-llama-cpp looks at logits. */
const mostJudges = 4;
/** A grammar is too slow to serve where asking it about every token of the vocabulary takes longer than 5 s. */
const mostAskingMs = 5000;
/** The time of asking about all tokens is estimated from the median of nine questions. */
const triedQuestions = 9;

export interface LibraryDrawsOptions {
  readonly samplers: SamplerPool;
  readonly vocabulary: Pick<Vocabulary, 'size'>;
  /** Most tokens that penalties look back on. */
  readonly contextTokens: number;
}

/**
 * Draws one request's tokens with node-llama-cpp's own sampler, each in a job of its own after the step: where there is no
 * stepper. Borrows native samplers: dispose of it when the last draw is over.
 */
export class LibraryDraws implements Draws {
  readonly #options: LibraryDrawsOptions;
  readonly #promptTokens: Uint32Array;
  readonly #sampler: NativeSampler;
  readonly #drawn: number[] = [];
  readonly #alternatives: number;
  /** Created when they are first needed; several judge a prompt together. */
  readonly #judges: LibraryLogprobs[] = [];
  #sampling: SeededSampling;
  #grammar: GrammarState | undefined;

  /** `alternatives`: log-probabilities that are wanted besides a token's own; -1: not even that. */
  constructor(
    options: LibraryDrawsOptions,
    sampling: SeededSampling,
    promptTokens: Uint32Array,
    alternatives: number,
  ) {
    this.#options = options;
    this.#sampling = sampling;
    this.#promptTokens = promptTokens;
    this.#alternatives = alternatives;
    this.#sampler = options.samplers.take(this.#config());
  }

  setBiases(logitBias: ReadonlyMap<number, number>): void {
    this.#sampling = { ...this.#sampling, logitBias };
    this.#sampler.applyConfig(this.#config());
  }

  constrain(gbnf: string, begun: Uint32Array): boolean {
    const grammar = this.#options.samplers.beginGrammar(gbnf, begun);
    if (grammar === undefined) return false;
    this.#grammar = grammar;
    this.#sampler.applyConfig(this.#config());
    return true;
  }

  inStep(): undefined {}

  read(): never {
    throw new Error('It draws after steps');
  }

  takeBack(): void {}

  ahead(): Uint8Array {
    return new Uint8Array();
  }

  async draw(context: NativeContext, logitIndex: number): Promise<ArrayLike<number>[]> {
    // One NaN in the cache makes all logits after it NaN, so an occasional check finds it.
    if (this.#drawn.length % drawsPerCheck === 0)
      await mustBeNumbers(context, logitIndex, this.#options.samplers);
    if (this.#grammar !== undefined) this.#mustBeQuick(this.#grammar);
    const token = await context.sampleToken(logitIndex, this.#sampler);
    if (token < 0) throw new Error('The model gave no logits to sample from');
    this.#drawn.push(token);
    if (this.#alternatives < 0) return [[token]];
    const [logprobs] = await this.logprobs(context, Uint32Array.of(logitIndex), Uint32Array.of(token));
    return [[token, ...Array.from(logprobs ?? [])]];
  }

  async logprobs(
    context: NativeContext,
    logitIndexes: Uint32Array,
    tokens: Uint32Array,
  ): Promise<ArrayLike<number>[]> {
    while (this.#judges.length < Math.min(mostJudges, tokens.length))
      this.#judges.push(new LibraryLogprobs(this.#options.samplers, Math.max(0, this.#alternatives)));
    const told: ArrayLike<number>[] = [];
    const tasks = tokens.entries();
    const results = await Promise.allSettled(
      this.#judges.map(async (judge) => {
        for (const [at, token] of tasks) told[at] = await judge.of(context, logitIndexes[at] ?? 0, token);
      }),
    );
    // All must have ended before the next step overwrites the logits, even when one of them throws.
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return told;
  }

  dispose(): void {
    for (const judge of this.#judges.splice(0)) judge.dispose();
    this.#options.samplers.giveBack(this.#sampler);
  }

  #config() {
    const sampling = this.#sampling;
    const seen = isPenalised(sampling)
      ? {
          tokens: Uint32Array.from([...this.#promptTokens, ...this.#drawn]),
          most: this.#options.contextTokens,
        }
      : undefined;
    const grammar = this.#grammar && { grammarEvaluationState: this.#grammar.native };
    return { ...toNativeConfig(sampling, seen), ...grammar };
  }

  /** Throws schema_too_complex where asking about every token would take too long, judged by a few. */
  #mustBeQuick(grammar: GrammarState): void {
    const { size } = this.#options.vocabulary;
    const times = Array.from({ length: triedQuestions }, (_, at) => {
      const beganMs = performance.now();
      grammar.allows(Math.floor((at * size) / triedQuestions));
      return performance.now() - beganMs;
    });
    const usualMs = times.toSorted((a, b) => a - b)[Math.floor(triedQuestions / 2)] ?? 0;
    if (usualMs * size > mostAskingMs) throw tooManyAlternatives();
  }
}
