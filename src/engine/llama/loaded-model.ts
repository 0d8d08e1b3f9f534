import type { LlamaModel } from 'node-llama-cpp';
import type { GenerationChannel } from '../generation/generation-channel.ts';
import type { ServedModel } from '../model-backend.ts';
import type { AnswerCompiler } from '../sandbox/answer-compiler.ts';
import type { GenerationTimes } from '../observer.ts';
import { noMemory, sumMemory, type MemoryUse } from '../pool/memory-use.ts';
import type { ThreadBudget } from '../queue/thread-budget.ts';
import type { AppError } from '../../errors/errors.ts';
import { tooManyWait } from '../../errors/unavailable.ts';
import { WaitingRoom } from '../queue/waiting-room.ts';
import { nothingComputed, type EmbeddingEnd } from '../generation/generation.ts';
import type { EmbeddingRequest, GenerationRequest } from '../types.ts';
import type { TokenizedText, TokenizeRequest } from '../text-engine.ts';
import type { CacheMemory } from './caches/cache-memory.ts';
import { IdleCaches } from './caches/idle-caches.ts';
import { newDraftHistory, SequenceDrafts } from './drafts/sequence-drafts.ts';
import type { Embedder } from './embeddings/embedder.ts';
import { CacheKeeper } from './cache-files/cache-keeper.ts';
import type { CacheReading } from './cache-files/read-caches.ts';
import type { NativeContext } from './native/context/context.ts';
import type { OpenedMedia } from './media/open-media.ts';
import { constraintOf, prepareRequest, type PreparedRequest } from './prepared-request.ts';
import { TokenSampler } from './sampling/token-sampler.ts';
import { ChatThreads } from './chat-threads.ts';
import type { CellGrowth } from './slots/cell-room.ts';
import { SlotMemory } from './slots/slot-memory.ts';
import { StepLoop } from './steps/step-loop.ts';
import type { PromptTokenizer } from './tokens/prompt-tokens.ts';
import { readTokens } from './tokens/read-tokens.ts';
import type { Vocabulary } from './tokens/vocabulary.ts';

export interface LoadLimits {
  /** For the caches of conversations that have no slot, of all models. */
  readonly cacheMemory: CacheMemory;
  readonly targetGapMs: number;
  /** Requests that may wait at the same time. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  /** The cores, where speech computes on them too; default: nothing else computes on them. */
  readonly threadBudget?: ThreadBudget | undefined;
}

export interface LoadedModelOptions extends LoadLimits {
  readonly model: LlamaModel;
  readonly context: NativeContext;
  readonly threads: number;
  readonly vocabulary: Vocabulary;
  readonly promptTokenizer: PromptTokenizer;
  readonly answers: AnswerCompiler;
  /** Undefined: the model only reads. */
  readonly media?: OpenedMedia | undefined;
  readonly embedder: Embedder;
  readonly memory: MemoryUse;
  /** The most tokens that a prompt and its answer may have together. */
  readonly contextTokens: number;
  /** Undefined: the context stays as it was opened. */
  readonly growth?: CellGrowth | undefined;
  /** Memory that it takes in addition from its first request for embeddings on. */
  readonly embeddingMemory: MemoryUse;
  /** Undefined: caches are lost when the model is unloaded. */
  readonly cacheFiles?: Pick<CacheReading, 'modelId' | 'folder' | 'log'> | undefined;
  /** As in `ModelSpec`. */
  readonly drafts?: 'all' | 'prediction' | 'none' | undefined;
  readonly onTimed?: ((times: GenerationTimes) => void) | undefined;
}

/** A model in memory: makes requests ready and has its step loop serve them. */
export class LoadedModel implements ServedModel {
  readonly #options: LoadedModelOptions;
  readonly #slotMemory: SlotMemory;
  readonly #loop: StepLoop;
  readonly #idleCaches: IdleCaches;
  readonly #keeper: CacheKeeper | undefined;
  /** Requests whose prompt is being prepared, and those that wait for a slot. */
  readonly #room = new WaitingRoom();

