import { performance } from 'node:perf_hooks';
import { AppError } from '../../../errors.ts';
import type { GenerationTimes } from '../../observer.ts';
import { FairQueue } from '../../queue/fair-queue.ts';
import type { GenerationChannel } from '../../generation-channel.ts';
import { nothingComputed, type GenerationEnd } from '../../types.ts';
import { Batch, type BatchPart } from './batch.ts';
import type { ChatThreads } from './chat-threads.ts';
import type { IdleCaches } from '../caches/idle-caches.ts';
import type { NativeContext } from '../native/context.ts';
import { PrefillPacer } from './prefill-pacer.ts';
import { claimPrefix, rewind } from '../caches/prefix-cache.ts';
import { RunningSequence, type SequenceRequest } from './running-sequence.ts';
import { chooseSlot, Slot } from './slot.ts';
import type { TokenSampler } from '../sampling/token-sampler.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

export interface StepLoopOptions {
  readonly context: NativeContext;
  readonly vocabulary: Vocabulary;
  /** Undefined: what a slot holds is lost when another conversation takes it. */
  readonly idleCaches?: IdleCaches | undefined;
  readonly createSampler: (request: SequenceRequest) => TokenSampler;
  readonly slots: number;
  /** Tokens that each slot can hold. */
  readonly contextTokens: number;
  /** Most tokens per step. */
  readonly batchTokens: number;
  /** Longest pause between two tokens of a stream that a prompt beside it should cause. */
  readonly targetGapMs: number;
  /** A request that waited so long for a slot, and none of its batch got one, gets server_overloaded. */
  readonly queueTimeoutMs: number;
  /** Default: the context keeps the threads that it has. */
  readonly threads?: ChatThreads | undefined;
  /** Called when a request has left its slot. */
  readonly onTimed?: ((times: GenerationTimes) => void) | undefined;
}

/**
 * Judging a prompt's token often takes longer than computing it: so many at most per step. Always as many, because
 * what llama.cpp computes depends a little on how many are computed together.
 */
const scoredChunkTokens = 32;
/** A first token waits so long at most for the prompts that came with its own. */
const companyWaitMs = 250;

interface WaitingRequest {
  readonly request: SequenceRequest;
  readonly channel: GenerationChannel;
  readonly giveUp: NodeJS.Timeout;
  readonly submittedAtMs: number;
  readonly onAdmitted: () => void;
}

/**
 * Serves all requests of one loaded model: every step computes one token of each sequence that decodes and, in
 * what room is left, pieces of the prompts that wait. Runs while there is work, sleeps when there is none.
 */
export class StepLoop {
  readonly #options: StepLoopOptions;
  readonly #slots: readonly Slot[];
  readonly #queue = new FairQueue<WaitingRequest>();
  readonly #pacer: PrefillPacer;
  #admissions = 0;
  /** How long the last requests held their slots, newest weighing most; undefined until one ended. */
  #meanServiceMs: number | undefined;
  #running: Promise<void> | undefined;

