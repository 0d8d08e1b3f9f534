import type { ClaimMemory } from '../../pool/loadable.ts';
import { differenceOf, fitsInto, noMemory, type MemoryUse } from '../../pool/memory-use.ts';
import type { IdleCaches } from '../caches/idle-caches.ts';
import type { ContextShape } from '../native/context/context.ts';
import type { Growth } from '../native/context/shape-costs.ts';
import { toCells } from '../native/context/stepper-context.ts';
import type { SlotMemory } from './slot-memory.ts';
import type { Slot } from './slot.ts';

/** Cells that each request has besides those of its tokens: for drafts, and so that not every step has to ask for some. */
const spareCells = 64;
/** Fewest cells that a request has free while steps follow each other by themselves. */
const cellsAhead = 16;

export interface CellGrowth extends Growth {
  /** The most tokens that one request may have. */
  readonly contextTokens: number;
  readonly claim: ClaimMemory;
}

/** A request that is about to get a slot, and the tokens that the slot will hold before its first step. */
export interface Newcomer {
  readonly slot: Slot;
  readonly tokens: number;
}

/** Another shape that would do, and whether other models are unloaded for it. */
interface Candidate {
  readonly shape: ContextShape;
  readonly unloadsOthers: boolean;
}

/**
 * The cells of the context. There are few at first. Where requests need more, the context is opened anew in another shape:
 * with twice the cells of its own for each slot as long as that takes little of the memory, then with one pool for all.
 */
export class CellRoom {
  readonly #memory: SlotMemory;
  readonly #slots: readonly Slot[];
  readonly #idleCaches: IdleCaches | undefined;
  readonly #growth: CellGrowth | undefined;
  /** There was no memory for the context any more, and none is open. */
  #isClosed = false;
  /** Slots that are empty, but whose cells the context still holds. */
  readonly #dropped = new Set<Slot>();

  /** Without `growth` each slot has cells for all that a request may have. */
  constructor(
    memory: SlotMemory,
    slots: readonly Slot[],
    idleCaches: IdleCaches | undefined,
    growth: CellGrowth | undefined,
  ) {
    this.#memory = memory;
    this.#slots = slots;
    this.#idleCaches = idleCaches;
    this.#growth = growth;
  }

  get isGrown(): boolean {
    const { shape } = this;
    const { least } = this.#growth ?? {};
    return least !== undefined && !areAlike(shape, least);
  }

