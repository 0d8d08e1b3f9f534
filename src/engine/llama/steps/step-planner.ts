import { performance } from 'node:perf_hooks';
import { claimPrefix } from '../caches/prefix-cache.ts';
import type { NativeContext } from '../native/context.ts';
import { Batch } from './batch.ts';
import type { PrefillPacer } from './prefill-pacer.ts';
import type { Slot } from './slot.ts';

/**
 * Most prompt tokens per step whose probabilities are wanted: working these out often takes longer than computing the
 * tokens. The same number in every step, because llama.cpp's results depend a little on how many are computed together.
 */
const scoredChunkTokens = 32;
/** A sequence that has drawn its first token waits at most so long for the prompts that were sent with its own. */
const companyWaitMs = 250;

/** Decides what each step computes. */
export class StepPlanner {
  readonly #context: NativeContext;
  readonly #slots: readonly Slot[];
  readonly #pacer: PrefillPacer;

  constructor(context: NativeContext, slots: readonly Slot[], pacer: PrefillPacer) {
    this.#context = context;
    this.#slots = slots;
    this.#pacer = pacer;
  }

  /** One token of every sequence that decodes; the rest of the room goes to prompts, oldest first. */
  async plan(): Promise<Batch> {
    const batch = new Batch();
    const busy = this.#slots.filter((slot) => slot.running !== undefined);
    if (!waitsForCompany(busy))
      for (const slot of busy) {
        const tokens = slot.running?.nextTokens;
        if (tokens !== undefined) batch.add(slot, tokens, true);
      }
    const prompts = busy.filter((slot) => slot.running?.nextTokens === undefined);
    await this.#addPrompts(batch, prompts);
    return batch;
  }

  async #addPrompts(batch: Batch, slots: readonly Slot[]): Promise<void> {
    let room = this.#pacer.chunkTokens(batch.tokens);
    let scoredRoom = scoredChunkTokens;
    for (const slot of slots.toSorted((a, b) => (a.running?.order ?? 0) - (b.running?.order ?? 0))) {
      const sequence = slot.running;
      if (sequence === undefined || room <= 0) break;
      const { prepared, isScored, prefilling } = sequence;
      const most = isScored ? Math.min(room, scoredRoom) : room;
      if (most === 0) continue;
      if (!prefilling && !isScored && !(await claimPrefix(this.#context, this.#slots, slot))) continue;
      sequence.prefilling = true;
      const chunk = prepared.promptTokens.subarray(slot.length, slot.length + most);
      batch.add(slot, chunk, slot.length + chunk.length === prepared.promptTokens.length);
      room -= chunk.length;
      if (isScored) scoredRoom -= chunk.length;
    }
  }
}

/**
 * True while sequences that have just drawn their first token wait for the prompts that came with them: a step takes
 * nearly as long for half of them as for all. A sequence that has sent more than one token never waits.
 */
function waitsForCompany(busy: readonly Slot[]): boolean {
  const sequences = busy.flatMap(({ running }) => running ?? []);
  const started = sequences.filter(({ nextTokens }) => nextTokens !== undefined);
  if (started.length === sequences.length || !started.every(({ isFresh }) => isFresh)) return false;
  const firstAtMs = Math.min(...started.map(({ firstTokenAtMs = 0 }) => firstTokenAtMs));
  return performance.now() - firstAtMs < companyWaitMs;
}
