import { performance } from 'node:perf_hooks';
import type { AppError } from '../../../errors/errors.ts';
import { waitFor } from '../../../timing/wait-for.ts';
import type { GenerationChannel } from '../../generation/generation-channel.ts';
import { RankedQueue } from '../../queue/ranked-queue.ts';
import { engineError, overloaded } from '../../../errors/unavailable.ts';
import { nothingComputed } from '../../generation/generation.ts';
import type { SequenceDrafts } from '../drafts/sequence-drafts.ts';
import type { IdleCaches } from '../caches/idle-caches.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import type { TokenSampler } from '../sampling/token-sampler.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import type { PrefillPacer } from './prefill-pacer.ts';
import { isAwaited } from './step-planner.ts';
import { RunningSequence } from './running-sequence.ts';
import type { Newcomer } from '../slots/cell-needs.ts';
import { CellRoom, type CellGrowth } from '../slots/cell-room.ts';
import type { SavedConversation } from '../slots/checkpoints.ts';
import { chooseSlot } from '../slots/choose-slot.ts';
import { sharedTokens } from '../slots/claim-prefix.ts';
import type { SlotMemory } from '../slots/slot-memory.ts';
import type { Slot } from '../slots/slot.ts';

/** While others decode, requests that come together are admitted together as long as that takes no longer. */
const longestAdmissionMs = 25;

export interface AdmissionOptions {
  readonly memory: SlotMemory;
  readonly vocabulary: Vocabulary;
  /** Undefined: each slot has cells for all that a request may have. */
  readonly growth?: CellGrowth | undefined;
  /** Undefined: a slot's tokens are lost when another conversation takes it. */
  readonly idleCaches?: IdleCaches | undefined;
  readonly createSampler: (prepared: PreparedRequest) => TokenSampler;
  /** Undefined: all answers are written token by token. */
  readonly createDrafts?:
    | ((prepared: PreparedRequest, sampler: TokenSampler) => SequenceDrafts | undefined)
    | undefined;
  /** A request gets server_overloaded once neither it nor another of its batch has had a slot for this time. */
  readonly queueTimeoutMs: number;
}

interface WaitingRequest {
  readonly prepared: PreparedRequest;
  readonly channel: GenerationChannel;
  readonly submittedAtMs: number;
  readonly onAdmitted: () => void;
  /** Another request of its batch got a slot since its time to wait began anew. */
  batchGotSlot: boolean;
  /** It has given way to others, and goes on where it was. */
  readonly begun?: RunningSequence;
}

