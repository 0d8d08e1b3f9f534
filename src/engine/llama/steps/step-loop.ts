import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { GenerationChannel } from '../../generation/generation-channel.ts';
import type { GenerationTimes } from '../../observer.ts';
import { nothingComputed, type GenerationEnd } from '../../generation/generation.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import type { SampledToken } from '../sampling/token-sampler.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import type { BatchPart, Step } from './batch.ts';
import type { ChatThreads } from '../chat-threads.ts';
import { engineError } from '../../../errors/unavailable.ts';
import type { MemoryUse } from '../../pool/memory-use.ts';
import type { CacheMemory } from '../caches/cache-memory.ts';
import { Slot } from '../slots/slot.ts';
import { PrefillPacer } from './prefill-pacer.ts';
import type { RunningSequence } from './running-sequence.ts';
import { isAwaited, StepPlanner } from './step-planner.ts';

/**
 * The first of several prompts waits up to 8 ms for requests that are being made ready, which takes each of them about 3 ms.
 * Prompts that are computed apart have their answers decoded apart.
 */
const mostGatherMs = 8;
/** Requests that wait for memory of other models look for it again after this time. */
const lookAgainMs = 50;
/** A context that nobody has used for three minutes becomes small again. */
const shrinkAfterMs = 3 * 60_000;

export interface StepLoopOptions extends AdmissionOptions {
  readonly slots: number;
  /** Holds the checkpoints of slots; default: there are none. */
  readonly cacheMemory?: CacheMemory | undefined;
  /** Tokens that each slot can hold. */
  readonly contextTokens: number;
  /** Most tokens per step. */
  readonly batchTokens: number;
  /** Pause that a prompt may cause between two tokens of a stream beside it; it may be longer for longer waits. */
  readonly targetGapMs: number;
  /** Default: the context keeps the threads that it has. */
  readonly threads?: ChatThreads | undefined;
  /** Called when a request has left its slot. */
  readonly onTimed?: ((times: GenerationTimes) => void) | undefined;
}

/**
 * Serves all requests of one loaded model: every step computes one token of each sequence that decodes, or pieces of
 * the prompts that wait. Runs while there is work, sleeps when there is none.
 */
export class StepLoop {
  readonly #options: StepLoopOptions;
  readonly #slots: readonly Slot[];
  readonly #admission: Admission;
  readonly #pacer: PrefillPacer;
  readonly #planner: StepPlanner;
  /** Mean time that requests held their slots, the newest weighing most; undefined until one ended. */
  #meanServiceMs: number | undefined;
  #running: Promise<void> | undefined;
  /** Requests that are being made ready. */
  #announced = 0;
  /** A step is being computed that nobody waits for. */
  #isInBackground = false;
  /** Draws that took too long for their step, and go on while others have theirs; how to settle those that have ended. */
  readonly #lateDraws = new Map<RunningSequence, (() => void) | undefined>();
  #shrinking: NodeJS.Timeout | undefined;
  /** Is resolved when such a draw ends or a request comes, which `hasNews` then says until the loop looks at it. */
  #news = Promise.withResolvers<void>();
  #hasNews = false;

  constructor(options: StepLoopOptions) {
    this.#options = options;
    const { slots, contextTokens, cacheMemory } = options;
    this.#slots = Array.from({ length: slots }, (_, index) => new Slot(index, contextTokens, cacheMemory));
    this.#pacer = new PrefillPacer(options.targetGapMs, options.batchTokens);
    this.#admission = new Admission(options, this.#slots, this.#pacer);
    this.#planner = new StepPlanner(options.memory, this.#slots, this.#pacer);
  }

  /** Requests that wait for a slot. */
  get waiting(): number {
    return this.#admission.queue.size;
  }

  /** Slots that nobody uses. */
  get freeSlots(): number {
    return this.#slots.filter((slot) => slot.running === undefined).length;
  }

  /** Memory that the context has taken since it was opened. */
  get grownMemory(): MemoryUse {
    return this.#admission.room.grown;
  }

