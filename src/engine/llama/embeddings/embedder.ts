import type { ThreadBudget } from '../../queue/thread-budget.ts';
import { WaitingRoom } from '../../queue/waiting-room.ts';
import { engineError, tooManyWait } from '../../../errors/unavailable.ts';
import { RankedQueue } from '../../queue/ranked-queue.ts';
import { AppError } from '../../../errors/errors.ts';
import { nothingComputed, type EmbeddingEnd } from '../../generation/generation.ts';
import type { EmbeddingRequest } from '../../types.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { VectorComputer, type VectorComputerOptions } from './vector-computer.ts';
import { Slices } from '../../../timing/slices.ts';
import { checkTokens } from '../tokens/prompt-tokens.ts';

export interface EmbedderOptions extends VectorComputerOptions {
  readonly vocabulary: Vocabulary;
  /** Default: nothing else computes on the cores. */
  readonly threadBudget?: ThreadBudget | undefined;
  /** Most tokens of a text. */
  readonly contextTokens: number;
  /** Requests that may wait at the same time. */
  readonly queueLimit: number;
}

/** One request and how far it has come. */
interface Job {
  readonly request: EmbeddingRequest;
  readonly inputs: readonly Uint32Array[];
  readonly signal: AbortSignal;
  readonly vectors: Float32Array[];
  computedTokens: number;
  readonly end: (end: EmbeddingEnd) => void;
}

/**
 * Turns texts into vectors, one text at a time, because the addon tells the vector of one sequence only. Requests take
 * turns after each text: the key that was served least comes next.
 */
export class Embedder {
  readonly #options: EmbedderOptions;
  readonly #computer: VectorComputer;
  readonly #queue = new RankedQueue<Job>();
  /** Requests that have not ended. */
  readonly #room = new WaitingRoom();
  #running: Promise<void> | undefined;

  constructor(options: EmbedderOptions) {
    this.#options = options;
    this.#computer = new VectorComputer(options);
  }

  get contextTokens(): number {
    return this.#options.contextTokens;
  }

  /** True when its context is in memory or being opened. */
  get isOpen(): boolean {
    return this.#computer.isOpen;
  }

  /** Allocates the memory for computing. Throws errors of node-llama-cpp. */
  async open(): Promise<void> {
    await this.#computer.open();
  }

  /** How `request` ended; never rejects. */
  async embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    const { vocabulary, contextTokens, queueLimit } = this.#options;
    const refusal = new AbortController();
    // One request is computed while the others wait.
    const leave = this.#room.enter(request, queueLimit + 1, () => refusal.abort(tooManyWait(0)));
    if (leave === undefined) return { outcome: 'failed', error: tooManyWait(0), usage: nothingComputed };
    try {
      const inputs = await tokenizeInputs(request.inputs, vocabulary, contextTokens);
      refusal.signal.throwIfAborted();
      const end = await this.#submit(request, inputs, signal, refusal.signal);
      if (end.outcome !== 'aborted' || signal.aborted) return end;
      return { outcome: 'failed', error: refusal.signal.reason as AppError, usage: end.usage };
    } catch (error) {
      return { outcome: 'failed', error: error as Error, usage: nothingComputed };
    } finally {
      leave();
    }
  }

  #submit(
    request: EmbeddingRequest,
    inputs: readonly Uint32Array[],
    leaving: AbortSignal,
    refused: AbortSignal,
  ): Promise<EmbeddingEnd> {
    return new Promise((end) => {
      const signal = AbortSignal.any([leaving, refused]);
      const job: Job = { request, inputs, signal, vectors: [], computedTokens: 0, end };
      refused.addEventListener('abort', () => {
        if (this.#queue.remove(job)) end({ outcome: 'aborted', usage: usageOf(job) });
      });
      this.#queue.push(request, job);
      this.#running ??= this.#run();
    });
  }

  /** Waits for running work, then frees the memory. */
  async dispose(): Promise<void> {
    await this.#running;
    await this.#computer.dispose();
  }

  async #run(): Promise<void> {
    const sleep = this.#options.threadBudget?.beginChat();
    for (let job = this.#queue.pop(); job !== undefined; job = this.#queue.pop()) {
      const before = job.computedTokens;
      const end = await this.#advance(job);
      this.#queue.charge(job.request, job.computedTokens - before);
      if (end === undefined) this.#queue.push(job.request, job);
      this.#queue.retire(job.request);
      if (end !== undefined) job.end(end);
    }
    sleep?.();
    this.#running = undefined;
  }

  /** Computes the next text of `job`; undefined: there are more. */
  async #advance(job: Job): Promise<EmbeddingEnd | undefined> {
    const tokens = job.inputs[job.vectors.length];
    try {
      const vector = tokens && (await this.#compute(tokens, job));
      if (vector !== undefined) job.vectors.push(vector);
      else if (tokens !== undefined) return { outcome: 'aborted', usage: usageOf(job) };
    } catch (cause) {
      return { outcome: 'failed', error: engineError(cause), usage: usageOf(job) };
    }
    if (job.vectors.length < job.inputs.length) return undefined;
    return { outcome: 'finished', vectors: job.vectors, usage: usageOf(job) };
  }

  #compute(tokens: Uint32Array, job: Job): Promise<Float32Array | undefined> {
    const { signal, request } = job;
    return this.#computer.compute(tokens, request, signal, (count) => {
      job.computedTokens += count;
    });
  }
}

const usageOf = ({ computedTokens }: Job) => ({ ...nothingComputed, promptTokens: computedTokens });

/**
 * The inputs in tokens, at least one and at most `contextTokens` each. Other work runs between them.
 * Throws AppError, its `param` naming the input: invalid_value, context_length_exceeded.
 */
async function tokenizeInputs(
  inputs: EmbeddingRequest['inputs'],
  vocabulary: Vocabulary,
  contextTokens: number,
): Promise<readonly Uint32Array[]> {
  const enough = 4 * contextTokens;
  const tokenized: Uint32Array[] = [];
  const slices = new Slices();
  for (const [index, input] of inputs.entries()) {
    const param = `inputs[${index}]`;
    if (typeof input !== 'string') checkTokens(vocabulary, input, param);
    const isText = typeof input === 'string';
    const own = isText ? await vocabulary.tokenize(input, false, enough) : Uint32Array.from(input);
    const tokens = own.length > contextTokens ? own : vocabulary.enclose(own);
    if (tokens.length === 0) throw new AppError('invalid_value', 'The text is empty.', { param });
    if (tokens.length > contextTokens) throw tooLong(tokens.length, enough, contextTokens, param);
    tokenized.push(tokens);
    if (slices.isOver) await slices.next();
  }
  return tokenized;
}

function tooLong(tokens: number, enough: number, contextTokens: number, param: string): AppError {
  const count = tokens > enough ? `more than ${enough}` : tokens;
  return new AppError(
    'context_length_exceeded',
    `The text has ${count} tokens, but this model takes ${contextTokens} at most. Shorten it, or send it in parts.`,
    { param },
  );
}
