import { wholeMedia } from '../media/medium-ids.ts';
import { worthwhilePrefix } from '../steps/tiles.ts';
import { commonPrefix } from './common-prefix.ts';
import type { SlotMemory } from './slot-memory.ts';
import type { Slot } from './slot.ts';

/** By how many tokens a prefix in another cache must be longer to be worth copying or waiting for. */
export const leastGainTokens = 64;
/**
 * At most 128 tokens are copied for each one gained: copying hundreds takes the time of computing one. A copy moves the
 * whole capacity of the source's cache, filled or not, or only its filled part where the memory needs states.
 */
const mostCopiedPerGained = 128;

/** The longest prefix of a slot's prompt that is computed. */
export interface ComputedPrefix {
  readonly length: number;
  /** The slot to copy it from; undefined: the slot has it. */
  readonly source: Slot | undefined;
}

/** The longest prefix of the slot's prompt that it or a slot of the same account holds, if copying that is worthwhile. */
export function findPrefix(memory: SlotMemory, slots: readonly Slot[], slot: Slot): ComputedPrefix {
  let [length, source]: [number, Slot | undefined] = [slot.length, undefined];
  const prompt = promptOf(slot);
  for (const other of neighboursOf(slots, slot)) {
    const computed = memory.reach(other, other.sharedPrefix(prompt));
    const gain = computed - slot.length;
    const copied = memory.context.needsStates ? other.length : copiedCells(memory, other);
    if (computed <= length || gain < leastGainTokens || copied > mostCopiedPerGained * gain) continue;
    [length, source] = [computed, other];
  }
  return { length, source };
}

/**
 * Tokens of the prompt that one of the slots of the account holds, or will once its own prompt is computed, so that another
 * slot can hold them in the same cells of a pool; 0 where these are few.
 */
export function sharedTokens(
  { context }: SlotMemory,
  slots: readonly Slot[],
  accountId: string,
  prompt: Uint32Array,
): number {
  if (context.needsStates) return 0;
  const lengths = slots
    .filter((slot) => slot.accountId === accountId)
    .map((slot) => Math.max(slot.sharedPrefix(prompt), commonPrefix(promptOf(slot), prompt)));
  const longest = Math.max(0, ...lengths);
  return longest < leastGainTokens ? 0 : longest;
}

/** True while another slot of the same account is computing a prefix that is longer than `length`. */
export function isLongerPrefixComing(slots: readonly Slot[], slot: Slot, length: number): boolean {
  // A sequence waits only for one whose prefill has begun, so there is always one that computes.
  return neighboursOf(slots, slot).some((other) => {
    const { running } = other;
    if (running?.state.name !== 'prefilling') return false;
    const shared = commonPrefix(running.tokens, promptOf(slot));
    const usable = running.places === undefined ? shared : lastOf(running.places, shared);
    return usable >= length + leastGainTokens && other.length < usable;
  });
}

/** Brings the prefix to the slot, which then holds as much of it as is worth to be kept. */
export async function takePrefix(memory: SlotMemory, slot: Slot, { length, source }: ComputedPrefix) {
  const prompt = promptOf(slot);
  // At least one token is left to compute: the next one is drawn from its logits.
  if (source !== undefined) await memory.copyPrefix(source, slot, Math.min(length, prompt.length - 1));
  memory.cutIfPossible(slot, wholeMedia(prompt, worthwhilePrefix(slot.length, prompt.length)));
  slot.running?.settlePrefix(slot.length, memory.context.needsStates);
}

/** The cells that a copy of the slot moves; in a pool sequences share them. */
const copiedCells = ({ isPool, mostTokens }: SlotMemory, { capacity }: Slot): number =>
  isPool ? 0 : Math.min(capacity, mostTokens);

const promptOf = ({ running }: Slot): Uint32Array => running?.tokens ?? new Uint32Array();

const neighboursOf = (slots: readonly Slot[], slot: Slot): Slot[] =>
  slots.filter((other) => other !== slot && other.accountId === slot.accountId);

const lastOf = (places: readonly number[], most: number): number =>
  places.findLast((place) => place <= most) ?? 0;
