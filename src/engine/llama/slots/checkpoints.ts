import type { CacheMemory, Droppable } from '../caches/cache-memory.ts';

/** The state from which a sequence goes on after it is cut behind its first `length` tokens. */
export interface Checkpoint {
  readonly length: number;
  readonly state: Uint8Array;
}

/** A conversation outside of the context. */
export interface SavedConversation {
  readonly accountId: string;
  readonly tokens: Uint32Array;
  /** Of all of the tokens. */
  readonly state: Uint8Array<ArrayBuffer>;
  readonly checkpoints: readonly Checkpoint[];
}

/** A slot keeps 16 checkpoints; more are thinned out where they are dense. */
const mostCheckpoints = 16;

interface Kept extends Checkpoint, Droppable {}

/** The checkpoints of one slot, in the memory for caches: the ones that were used least recently are dropped first. */
export class Checkpoints {
  readonly #memory: CacheMemory;
  /** In the order of their lengths. */
  #kept: Kept[] = [];

  constructor(memory: CacheMemory) {
    this.#memory = memory;
  }

  list(): readonly Checkpoint[] {
    return this.#kept;
  }

  /** True where a state of `bytes` bytes fits into the empty memory for caches. */
  holds(bytes: number): boolean {
    return this.#memory.holds(bytes);
  }

  /** The longest one of at most `length` tokens. */
  before(length: number): Checkpoint | undefined {
    const found = this.#kept.findLast((kept) => kept.length <= length);
    if (found !== undefined) this.#memory.touch(found);
    return found;
  }

  add({ length, state }: Checkpoint): void {
    if (this.#kept.some((kept) => kept.length === length)) return;
    const kept: Kept = {
      length,
      state,
      bytes: state.byteLength,
      drop: () => (this.#kept = this.#kept.filter((other) => other !== kept)),
    };
    this.#kept = [...this.#kept, kept].sort((a, b) => a.length - b.length);
    this.#memory.add(kept);
    if (this.#kept.length > mostCheckpoints) this.#thin();
  }

  /** Forgets those of more than `length` tokens. */
  truncate(length: number): void {
    for (const kept of this.#kept) if (kept.length > length) this.#memory.remove(kept);
  }

  /** Drops the one that is nearest to both its neighbours. The last one is where the conversation will go on. */
  #thin(): void {
    const gapAround = (at: number) => (this.#kept[at + 1]?.length ?? 0) - (this.#kept[at - 1]?.length ?? 0);
    let densest = 0;
    for (let at = 1; at < this.#kept.length - 1; at++) if (gapAround(at) < gapAround(densest)) densest = at;
    const kept = this.#kept[densest];
    if (kept !== undefined) this.#memory.remove(kept);
  }
}
