import { leastGainTokens, sharedTokens } from './claim-prefix.ts';
import { CellCount } from './shared-cells.ts';
import type { SlotMemory } from './slot-memory.ts';
import type { Slot } from './slot.ts';

/** A request that is about to get a slot, and the tokens that the slot will hold before its first step. */
export interface Newcomer {
  readonly slot: Slot;
  readonly tokens: number;
  /** Of the tokens, those that it can share with a request that runs. */
  readonly shared: number;
}

/** Counts the cells that requests need at the same time. */
export class CellNeeds {
  /** Those of the one that needs most. */
  most = 0;
  /** Those of all in a pool, where several hold a prefix in the same cells. */
  together = 0;
  /** Cells that slots hold now. */
  readonly held = new CellCount();
  readonly #memory: SlotMemory;
  readonly #spareCells: number;
  readonly #mostCells: number;

  /** Each request has `spareCells` besides those of its tokens, but at most `mostCells`. */
  constructor(memory: SlotMemory, spareCells: number, mostCells: number) {
    this.#memory = memory;
    this.#spareCells = spareCells;
    this.#mostCells = mostCells;
  }

  /** A request of `tokens` tokens, of which `shared` lie in cells that are counted already. */
  add(tokens: number, shared: number): void {
    const cells = Math.min(tokens + this.#spareCells, this.#mostCells);
    this.most = Math.max(this.most, cells);
    this.together += Math.max(0, cells - shared);
  }

  /** The requests of the slots. */
  addRunning(slots: readonly Slot[]): void {
    const waits = ({ running }: Slot) => Number(running?.state.name === 'waiting');
    // Those who wait come last: the one with whom they will share a prefix is counted by then.
    const ordered = slots
      .filter(({ running }) => running !== undefined)
      .toSorted((a, b) => waits(a) - waits(b));
    for (const [at, slot] of ordered.entries()) {
      const own = this.held.newCellsOf(slot);
      const tokens = slot.running?.cellsNeeded(slot.length) ?? 0;
      const coming = this.#comingTokens(slot, ordered.slice(0, at));
      // The slot's own cells are there until the prefix takes their place.
      this.add(tokens, coming > 0 ? Math.min(coming, tokens - own) : slot.length - own);
      this.held.add(slot);
    }
  }

  /** A conversation without a request. */
  addIdle(slot: Slot): void {
    this.together += this.held.newCellsOf(slot);
    this.held.add(slot);
  }

  /** Tokens of the prefix that the slot will take from one of `others`; 0: it takes none. */
  #comingTokens({ running, accountId, length }: Slot, others: readonly Slot[]): number {
    if (running?.state.name !== 'waiting' || accountId === undefined) return 0;
    const coming = sharedTokens(this.#memory, others, accountId, running.tokens);
    return coming < length + leastGainTokens ? 0 : coming;
  }
}