  constructor(options: StepLoopOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.slots }, (_, index) => new Slot(index, options.contextTokens));
    this.#pacer = new PrefillPacer(options.targetGapMs, options.batchTokens);
  }

  /** Requests that wait for a slot. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Slots that nobody uses: as many of those that wait need not wait. */
  get freeSlots(): number {
    return this.#slots.filter((slot) => slot.running === undefined).length;
  }

  /** After how many seconds, going by the last requests, all that wait now will have been admitted; at least 1. */
  get expectedWaitSeconds(): number {
    const waitMs = (this.#queue.size * (this.#meanServiceMs ?? 0)) / this.#slots.length;
    return Math.max(1, Math.ceil(waitMs / 1000));
  }

  /** Serves `request` in its turn; the channel hears how it ends. `onAdmitted` is called when it waits no more. */
  submit(request: SequenceRequest, channel: GenerationChannel, onAdmitted = (): void => undefined): void {
    if (channel.signal.aborted) {
      channel.end({ outcome: 'aborted', usage: nothingComputed });
      return;
    }
    channel.accept();
    const leave = (end: GenerationEnd) => {
      if (this.#queue.remove(waiting)) channel.end(end);
    };
    const giveUp = setTimeout(() => {
      if (this.#slots.some(({ running }) => isOneBatch(running?.request, request)))
        return void giveUp.refresh();
      const error = new AppError('server_overloaded', 'No slot became free in time. Try again later.', {
        retryAfterSeconds: Math.ceil(this.#options.queueTimeoutMs / 1000),
      });
      leave({ outcome: 'failed', error, usage: nothingComputed });
    }, this.#options.queueTimeoutMs);
    const submittedAtMs = performance.now();
    const waiting: WaitingRequest = { request, channel, giveUp, submittedAtMs, onAdmitted };
    void channel.generation.ended.then(() => clearTimeout(giveUp));
    channel.signal.addEventListener('abort', () => leave({ outcome: 'aborted', usage: nothingComputed }));
    this.#queue.push(request.keyId, waiting);
    this.#running ??= this.#run();
  }

  /** Resolves when no request runs or waits. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    const sleep = this.#options.threads?.begin();
    while (true) {
      try {
        this.#retireAborted();
        await this.#admit();
        const batch = await this.#plan();
        if (batch.parts.length > 0) await this.#step(batch);
        else if (this.#queue.size === 0) break;
      } catch (cause) {
        // Not the fault of one request that is known: whoever runs now fails, whoever waits gets its turn.
        for (const slot of this.#slots) this.#fail(slot, cause);
      }
    }
    sleep?.();
    this.#running = undefined;
  }

  #retireAborted(): void {
    for (const slot of this.#slots) {
      const sequence = slot.running;
      if (sequence?.channel.signal.aborted === true)
        this.#retire(slot, { outcome: 'aborted', usage: sequence.usage(slot.length) });
    }
  }

  /** Those that wait, as long as there are slots and until caches were copied: the others have waited for that. */
  async #admit(): Promise<void> {
    while (this.#queue.size > 0 && this.#slots.some((slot) => slot.running === undefined)) {
      const waiting = this.#queue.pop();
      if (waiting === undefined) return;
      clearTimeout(waiting.giveUp);
      waiting.onAdmitted();
      try {
        if (await this.#place(waiting)) return;
      } catch (cause) {
        this.#queue.retire(waiting.request.keyId);
        waiting.channel.end({ outcome: 'failed', error: engineError(cause), usage: nothingComputed });
      }
    }
  }

  /** True when caches were copied for it. */
  async #place({ request, channel, submittedAtMs }: WaitingRequest): Promise<boolean> {
    const { context, vocabulary, idleCaches } = this.#options;
    const slot = chooseSlot(this.#slots, request.accountId, request.prompt);
    if (slot === undefined) throw new Error('A request was admitted without a free slot');
    for (const other of this.#queue) if (isOneBatch(other.request, request)) other.giveUp.refresh();
    this.#admissions++;
    slot.lastUse = this.#admissions;
    const sampler = this.#options.createSampler(request);
    const sequence = new RunningSequence(request, channel, sampler, this.#admissions);
    sequence.waitMs = sequence.admittedAtMs - submittedAtMs;
    const { accountId } = request;
    const reusable = sequence.isScored ? new Uint32Array() : request.prompt;
    let copied: boolean | undefined;
    try {
      copied = await idleCaches?.exchange(slot, accountId, reusable);
      const kept = slot.accountId === accountId ? slot.sharedPrefix(reusable) : 0;
      slot.accountId = accountId;
      rewind(context, slot, Math.min(kept, request.prompt.length - 1));
      sequence.constrain(vocabulary);
    } catch (error) {
      sampler.dispose();
      throw error;
    }
    slot.running = sequence;
    return copied === true;
  }

  /** One token of every decoder; the rest of the room goes to prompts, oldest first. */
  async #plan(): Promise<Batch> {
    const batch = new Batch();
    const busy = this.#slots.filter((slot) => slot.running !== undefined);
    const decoders = this.#waitsForCompany(busy) ? [] : busy;
    for (const slot of decoders) {
      const tokens = slot.running?.nextTokens;
      if (tokens !== undefined) batch.add(slot, tokens, true);
    }
    let room = this.#pacer.chunkTokens(batch.tokens);
    let scoredRoom = scoredChunkTokens;
    const prompts = busy
      .filter((slot) => slot.running?.nextTokens === undefined)
      .toSorted((a, b) => (a.running?.order ?? 0) - (b.running?.order ?? 0));
    for (const slot of prompts) {
      const sequence = slot.running;
      if (sequence === undefined || room <= 0) break;
      const { request, isScored } = sequence;
      const most = isScored ? Math.min(room, scoredRoom) : room;
      if (most === 0) continue;
      if (!sequence.prefilling && !isScored && !(await claimPrefix(this.#options.context, this.#slots, slot)))
        continue;
      sequence.prefilling = true;
      const { prompt } = request;
      const chunk = prompt.subarray(slot.length, slot.length + most);
      batch.add(slot, chunk, slot.length + chunk.length === prompt.length);
      room -= chunk.length;
      if (isScored) scoredRoom -= chunk.length;
    }
    return batch;
  }

  /**
   * True while sequences that have just drawn their first token wait for the prompts that came with them: a step
   * takes nearly as long for half of them as for all. Whoever streams already never waits.
   */
  #waitsForCompany(busy: readonly Slot[]): boolean {
    const sequences = busy.flatMap(({ running }) => running ?? []);
    const started = sequences.filter(({ nextTokens }) => nextTokens !== undefined);
    if (started.length === sequences.length || !started.every(({ isFresh }) => isFresh)) return false;
    const longestWaitMs =
      performance.now() - Math.min(...started.map(({ firstTokenAtMs = 0 }) => firstTokenAtMs));
    return longestWaitMs < companyWaitMs;
  }

  async #step(batch: Batch): Promise<void> {
    this.#options.threads?.adapt();
    const startedAt = performance.now();
    const decoders = batch.parts.filter((part) => part.slot.running?.nextTokens !== undefined).length;
    const promptTokens = batch.tokens - decoders;
    const isScored = batch.parts.some(({ slot }) => slot.running?.isScored === true);
    const failures = await batch.compute(this.#options.context);
    // Judged tokens would make the pacer think that all prompts are slow.
    const elapsedMs = performance.now() - startedAt;
    if (!isScored) this.#pacer.observe(decoders, promptTokens, elapsedMs);
    for (const part of batch.parts)
      this.#settle(part, failures.get(part), (elapsedMs * part.tokens.length) / batch.tokens);
  }

  /** `shareMs`: how much of the step's time was the part's. */
  #settle(part: BatchPart, failure: unknown, shareMs: number): void {
    const { slot, sampled } = part;
    const sequence = slot.running;
    if (sequence === undefined) return;
    this.#queue.charge(sequence.request.keyId, part.tokens.length);
    try {
      if (failure !== undefined) throw failure;
      if (sequence.isScored) sequence.request.batch?.spendOnScoring(shareMs);
      if (sampled === undefined) return;
      const finishReason = sequence.accept(sampled, this.#options.vocabulary);
      if (finishReason === undefined) return;
      this.#retire(slot, { outcome: 'finished', finishReason, usage: sequence.usage(slot.length) });
    } catch (cause) {
      this.#fail(slot, cause);
    }
  }

  /** Ends the slot's request, if it has one; nobody gets to build upon what it left in the cache. */
  #fail(slot: Slot, cause: unknown): void {
    const usage = slot.running?.usage(slot.length) ?? nothingComputed;
    slot.truncate(0);
    this.#retire(slot, { outcome: 'failed', error: engineError(cause), usage });
  }

  #retire(slot: Slot, end: GenerationEnd): void {
    const sequence = slot.running;
    if (sequence === undefined) return;
    slot.running = undefined;
    const nowMs = performance.now();
    const serviceMs = nowMs - sequence.admittedAtMs;
    this.#meanServiceMs ??= serviceMs;
    this.#meanServiceMs += (serviceMs - this.#meanServiceMs) / 8;
    this.#queue.retire(sequence.request.keyId);
    this.#options.onTimed?.(sequence.timesAt(nowMs));
    sequence.end(end);
  }
}

const isOneBatch = (one: SequenceRequest | undefined, { batch }: SequenceRequest) =>
  batch !== undefined && one?.batch === batch;

const engineError = (cause: unknown) =>
  cause instanceof AppError
    ? cause
    : new AppError('engine_error', 'The model failed on this request. Try it again.', { cause });