/** The requests that wait for a slot, and how they get one. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #slots: readonly Slot[];
  readonly #pacer: Pick<PrefillPacer, 'promptTokenMs'>;
  /** To be told of the tokens that were computed for a key, and when an admitted request of it has ended. */
  readonly queue = new RankedQueue<WaitingRequest>();
  readonly room: CellRoom;
  #admissions = 0;

  constructor(options: AdmissionOptions, slots: readonly Slot[], pacer: Pick<PrefillPacer, 'promptTokenMs'>) {
    this.#options = options;
    this.#slots = slots;
    this.#pacer = pacer;
    this.room = new CellRoom(options.memory, slots, options.idleCaches, options.growth);
  }

  /** Queues a request; the channel hears when its wait ends without a slot. */
  submit(prepared: PreparedRequest, channel: GenerationChannel, onAdmitted: () => void): void {
    const { promise: admitted, resolve } = Promise.withResolvers<void>();
    const waiting: WaitingRequest = {
      prepared,
      channel,
      submittedAtMs: performance.now(),
      onAdmitted: () => {
        resolve();
        onAdmitted();
      },
      batchGotSlot: false,
    };
    this.queue.push(prepared.request, waiting);
    const { signal } = channel;
    const { isPaced = false } = prepared.request;
    const timeoutMs = isPaced ? undefined : this.#options.queueTimeoutMs;
    const timeoutError = () => this.#timeoutError(waiting);
    const leave = () => this.queue.remove(waiting);
    waitFor(admitted, { signal, timeoutMs, timeoutError, leave }).catch((error: Error) => {
      if (signal.aborted) channel.end({ outcome: 'aborted', usage: nothingComputed });
      else channel.end({ outcome: 'failed', error, usage: nothingComputed });
    });
  }

  /**
   * Admits waiting requests while slots are free, and stops when that has taken long: caches are copied for them, and
   * those who decode wait meanwhile. False: the next one waits for cells.
   */
  async admit(): Promise<boolean> {
    const areDecoding = this.#slots.some(({ running }) => running?.nextTokens !== undefined);
    const endMs = performance.now() + longestAdmissionMs;
    while (this.#mayAdmit()) {
      const next = this.queue.peek();
      if (next === undefined) return true;
      if (!(await this.room.provide(this.#newcomer(next)))) return false;
      const waiting = this.queue.pop((item) => item === next);
      if (waiting === undefined) continue;
      waiting.onAdmitted();
      try {
        await this.#place(waiting);
        if (areDecoding && performance.now() > endMs) return true;
      } catch (cause) {
        this.queue.retire(waiting.prepared.request);
        waiting.channel.end({ outcome: 'failed', error: engineError(cause), usage: nothingComputed });
      }
    }
    return true;
  }

  /**
   * Has those who run have cells for the next step. Where there are none, the youngest one leaves its slot, and goes on
   * when there are some again. The last one gives the memory back: two models that wait for it would never go on. False:
   * there are none, and nobody can leave now.
   */
  async holdRunning(): Promise<boolean> {
    while (!(await this.room.provide())) {
      const [youngest] = this.#slots
        .filter(({ running }) => running !== undefined && running.state.name !== 'drawing')
        .toSorted((a, b) => Number(isAwaited(a)) - Number(isAwaited(b)) || b.lastUse - a.lastUse);
      const sequence = youngest?.running;
      if (youngest === undefined || sequence === undefined) return false;
      this.#leave(
        youngest,
        sequence,
        this.#mayBeComputedAgain(youngest, sequence) ? undefined : await this.#options.memory.save(youngest),
      );
      this.#options.memory.clear(youngest);
      if (this.#slots.every(({ running }) => running === undefined)) await this.room.shrink();
    }
    return true;
  }

  /** The slot that `waiting` would get, and the cells that it would then need. */
  #newcomer({ prepared, begun }: WaitingRequest): Newcomer | undefined {
    const { memory, idleCaches } = this.#options;
    const { accountId } = prepared.request;
    const tokens = begun?.tokens ?? prepared.promptTokens;
    const slot = chooseSlot(this.#slots, accountId, tokens, (free, length) => memory.reach(free, length));
    const running = this.#slots.filter((other) => other.running !== undefined);
    const shared = sharedTokens(memory, running, accountId, tokens);
    const kept = savedOf(begun)?.tokens.length ?? idleCaches?.tokensFor(accountId, tokens, shared) ?? 0;
    return slot && { slot, tokens: Math.max(tokens.length, kept), shared: kept > 0 ? 0 : shared };
  }

  /** A copy would need more memory than it saves time: tokens that others hold, too, need not be computed again. */
  #mayBeComputedAgain(slot: Slot, { isScored, prepared }: RunningSequence): boolean {
    return isScored || (prepared.media.size === 0 && this.room.isMostlyShared(slot));
  }

  /** While nobody waits: keeps the conversation whose slot the next new one would take. False: there is none. */
  async keepNextToGo(): Promise<boolean> {
    const { idleCaches } = this.#options;
    if (this.queue.size > 0) return false;
    const [next] = this.#slots.toSorted((a, b) => a.lastUse - b.lastUse);
    return next !== undefined && (await idleCaches?.keepEarly(next, this.#pacer.promptTokenMs)) === true;
  }

  /** Ends those that gave way and that nobody wants any more. */
  dropAborted(): void {
    for (const waiting of Array.from(this.queue))
      if (waiting.begun !== undefined && waiting.channel.signal.aborted && this.queue.remove(waiting))
        waiting.begun.end({ outcome: 'aborted', usage: waiting.begun.usage(0) });
  }

  /** Requests in the background are admitted while nobody waits for another one, and then leave their slots. */
  #mayAdmit(): boolean {
    const isFree = this.#slots.some(({ running }) => running === undefined);
    if (this.queue.awaitedSize > 0) return isFree || this.#makeRoom();
    return isFree && this.queue.size > 0 && !this.#slots.some(isAwaited);
  }

  /** Has the request in the background give way that came last; false: there is none that can. */
  #makeRoom(): boolean {
    const slot = this.#slots
      .filter(({ running }) => running?.givesWay === true)
      .toSorted((a, b) => b.lastUse - a.lastUse)[0];
    const begun = slot?.running;
    if (slot === undefined || begun === undefined) return false;
    this.#leave(slot, begun);
    return true;
  }

  /** Has a request wait for a slot again; `saved`: the tokens that it then need not compute. */
  #leave(slot: Slot, begun: RunningSequence, saved?: SavedConversation): void {
    begun.giveWay(slot.tokens, saved);
    slot.running = undefined;
    const { prepared, channel, submittedAtMs } = begun;
    const onAdmitted = () => undefined;
    const waiting = { prepared, channel, submittedAtMs, onAdmitted, batchGotSlot: false, begun };
    this.queue.push(prepared.request, waiting);
    this.queue.retire(prepared.request);
  }

  async #place({ prepared, channel, submittedAtMs, begun }: WaitingRequest): Promise<void> {
    const { vocabulary, createSampler, createDrafts, memory } = this.#options;
    const { request } = prepared;
    const promptTokens = begun?.tokens ?? prepared.promptTokens;
    const reach = (free: Slot, length: number) => memory.reach(free, length);
    const slot = chooseSlot(this.#slots, request.accountId, promptTokens, reach);
    if (slot === undefined) throw new Error('A request was admitted without a free slot');
    for (const other of this.queue) if (areOneBatch(other.prepared, prepared)) other.batchGotSlot = true;
    slot.lastUse = ++this.#admissions;
    const sampler = begun?.sampler ?? createSampler(prepared);
    const drafts = begun === undefined ? createDrafts?.(prepared, sampler) : begun.drafts;
    const options = { prepared, channel, sampler, drafts, vocabulary, submittedAtMs };
    const sequence = begun ?? new RunningSequence(options);
    await this.#readyCache(slot, sequence);
    sequence.constrain();
    slot.running = sequence;
    channel.usageSoFar = () => sequence.usage(slot.length);
  }

  /** Leaves in the slot's cache only tokens that `sequence` can use, and brings back those that are kept for it. */
  async #readyCache(slot: Slot, sequence: RunningSequence): Promise<void> {
    const { prepared, tokens: promptTokens, isScored } = sequence;
    const saved = savedOf(sequence);
    const { memory, idleCaches } = this.#options;
    const { accountId } = prepared.request;
    const reusable = isScored ? new Uint32Array() : promptTokens;
    if (saved === undefined || !(await memory.restore(saved, slot))) {
      const others = this.#slots.filter((other) => other !== slot);
      const shared = memory.isPool ? sharedTokens(memory, others, accountId, reusable) : 0;
      await idleCaches?.exchange(slot, accountId, reusable, this.#pacer.promptTokenMs, shared);
    }
    const kept = slot.accountId === accountId ? slot.sharedPrefix(reusable) : 0;
    slot.accountId = accountId;
    slot.isSpent = false;
    await memory.rewind(slot, Math.min(kept, promptTokens.length - 1));
    if (sequence.state.name !== 'waiting') sequence.tell({ name: 'placed' });
  }

  /** Undefined: a request of the same batch runs or ran in the meantime, so that this one may wait on. */
  #timeoutError(waiting: WaitingRequest): AppError | undefined {
    const isServed = this.#slots.some(({ running }) => areOneBatch(running?.prepared, waiting.prepared));
    const mayWaitOn = isServed || waiting.batchGotSlot;
    waiting.batchGotSlot = false;
    return mayWaitOn ? undefined : overloaded('No slot became free in time.', this.#options.queueTimeoutMs);
  }
}

const savedOf = (sequence: RunningSequence | undefined): SavedConversation | undefined =>
  sequence?.state.name === 'parked' ? sequence.state.saved : undefined;

const areOneBatch = (one: PreparedRequest | undefined, { request: { batch } }: PreparedRequest) =>
  batch !== undefined && one?.request.batch === batch;