  /** After how long all that wait now will have been admitted, judging by the last requests. */
  get expectedWaitMs(): number {
    return (this.#admission.queue.awaitedSize * (this.#meanServiceMs ?? 0)) / this.#slots.length;
  }

  /** A request is being made ready. Returns a function to be called once: it is submitted now, or will not be. */
  announce(): () => void {
    this.#announced++;
    return () => {
      this.#announced--;
    };
  }

  /** Serves a request in its turn; the channel hears how it ends. `onAdmitted` is called when it waits no more. */
  submit(prepared: PreparedRequest, channel: GenerationChannel, onAdmitted = (): void => undefined): void {
    if (channel.signal.aborted) {
      channel.end({ outcome: 'aborted', usage: nothingComputed });
      return;
    }
    channel.accept();
    this.#admission.submit(prepared, channel, onAdmitted);
    if (this.#isInBackground && prepared.request.isBackground !== true)
      this.#options.memory.context.interrupt?.();
    this.#running ??= this.#run();
    this.#wake();
  }

  /** Resolves when no request runs or waits. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /**
   * Does `work` with the slots as soon as no request runs. Requests that come meanwhile wait until it is done, and
   * `isAwaited` then says so. Rejects as the work does.
   */
  async whileIdle(work: (slots: readonly Slot[], isAwaited: () => boolean) => Promise<void>): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    // Not before the loop counts as running.
    const done = Promise.resolve().then(() => work(this.#slots, () => this.waiting > 0));
    this.#running = done.catch(() => undefined).then(() => this.#run());
    await done;
  }

  /** Gives the memory of checkpoints back. */
  dispose(): void {
    globalThis.clearTimeout(this.#shrinking);
    for (const slot of this.#slots) slot.truncate(0);
  }

  async #run(): Promise<void> {
    globalThis.clearTimeout(this.#shrinking);
    const sleep = this.#options.threads?.begin();
    while (true) {
      this.#news = Promise.withResolvers<void>();
      this.#hasNews = false;
      this.#settleLateDraws();
      try {
        this.#dropAborted();
        this.#constrain();
        if (this.freeSlots === this.#slots.length) await this.#gather();
        const isRunningHeld = await this.#admission.holdRunning();
        const isNextHeld = await this.#admission.admit();
        const batch = isRunningHeld ? await this.#planner.plan() : undefined;
        if (batch !== undefined && batch.parts.length > 0) await this.#step(batch);
        else if (!isRunningHeld || (!isNextHeld && this.#lateDraws.size === 0))
          await Promise.race([this.#news.promise, setTimeout(lookAgainMs)]);
        else if (this.#lateDraws.size > 0) await this.#news.promise;
        else if (!(await this.#admission.keepNextToGo()) && this.waiting === 0) break;
      } catch (cause) {
        // No single request is known to be at fault: the running ones fail, the waiting ones get their turns.
        for (const slot of this.#slots) this.#fail(slot, cause);
      }
    }
    sleep?.();
    this.#running = undefined;
    if (this.#admission.room.isGrown)
      this.#shrinking = globalThis.setTimeout(() => void this.#shrink(), shrinkAfterMs).unref();
  }

  /** Has the context become small again, unless a request has come. */
  async #shrink(): Promise<void> {
    if (this.#running !== undefined) return;
    await this.whileIdle(() => this.#admission.room.shrink()).catch(() => undefined);
  }

  /** Waits a little for the requests that are being made ready, where some wait already and none runs. */
  async #gather(): Promise<void> {
    const endMs = performance.now() + mostGatherMs;
    while (this.waiting > 0 && this.#announced > 0 && performance.now() < endMs) await setImmediate();
  }

  /** Has the loop look at its news. */
  #wake(): void {
    this.#hasNews = true;
    this.#news.resolve();
    this.#options.memory.context.hold?.();
  }

  #dropAborted(): void {
    this.#admission.dropAborted();
    for (const slot of this.#slots) {
      const sequence = slot.running;
      if (sequence?.channel.signal.aborted === true)
        this.#retire(slot, { outcome: 'aborted', usage: sequence.usage(slot.length) });
    }
  }

  /** Binds samplers to grammars that apply from now on. */
  #constrain(): void {
    for (const slot of this.#slots)
      try {
        if (slot.running?.isConstraintDue === true) slot.running.constrain();
      } catch (cause) {
        this.#fail(slot, cause);
      }
  }

  async #step(step: Step): Promise<void> {
    const { memory, threads } = this.#options;
    threads?.adapt();
    let beganAtMs = performance.now();
    const isPrompt = step.parts.some(({ slot }) => slot.running?.nextTokens === undefined);
    const isScored = step.parts.some(({ slot }) => slot.running?.isScored === true);
    const settle = (failures: ReadonlyMap<BatchPart, unknown>, elapsedMs: number) => {
      beganAtMs += elapsedMs;
      // Scored prompts and the encoding of pictures are slower than prompts, which the pacer must not conclude from them.
      if (!isScored && step.tokens > 0) this.#pacer.observe(isPrompt ? step.tokens : 0, elapsedMs);
      if (!isPrompt && failures.size === 0) this.#planner.observeDecode(step, elapsedMs);
      for (const part of step.parts)
        if (part.dropped === undefined)
          this.#settle(part, failures.get(part), (elapsedMs * part.tokens.length) / step.tokens);
    };
    const mayGoOn = () => {
      this.#dropAborted();
      return this.#mayGoOn(step) && !this.#planner.wantsDrafts(step.parts.map(({ slot }) => slot));
    };
    this.#isInBackground = !step.parts.some(({ slot }) => isAwaited(slot));
    const steps = this.#mayGoOn(step) ? Math.min(...step.parts.map(stepsAlone)) : 1;
    const failures = await step.compute(memory, steps > 1 ? { steps, settle, mayGoOn } : undefined);
    this.#isInBackground = false;
    if (failures === undefined) return;
    const elapsedMs = performance.now() - beganAtMs;
    // Of several tokens the answer may not take the last ones, which then have to be taken back.
    const isSettled = (part: BatchPart) => !failures.has(part) && (part.sampled?.length ?? 0) <= 1;
    for (const part of step.parts) if (isSettled(part)) await memory.checkpointIfDue(part.slot);
    settle(failures, elapsedMs);
  }

  /** Whether the next tokens of the step's sequences are all that is to be computed next, as far as is known. */
  #mayGoOn({ parts }: Step): boolean {
    const { memory, threads } = this.#options;
    if (memory.context.hold === undefined || threads?.isAdapted === false) return false;
    if (this.#hasNews || (this.waiting > 0 && this.freeSlots > 0)) return false;
    const computing = this.#slots.filter(
      ({ running }) => running !== undefined && running.state.name !== 'drawing',
    );
    return computing.length === parts.length && this.#admission.room.isAmple;
  }

  /** `shareMs`: how much of the step's time was the part's. */
  #settle(part: BatchPart, failure: unknown, shareMs: number): void {
    const { slot, sampled, sampledLater } = part;
    const sequence = slot.running;
    if (sequence === undefined) return;
    const { request } = sequence.prepared;
    const drawnByDraft = Math.max(0, (sampled?.length ?? 1) - 1);
    this.#admission.queue.charge(request, part.tokens.length + drawnByDraft);
    try {
      if (failure !== undefined) throw failure;
      if (sequence.isScored) request.batch?.spendOnScoring(shareMs);
      sequence.tellProgress(slot.length);
      if (sampledLater !== undefined) this.#addLateDraw(slot, sequence, sampledLater);
      if (sampled !== undefined) this.#accept(slot, sequence, sampled);
    } catch (cause) {
      this.#fail(slot, cause);
    }
  }

  /** Has the token accepted when it is drawn, unless the request has ended by then. */
  #addLateDraw(slot: Slot, sequence: RunningSequence, sampled: Promise<readonly SampledToken[]>): void {
    sequence.tell({ name: 'drawLate' });
    this.#lateDraws.set(sequence, undefined);
    const end = (settle: () => void) => {
      this.#lateDraws.set(sequence, () => slot.running === sequence && settle());
      this.#wake();
    };
    sampled.then(
      (tokens) => end(() => this.#accept(slot, sequence, tokens)),
      (cause: unknown) => end(() => this.#fail(slot, cause)),
    );
  }

  #settleLateDraws(): void {
    for (const [sequence, settle] of this.#lateDraws)
      if (settle !== undefined) {
        this.#lateDraws.delete(sequence);
        settle();
      }
  }

  /** Sends the text that the tokens add, and retires the request where its answer ends by one of them. */
  #accept(slot: Slot, sequence: RunningSequence, sampled: readonly SampledToken[]): void {
    try {
      const { finishReason, accepted } = sequence.accept(sampled);
      this.#options.memory.cutDraft(slot, sampled.length - accepted);
      if (finishReason === undefined) return;
      const { stopSequence } = sequence;
      const usage = sequence.usage(slot.length);
      this.#retire(slot, { outcome: 'finished', finishReason, stopSequence, usage });
    } catch (cause) {
      this.#fail(slot, cause);
    }
  }

  /** Ends the slot's request, if it has one, and drops its cache, so that no other request builds upon it. */
  #fail(slot: Slot, cause: unknown): void {
    const usage = slot.running?.usage(slot.length) ?? nothingComputed;
    this.#admission.room.drop(slot);
    this.#retire(slot, { outcome: 'failed', error: engineError(cause), usage });
  }

  #retire(slot: Slot, end: GenerationEnd): void {
    const sequence = slot.running;
    if (sequence === undefined) return;
    slot.running = undefined;
    slot.isSpent = sequence.prepared.request.isBackground === true;
    const nowMs = performance.now();
    const serviceMs = nowMs - sequence.admittedAtMs;
    this.#meanServiceMs ??= serviceMs;
    this.#meanServiceMs += (serviceMs - this.#meanServiceMs) / 8;
    this.#admission.queue.retire(sequence.prepared.request);
    this.#options.onTimed?.(sequence.timesAt(nowMs));
    sequence.end(end);
  }
}

/** How many steps the part may take that follow each other by themselves. */
function stepsAlone({ slot, tokens, draft, draws }: BatchPart): number {
  if (!draws || tokens.length + draft.length > 1) return 1;
  return Math.min(slot.capacity - slot.length, slot.running?.tokensAlone ?? 1);
}