  /** Memory that the context takes on top of that of its least shape. */
  get grown(): MemoryUse {
    const { shape } = this;
    if (this.#growth === undefined) return noMemory;
    const { costs, least } = this.#growth;
    return differenceOf(costs.memoryOf(shape), costs.memoryOf(least));
  }

  get shape(): ContextShape {
    return this.#memory.context.cells.shape;
  }

  /** Whether those who decode have cells for the next few tokens beside all that the context holds. */
  get isAmple(): boolean {
    const { isPool } = this.#memory;
    const idle = this.#slots.map(({ running, length }) => (isPool && running === undefined ? length : 0));
    return this.#holds(this.shape, [...this.#needs(cellsAhead), ...idle]);
  }

  /**
   * Has the context hold what those who run need next, and the newcomer. Conversations without a request make room first,
   * then the context grows. False: there is no memory for that now.
   */
  async provide(newcomer?: Newcomer): Promise<boolean> {
    if (this.#growth !== undefined && this.#isClosed) await this.#reshape(this.#growth.least, []);
    for (const slot of this.#dropped) this.#memory.clear(slot);
    this.#dropped.clear();
    if (this.#growth === undefined) return true;
    const needs = this.#needs(spareCells, newcomer);
    if (!this.#holds(this.shape, needs) && !(await this.#grow(needs, newcomer))) return false;
    if (this.shape.isUnified) await this.#dropIdle(this.shape, needs, newcomer);
    return true;
  }

  /** Empties the slot, on which nobody may build. Others have its cells before the next step that is planned. */
  drop(slot: Slot): void {
    slot.truncate(0);
    this.#dropped.add(slot);
  }

  /** Goes back to the least shape. To be called while no request runs. */
  async shrink(): Promise<void> {
    if (this.#growth === undefined || !this.isGrown) return;
    const { least, claim } = this.#growth;
    if (!(await this.#reshape(least, []))) return;
    // Others may wait for the memory.
    (await claim(noMemory, false))?.();
  }

  /** The cells that each of those who run needs, and the newcomer. */
  #needs(spare: number, newcomer?: Newcomer): readonly number[] {
    const { contextTokens } = this.#growth ?? { contextTokens: Number.POSITIVE_INFINITY };
    const running = this.#slots.flatMap(({ running: sequence, length }) =>
      sequence === undefined ? [] : sequence.cellsNeeded(length),
    );
    return [...running, ...(newcomer === undefined ? [] : [newcomer.tokens])].map((cells) =>
      Math.min(cells + spare, toCells(contextTokens)),
    );
  }

  #holds(shape: ContextShape, needs: readonly number[]): boolean {
    if (this.#growth === undefined) return true;
    return shape.isUnified
      ? sum(needs) <= shape.cells
      : Math.max(0, ...needs) <= shape.cells / this.#slots.length;
  }

  async #grow(needs: readonly number[], newcomer: Newcomer | undefined): Promise<boolean> {
    const { costs, claim } = this.#growth ?? {};
    const { shape: before } = this;
    if (costs === undefined || claim === undefined) return false;
    for (const { shape, unloadsOthers } of this.#candidates(needs)) {
      const { ramBytes, vramBytes } = differenceOf(costs.memoryOf(shape), costs.memoryOf(before));
      const more = { ramBytes: Math.max(0, ramBytes), vramBytes: Math.max(0, vramBytes) };
      const settle = await claim(more, unloadsOthers);
      if (settle === undefined) continue;
      try {
        if (await this.#reshape(shape, needs, newcomer)) return true;
      } finally {
        settle();
      }
    }
    return false;
  }

  /** Shapes that hold `needs`, the best first. */
  #candidates(needs: readonly number[]): readonly Candidate[] {
    if (this.#growth === undefined) return [];
    const { least, costs, contextTokens, mostForStreams } = this.#growth;
    const { length: slots } = this.#slots;
    const most = toCells(contextTokens);
    let [own, pooled] = [least.cells / slots, least.cells];
    while (own < Math.max(...needs)) own = Math.min(2 * own, most);
    while (pooled < sum(needs)) pooled *= 2;
    const streams = { cells: toCells(own) * slots, isUnified: false };
    const pool = { cells: pooled, isUnified: true };
    const tight = { cells: Math.max(toCells(sum(needs)), Math.min(most, pooled)), isUnified: true };
    const growth = differenceOf(costs.memoryOf(streams), costs.memoryOf(least));
    return [
      ...(fitsInto(mostForStreams, growth) ? [{ shape: streams, unloadsOthers: false }] : []),
      { shape: pool, unloadsOthers: false },
      { shape: pool, unloadsOthers: true },
      { shape: tight, unloadsOthers: true },
      { shape: { cells: toCells(sum(needs)), isUnified: true }, unloadsOthers: true },
    ];
  }

  /** False: it cannot be done now. Throws where the context could not even be opened as it was: all slots are empty then. */
  async #reshape(shape: ContextShape, needs: readonly number[], newcomer?: Newcomer): Promise<boolean> {
    const { cells } = this.#memory.context;
    await this.#dropIdle(shape, needs, newcomer);
    try {
      const isDone = await cells.reshape(shape);
      this.#isClosed = false;
      return isDone;
    } catch (cause) {
      this.#isClosed = true;
      for (const slot of this.#slots) slot.truncate(0);
      throw cause;
    } finally {
      for (const slot of this.#slots) if (slot.length > 0 && !cells.holds(slot.index)) forget(slot);
    }
  }

  /** Has conversations without a request leave the context that have no cells beside `needs`, the oldest first. */
  async #dropIdle(
    shape: ContextShape,
    needs: readonly number[],
    newcomer: Newcomer | undefined,
  ): Promise<void> {
    const own = shape.isUnified ? Number.POSITIVE_INFINITY : shape.cells / this.#slots.length;
    let free = shape.isUnified ? shape.cells - sum(needs) : Number.POSITIVE_INFINITY;
    const idle = this.#slots.filter(({ running, length }) => running === undefined && length > 0);
    for (const slot of idle.toSorted((a, b) => b.lastUse - a.lastUse)) {
      const isReused = slot === newcomer?.slot;
      const cells = isReused ? Math.max(0, slot.length - newcomer.tokens) : slot.length;
      if (slot.length <= own && cells <= free) {
        free -= cells;
        continue;
      }
      if (!slot.isSpent) await this.#idleCaches?.keep(slot);
      this.#memory.clear(slot);
    }
  }
}

const areAlike = (one: ContextShape, other: ContextShape) =>
  one.cells === other.cells && one.isUnified === other.isUnified;

/** The slot's state is lost: what it held is computed again. */
function forget(slot: Slot): void {
  slot.running?.tell({ name: 'cut', computed: slot.tokens });
  slot.truncate(0);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
