import { performance } from 'node:perf_hooks';
import { DraftPlanner } from '../drafts/draft-planner.ts';
import { findPrefix, isLongerPrefixComing, takePrefix } from '../slots/claim-prefix.ts';
import type { SlotMemory } from '../slots/slot-memory.ts';
import type { Slot } from '../slots/slot.ts';
import { isMediumId, tokensUntilMedium, wholeMedia } from '../media/medium-ids.ts';
import type { PromptMedium } from '../media/media.ts';
import { Batch, type Step } from './batch.ts';
import { MediumStep } from './medium-step.ts';
import type { PrefillPacer } from './prefill-pacer.ts';
import { chunkOf, tileTokens } from './tiles.ts';

/**
 * Most prompt tokens per step whose probabilities are wanted: working these out often takes longer than computing the
 * tokens. The same number in every step, because llama.cpp's results depend a little on how many are computed together.
 */
export const scoredChunkTokens = 32;

/** Longest step of prompts that nobody waits for: who comes meanwhile waits for its end, or has it given up. */
const backgroundStepMs = { toBeWaitedFor: 50, toBeGivenUp: 200 };

/** Decides the work of each step. */
export class StepPlanner {
  readonly #memory: SlotMemory;
  readonly #slots: readonly Slot[];
  readonly #pacer: PrefillPacer;
  readonly #drafts: DraftPlanner;
  /** The last step was for those who decode: the next one is for prompts, so that these get on however slow it is. */
  #promptsAreDue = true;

  constructor(memory: SlotMemory, slots: readonly Slot[], pacer: PrefillPacer) {
    this.#memory = memory;
    this.#slots = slots;
    this.#pacer = pacer;
    this.#drafts = new DraftPlanner(memory.context);
  }

  /**
   * One token of every sequence that decodes, with drafts of the next ones, or pieces of prompts in the order in which
   * they are due. Never both: llama.cpp computes these one after the other anyway, and cuts a token off the prompt, so
   * that its tile is not full.
   */
  async plan(): Promise<Step> {
    const busy = this.#computing.filter(
      ({ running }) => running !== undefined && running.state.name !== 'drawing',
    );
    for (const slot of busy) await this.#savePassedCheckpoint(slot);
    const decoding = busy.filter((slot) => slot.running?.nextTokens !== undefined);
    const prompts = busy
      .filter((slot) => slot.running?.nextTokens === undefined)
      .toSorted((a, b) => this.#dueMs(a) - this.#dueMs(b));
    const batch = await this.#planPrompts(prompts, this.#promptRoom(decoding, prompts));
    this.#promptsAreDue = batch.parts.length === 0;
    if (batch.parts.length > 0) return batch;
    const tokens = new Batch();
    await this.#drafts.askHeads(decoding);
    const drafts = this.#drafts.choose(decoding);
    for (const slot of decoding)
      tokens.add(slot, slot.running?.nextTokens ?? new Uint32Array(), true, drafts.get(slot));
    return tokens;
  }

  /** Whether the slots, which all decode, should compute drafts next. */
  wantsDrafts(slots: readonly Slot[]): boolean {
    return this.#drafts.wants(slots);
  }

  /** Learns how long a step took that only decoded. */
  observeDecode({ parts }: Step, elapsedMs: number): void {
    const computed = parts.map(({ slot, tokens, draft }) => ({
      index: slot.index,
      tokens: tokens.length + draft.length,
    }));
    this.#drafts.observe(computed, elapsedMs);
  }

