import { performance } from 'node:perf_hooks';
import { AppError } from '../../../errors/errors.ts';
import type { EmbeddingRequest } from '../../types.ts';
import type { NativeEmbeddingContext } from '../native/context/context.ts';
import type { ChatThreads } from '../chat-threads.ts';
import { brokenModel } from '../sampling/draw-errors.ts';
import type { PrefillPacer } from '../steps/prefill-pacer.ts';

/** Seconds after which other models may have left memory. */
const retrySeconds = 30;

export interface EmbeddingContext {
  readonly native: NativeEmbeddingContext;
  /** Default: the context keeps the threads that it has. */
  readonly threads?: ChatThreads | undefined;
}

export interface VectorComputerOptions {
  /** Called when the first text comes, and again after it failed. */
  readonly openContext: () => Promise<EmbeddingContext>;
  /** Most tokens per step. */
  readonly batchTokens: number;
  /** The model gives a score, which is left as it is; default: a vector. */
  readonly ranks?: boolean;
  /** Chooses the sizes of steps so that running answers do not stutter; undefined: each has as many tokens as possible. */
  readonly pacer?: Pick<PrefillPacer, 'chunkTokens' | 'observe'> | undefined;
}

/** Computes the vector of one text at a time in a context that is opened when it is first needed. */
export class VectorComputer {
  readonly #options: VectorComputerOptions;
  #context: Promise<EmbeddingContext> | undefined;
  /** Numbers per vector; undefined until there was one. */
  #dimensions: number | undefined;

  constructor(options: VectorComputerOptions) {
    this.#options = options;
  }

  /** True when the context is in memory or being opened. */
  get isOpen(): boolean {
    return this.#context !== undefined;
  }

  /** The context. Throws node-llama-cpp's error when it cannot be opened. */
  async open(): Promise<EmbeddingContext> {
    this.#context ??= this.#options.openContext();
    try {
      return await this.#context;
    } catch (error) {
      this.#context = undefined;
      throw error;
    }
  }

  /** Frees the context. No `compute` may be under way. */
  async dispose(): Promise<void> {
    await (await this.#context)?.native.dispose();
  }

  /**
   * The vector of `tokens`, of length 1; undefined when `signal` is aborted. `onComputed` is told the number of tokens
   * after each step. Throws AppError: model_load_failed, model_broken where its result is no vector, and
   * unsupported_value where the model has no vectors or none of the wanted number of dimensions.
   */
  async compute(
    tokens: Uint32Array,
    wanted: WantedVector,
    signal: AbortSignal,
    onComputed: (tokens: number) => void,
  ): Promise<Float32Array | undefined> {
    if (signal.aborted) return undefined;
    // Refused before it is computed where that is possible, because a refused request is not charged.
    checkDimensions(wanted, this.#dimensions);
    const { pacer, batchTokens } = this.#options;
    const { native: context, threads } = await this.open().catch((cause: unknown) => {
      throw noMemory(cause);
    });
    context.cut(0, 0);
    for (let at = 0; at < tokens.length;) {
      if (signal.aborted) return undefined;
      threads?.adapt();
      const chunk = tokens.subarray(at, at + (pacer?.chunkTokens() ?? batchTokens));
      const startedAtMs = performance.now();
      context.initBatch(chunk.length);
      context.addToBatch(0, at, chunk, Uint32Array.of(chunk.length - 1));
      await context.decodeBatch();
      pacer?.observe(chunk.length, performance.now() - startedAtMs);
      at += chunk.length;
      onComputed(chunk.length);
    }
    if (this.#options.ranks === true) return Float32Array.of(scoreOf(context));
    const values = valuesOf(context);
    this.#dimensions = values.length;
    checkDimensions(wanted, values.length);
    const vector = toUnit(values);
    return wanted.dimensions === undefined ? vector : toUnit(vector.subarray(0, wanted.dimensions));
  }
}

/** A score has one number: llama.cpp has no more of them in its memory. Throws model_broken where it is none. */
function scoreOf(context: NativeEmbeddingContext): number {
  const [score = Number.NaN] = context.getEmbedding();
  if (!Number.isFinite(score)) throw brokenModel(`a score of ${score}`);
  return score;
}

/** Throws unsupported_value where the model has no embeddings. */
function valuesOf(context: NativeEmbeddingContext): Float32Array {
  try {
    return context.getEmbedding();
  } catch (cause) {
    throw new AppError('unsupported_value', 'This model computes no embeddings. Use another one.', {
      param: 'model',
      cause,
    });
  }
}

/** The vector of length 1. Throws model_broken where there is none. */
function toUnit(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  if (!(length > 0 && Number.isFinite(length))) throw brokenModel(`a vector of length ${length}`);
  return Float32Array.from(values, (value) => value / length);
}

type WantedVector = Pick<EmbeddingRequest, 'dimensions' | 'cutsVectors'>;

/** Throws unsupported_value where the actual number is known and no vector can have the wanted one. */
function checkDimensions(
  { dimensions, cutsVectors = false }: WantedVector,
  actual: number | undefined,
): void {
  if (dimensions === undefined || actual === undefined || dimensions === actual) return;
  if (cutsVectors && dimensions < actual) return;
  const remedy = cutsVectors
    ? 'Ask for no more, or leave it out.'
    : "Leave it out. The operator may write 'dimensions: true' for a model that was trained to be cut (Matryoshka).";
  throw new AppError(
    'unsupported_value',
    `The embeddings of this model have ${actual} dimensions. ${remedy}`,
    { param: 'dimensions' },
  );
}

const noMemory = (cause: unknown) =>
  new AppError('model_load_failed', 'There is no memory for embeddings of this model now.', {
    retryAfterSeconds: retrySeconds,
    cause,
  });
