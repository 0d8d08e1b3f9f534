import type { Slot } from './slot.ts';

/**
 * Cached prefixes are compared in steps of a sixth of the prompt, at most of 32 tokens: a slot beside busy ones gains
 * more than a smaller difference does.
 */
const coarsestStepTokens = 32;

/**
 * The best free slot for a prompt; undefined when none is free. The slot with the longest cached prefix of the same
 * account is best, of which `reach` says how much of it can be used; among equals one beside busy slots, because
 * llama.cpp computes sequences together only where their ids are consecutive; then the least recently used one.
 */
export function chooseSlot(
  slots: readonly Slot[],
  accountId: string,
  prompt: Uint32Array,
  reach: (slot: Slot, length: number) => number = (_, length) => length,
): Slot | undefined {
  const stepTokens = Math.max(1, Math.min(coarsestStepTokens, Math.ceil(prompt.length / 6)));
  const rankOf = (slot: Slot): readonly number[] => {
    const prefix = slot.accountId === accountId ? reach(slot, slot.sharedPrefix(prompt)) : 0;
    const neighbours = [slots[slot.index - 1], slots[slot.index + 1]];
    const busyNeighbours = neighbours.filter((neighbour) => neighbour?.running !== undefined).length;
    return [Math.floor(prefix / stepTokens), busyNeighbours, -slot.lastUse, -slot.index];
  };
  const ranked = slots
    .filter(({ running }) => running === undefined)
    .map((slot) => ({ slot, rank: rankOf(slot) }));
  const [best] = ranked.toSorted((a, b) => compareLists(b.rank, a.rank));
  return best?.slot;
}

const compareLists = (a: readonly number[], b: readonly number[]) =>
  a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
