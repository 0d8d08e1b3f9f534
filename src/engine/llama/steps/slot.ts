import { stillCells, wholeMedia } from '../media/medium-ids.ts';
import type { RunningSequence } from './running-sequence.ts';

/**
 * One of the context's permanent sequences: what its cache holds, and the request that uses it now. Slots are never
 * freed but only rewound, so no request can find a cache that another one is still disposing of.
 */
export class Slot {
  /** llama.cpp's sequence id. */
  readonly index: number;
  /** The account whose tokens the cache holds; requests of other accounts must not use them. */
  accountId: string | undefined;
  running: RunningSequence | undefined;
  /** Grows with each use; the smallest is the least recently used. */
  lastUse = 0;
  /** Tokens whose state the cache holds, in order. */
  readonly #tokens: Uint32Array;
  #length = 0;
  /** How many of them stand at the position of what is before them, as parts of pictures may. */
  #still = 0;

  constructor(index: number, contextTokens: number) {
    this.index = index;
    this.#tokens = new Uint32Array(contextTokens);
  }

  get length(): number {
    return this.#length;
  }

  /** Where what comes next stands, for llama.cpp. */
  get position(): number {
    return this.#length - this.#still;
  }

  /** Where what follows the first `length` tokens stands. */
  positionAt(length: number): number {
    return length - stillCells(this.#tokens.subarray(0, length));
  }

  /** Tokens that the cache has room for. */
  get capacity(): number {
    return this.#tokens.length;
  }

  /** What the cache holds, as long as nothing is appended or cut. */
  get tokens(): Uint32Array {
    return this.#tokens.subarray(0, this.#length);
  }

  append(tokens: Uint32Array): void {
    this.#tokens.set(tokens, this.#length);
    this.#length += tokens.length;
    this.#still += stillCells(tokens);
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
    this.#still = stillCells(this.tokens);
  }

  /** How many tokens at the beginning of `prompt` the cache already holds. */
  sharedPrefix(prompt: Uint32Array): number {
    return commonPrefix(this.tokens, prompt);
  }
}

/** How many tokens at the beginning of both are the same; of a picture or recording all or none. */
export function commonPrefix(a: Uint32Array, b: Uint32Array): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length++;
  return Math.min(wholeMedia(a, length), wholeMedia(b, length));
}

/**
 * Cached prefixes are compared in steps of a sixth of the prompt, at most of so many tokens: for a smaller difference
 * the slot beside busy ones is better.
 */
const coarsestStepTokens = 32;

/**
 * The best free slot for a prompt; undefined when none is free. The slot with the longest cached prefix of the same
 * account is best; among equals one beside busy slots, because llama.cpp computes sequences together only where their
 * ids are consecutive; then the least recently used one.
 */
export function chooseSlot(slots: readonly Slot[], accountId: string, prompt: Uint32Array): Slot | undefined {
  const stepTokens = Math.max(1, Math.min(coarsestStepTokens, Math.ceil(prompt.length / 6)));
  const rankOf = (slot: Slot): readonly number[] => {
    const prefix = slot.accountId === accountId ? slot.sharedPrefix(prompt) : 0;
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