  /** The slots whose requests go on now: those in the background rest while somebody waits for another one. */
  get #computing(): readonly Slot[] {
    const awaited = this.#slots.filter(isAwaited);
    return awaited.length > 0 ? awaited : this.#slots;
  }

  /** How many prompt tokens to compute before those who decode get their next tokens. */
  #promptRoom(decoding: readonly Slot[], prompts: readonly Slot[]): number {
    if (prompts.length === 0) return 0;
    if (!prompts.some(isAwaited)) {
      const { toBeWaitedFor, toBeGivenUp } = backgroundStepMs;
      const canBeGivenUp = this.#memory.context.interrupt !== undefined;
      return this.#pacer.chunkTokens(canBeGivenUp ? toBeGivenUp : toBeWaitedFor);
    }
    const nowMs = performance.now();
    const lastTokensMs = decoding.map(({ running }) => running?.lastTokenAtMs ?? nowMs);
    return this.#pacer.promptTokens({
      prompts: prompts.length,
      streams: decoding.length,
      pausedMs: nowMs - Math.min(nowMs, ...lastTokensMs),
      waitedMs: nowMs - Math.min(...prompts.map(({ running }) => running?.submittedAtMs ?? nowMs)),
      tokens: prompts.reduce((total, slot) => total + lackingTokens(slot), 0),
      isDue: this.#promptsAreDue,
    });
  }

  #dueMs(slot: Slot): number {
    return this.#pacer.dueMs(slot.running?.submittedAtMs ?? 0, lackingTokens(slot));
  }

  /** Pieces of prompts, or where a picture or recording is due the computing of that alone. */
  async #planPrompts(slots: readonly Slot[], mostTokens: number): Promise<Step> {
    const batch = new Batch();
    let room = mostTokens;
    let scoredRoom = scoredChunkTokens;
    for (const slot of slots) {
      const sequence = slot.running;
      if (sequence === undefined || room <= 0) break;
      const { tokens, isScored, state } = sequence;
      const most = isScored ? Math.min(room, scoredRoom) : room;
      if (most === 0) continue;
      if (state.name === 'waiting' && !isScored && !(await this.#claimPrefix(slot))) continue;
      if (mediumAt(slot) !== undefined) {
        if (batch.parts.length > 0) continue;
        sequence.tell({ name: 'pieceBegun' });
        return this.#mediumStep(slots, slot, room);
      }
      const passedPlace = this.#placeToPass(slot, most);
      const untilMedium = tokensUntilMedium(tokens, slot.length);
      const lacking = Math.min(untilMedium, tokensUntilPlace(slot, passedPlace));
      const length = isScored ? most : chunkOf(lacking, most, slot.length);
      // A partial tile takes as long as the full one does in the next step, so the rest of the room stays empty.
      if (!isScored && batch.parts.length > 0 && length < Math.min(lacking, tileTokens)) continue;
      sequence.tell({ name: 'pieceBegun', passedPlace });
      const chunk = tokens.subarray(slot.length, slot.length + length);
      batch.add(slot, chunk, slot.length + chunk.length === tokens.length);
      room -= chunk.length;
      if (isScored) scoredRoom -= chunk.length;
    }
    return batch;
  }

  /** False: another slot is computing a longer prefix of its prompt now, so ask again after the next step. */
  async #claimPrefix(slot: Slot): Promise<boolean> {
    const prefix = findPrefix(this.#memory, this.#slots, slot);
    if (isLongerPrefixComing(this.#computing, slot, prefix.length)) return false;
    await takePrefix(this.#memory, slot, prefix);
    return true;
  }

  /**
   * The last place of a checkpoint in the slot's prompt, where the rest of the prompt is to be computed in one piece so
   * that the first word comes sooner: the few tokens behind that place would take a step, and can be taken back.
   * Undefined: the next piece ends at the next place.
   */
  #placeToPass({ running, length }: Slot, room: number): number | undefined {
    const { tokens = new Uint32Array(), places = [] } = running ?? {};
    const lastPlace = places.at(-1) ?? 0;
    const isNext = lastPlace > length && (places.at(-2) ?? 0) <= length;
    const isNearEnd = tokens.length - length <= room && tokens.length - lastPlace <= tileTokens;
    const hasMedia = tokens.subarray(length).some(isMediumId);
    return this.#memory.context.takesBack > tileTokens && isNext && isNearEnd && !hasMedia
      ? lastPlace
      : undefined;
  }

  /**
   * Goes back to the place of a checkpoint that was passed once the first token is drawn, and saves that checkpoint.
   * Tokens after it are computed again in the step of that token.
   */
  async #savePassedCheckpoint(slot: Slot): Promise<void> {
    const { state } = slot.running ?? {};
    if (state?.name !== 'decoding' || state.passedPlace === undefined) return;
    const computed = slot.tokens.slice();
    const isBack = await this.#memory.goBackToCheckpoint(slot, state.passedPlace);
    slot.running?.tell(isBack ? { name: 'cut', computed } : { name: 'passedPlaceSettled' });
  }

  /** A medium whose encoding has begun comes before one that is due earlier: only one can be encoded at a time. */
  #mediumStep(slots: readonly Slot[], due: Slot, room: number): Step {
    const begun = slots.find((slot) => {
      const part = slot.running?.state.name === 'prefilling' ? mediumAt(slot)?.part : undefined;
      return part?.isBegun === true && !part.isEncoded;
    });
    const slot = begun ?? due;
    const { part, begin } = mediumAt(slot) ?? {};
    if (part === undefined || begin === undefined) return new Batch();
    return new MediumStep(slot, part, begin, { mostMs: this.#pacer.expectedMs(room), room });
  }
}

/** The picture or recording that is next in the slot's prompt, and where in the prompt it begins. */
function mediumAt({ running, length }: Slot): { part: PromptMedium; begin: number } | undefined {
  const { tokens = new Uint32Array(), prepared } = running ?? {};
  if (!isMediumId(tokens[length] ?? 0)) return undefined;
  const begin = wholeMedia(tokens, length);
  const part = prepared?.media?.get(tokens[begin] ?? 0);
  if (part === undefined) throw new Error('A prompt has a medium that nobody prepared');
  return { part, begin };
}

/** Whether the slot has a request that somebody waits for. */
export function isAwaited({ running }: Slot): boolean {
  return running !== undefined && running.prepared.request.isBackground !== true;
}

/** Tokens of its prompt that the slot does not hold yet. */
function lackingTokens({ running, length }: Slot): number {
  return (running?.tokens.length ?? 0) - length;
}

/** Tokens of its prompt until the next place of a checkpoint, `passed` left out. */
function tokensUntilPlace({ running, length }: Slot, passed: number | undefined): number {
  const isNext = (place: number) => place > length && place !== passed;
  const next = running?.places?.find(isNext) ?? Number.POSITIVE_INFINITY;
  return next - length;
}