  constructor(options: LoadedModelOptions) {
    this.#options = options;
    const { context, vocabulary, contextTokens, threadBudget } = options;
    const history = newDraftHistory();
    this.#slotMemory = new SlotMemory(context);
    this.#idleCaches = new IdleCaches(this.#slotMemory, options.cacheMemory);
    this.#loop = new StepLoop({
      memory: this.#slotMemory,
      growth: options.growth,
      cacheMemory: options.cacheMemory,
      idleCaches: this.#idleCaches,
      threads: threadBudget && new ChatThreads(context, threadBudget, options.threads),
      vocabulary,
      createSampler: (prepared) => new TokenSampler(context.stepper, vocabulary, prepared),
      createDrafts:
        context.takesBack > 0
          ? (prepared, sampler) => {
              const { drafts: from = 'all' } = options;
              if (from === 'none' || (from === 'prediction' && prepared.prediction === undefined)) return;
              const hasHeads = from === 'all' && context.guess !== undefined;
              const ahead = () => sampler.ahead;
              return new SequenceDrafts({ prepared, vocabulary, history, from, hasHeads, ahead });
            }
          : undefined,
      slots: context.sequences,
      contextTokens,
      batchTokens: context.batchTokens,
      targetGapMs: options.targetGapMs,
      queueTimeoutMs: options.queueTimeoutMs,
      onTimed: options.onTimed,
    });
    this.#keeper = this.#openKeeper();
  }

  /** Reads the caches that lie in files. To be called once, before any request. Throws the reason of `signal`. */
  async readCaches(signal: AbortSignal): Promise<void> {
    await this.#keeper?.open(signal);
  }

  get memory(): MemoryUse {
    const { memory, embedder, embeddingMemory } = this.#options;
    return sumMemory([memory, this.#loop.grownMemory, embedder.isOpen ? embeddingMemory : noMemory]);
  }

  get slots(): number {
    return this.#options.context.sequences;
  }

  get busySlots(): number {
    return this.slots - this.#loop.freeSlots;
  }

  get waiting(): number {
    return this.#room.size;
  }

  /** Tokens that a prompt and its completion may have together. */
  get contextTokens(): number {
    return this.#options.contextTokens;
  }

  /**
   * Resolves when `request` has been served and has ended, however it ended. Throws AppError when it cannot be served:
   * server_overloaded, and errors of `prepareRequest`.
   */
  async generate(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    const leave = this.#enter(request, (error) => {
      channel.abort(error);
      // At once, even while its prompt is still being prepared.
      channel.end({ outcome: 'aborted', usage: nothingComputed });
    });
    try {
      const prepared = await this.#prepare(request, channel.signal);
      await request.batch?.join(channel.signal);
      this.#loop.submit(prepared, channel, leave);
      await channel.generation.ended;
    } finally {
      leave();
    }
  }

  async #prepare(request: GenerationRequest, signal: AbortSignal): Promise<PreparedRequest> {
    const arrived = this.#loop.announce();
    try {
      return await prepareRequest(request, { ...this.#options, contextTokens: this.contextTokens }, signal);
    } finally {
      arrived();
    }
  }

  /** Takes a place among the requests that wait, because a prompt is made ready as for them. */
  async countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number> {
    const displaced = new AbortController();
    const leave = this.#enter(request, (error) => displaced.abort(error));
    try {
      const ending = AbortSignal.any([signal, displaced.signal]);
      const { promptTokenizer, answers } = this.#options;
      const count = await promptTokenizer.count(request, ending);
      await constraintOf(request, { facts: promptTokenizer.facts, answers }, ending);
      return count;
    } finally {
      leave();
    }
  }

  tokenize(request: TokenizeRequest, signal: AbortSignal): Promise<TokenizedText> {
    return readTokens(request, { ...this.#options, contextTokens: this.contextTokens }, signal);
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    return this.#options.embedder.embed(request, signal);
  }

  /**
   * A function that gives up the request's place in the waiting room. `displace` is called if the place goes to
   * another request. Throws server_overloaded where there is none.
   */
  #enter(request: GenerationRequest, displace: (error: AppError) => void): () => void {
    // Whoever sends such requests sends no more than there are slots for.
    if (request.isPaced === true) return () => undefined;
    const full = () => tooManyWait(this.#loop.expectedWaitMs);
    const places = this.#options.queueLimit + this.#loop.freeSlots;
    const leave = this.#room.enter(request, places, () => displace(full()));
    if (leave === undefined) throw full();
    return leave;
  }

  /** Undefined: nothing is kept in files. */
  #openKeeper(): CacheKeeper | undefined {
    const { cacheFiles, cacheMemory: memory } = this.#options;
    if (cacheFiles === undefined) return undefined;
    const [slotMemory, loop, idleCaches] = [this.#slotMemory, this.#loop, this.#idleCaches];
    return new CacheKeeper({ ...cacheFiles, slotMemory, loop, idleCaches, memory });
  }

  /** Waits for running requests, then frees the memory. No `generate` may be under way or follow. */
  async dispose(): Promise<void> {
    await this.#loop.idle();
    await this.#keeper?.close();
    this.#idleCaches.dispose();
    this.#loop.dispose();
    await this.#options.embedder.dispose();
    await this.#options.media?.dispose();
    await this.#options.context.dispose();
    await this.#options.model.dispose();
  }
}
