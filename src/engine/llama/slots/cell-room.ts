import { performance } from 'node:perf_hooks';
import type { ClaimMemory } from '../../pool/loadable.ts';
import { differenceOf, fitsInto, noMemory, type MemoryUse } from '../../pool/memory-use.ts';
import type { IdleCaches } from '../caches/idle-caches.ts';
import type { ContextShape, SharedPrefix } from '../native/context/context.ts';
import type { Growth } from '../native/context/shape-costs.ts';
import { toCells } from '../native/context/stepper-context.ts';
import { CellNeeds, type Newcomer } from './cell-needs.ts';
import { CellCount } from './shared-cells.ts';
import type { SlotMemory } from './slot-memory.ts';
import type { Slot } from './slot.ts';

/** Cells that each request has besides those of its tokens: for drafts, and so that not every step has to ask for some. */
const mostSpareCells = 64;
/** Fewest cells that a request has free while steps follow each other by themselves. */
const cellsAhead = 16;

export interface CellGrowth extends Growth {
  /** The most tokens that one request may have. */
  readonly contextTokens: number;
  readonly claim: ClaimMemory;
  /** Is told of each shape in which the context was opened anew, and how long that took. */
  readonly onReshaped?: ((shape: ContextShape, elapsedMs: number) => void) | undefined;
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
    if (this.#growth === undefined) return true;
    const needs = this.#needs(cellsAhead);
    for (const slot of this.#slots) if (slot.running === undefined) needs.addIdle(slot);
    return this.#holds(this.shape, needs);
  }

  /**
   * Has the context hold the next cells of all that run, and the newcomer's. Conversations without a request make room
   * first, then the context grows. False: there is no memory for that now.
   */
  async provide(newcomer?: Newcomer): Promise<boolean> {
    if (this.#growth !== undefined && this.#isClosed) await this.#reshape(this.#growth.least);
    for (const slot of this.#dropped) this.#memory.clear(slot);
    this.#dropped.clear();
    if (this.#growth === undefined) return true;
    const needs = this.#needs(mostSpareCells, newcomer);
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
    if (!(await this.#reshape(least))) return;
    // Others may wait for the memory.
    (await claim(noMemory, false))?.();
  }

  /** Whether the slot would leave few cells to others, because these hold most of its tokens, too. */
  isMostlyShared(slot: Slot): boolean {
    const others = new CellCount();
    for (const other of this.#slots) if (other !== slot && other.running !== undefined) others.add(other);
    return 2 * others.newCellsOf(slot) < slot.length;
  }

  /** The cells of those who run, and of the newcomer. */
  #needs(spareCells: number, newcomer?: Newcomer): CellNeeds {
    const { contextTokens = Number.POSITIVE_INFINITY } = this.#growth ?? {};
    const needs = new CellNeeds(this.#memory, spareCells, toCells(contextTokens));
    needs.addRunning(this.#slots);
    if (newcomer !== undefined) needs.add(newcomer.tokens, newcomer.shared);
    return needs;
  }

  #holds(shape: ContextShape, { most, together }: CellNeeds): boolean {
    return shape.isUnified ? together <= shape.cells : most <= shape.cells / this.#slots.length;
  }

  async #grow(needs: CellNeeds, newcomer: Newcomer | undefined): Promise<boolean> {
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
  #candidates(needs: CellNeeds): readonly Candidate[] {
    if (this.#growth === undefined) return [];
    const { least, costs, contextTokens, mostForStreams } = this.#growth;
    const { length: slots } = this.#slots;
    const most = toCells(contextTokens);
    // A sequence is put back whole before it shares cells again.
    const again = Math.max(0, ...this.#sharedPrefixes().map(({ position }) => position));
    const together = needs.together + again;
    let [own, pooled] = [least.cells / slots, least.cells];
    while (own < needs.most) own = Math.min(2 * own, most);
    while (pooled < together) pooled *= 2;
    const streams = { cells: toCells(own) * slots, isUnified: false };
    const pool = { cells: pooled, isUnified: true };
    const tight = { cells: Math.max(toCells(together), Math.min(most, pooled)), isUnified: true };
    const growth = differenceOf(costs.memoryOf(streams), costs.memoryOf(least));
    return [
      ...(fitsInto(mostForStreams, growth) ? [{ shape: streams, unloadsOthers: false }] : []),
      { shape: pool, unloadsOthers: false },
      { shape: pool, unloadsOthers: true },
      { shape: tight, unloadsOthers: true },
      { shape: { cells: toCells(together), isUnified: true }, unloadsOthers: true },
    ];
  }

  /** False: it cannot be done now. Throws where the context could not even be opened as it was: all slots are empty then. */
  async #reshape(shape: ContextShape, needs = this.#needs(0), newcomer?: Newcomer): Promise<boolean> {
    const { cells } = this.#memory.context;
    await this.#dropIdle(shape, needs, newcomer);
    try {
      const beganAtMs = performance.now();
      const isDone = await cells.reshape(shape, this.#sharedPrefixes());
      this.#isClosed = false;
      if (isDone) this.#growth?.onReshaped?.(shape, performance.now() - beganAtMs);
      return isDone;
    } catch (cause) {
      this.#isClosed = true;
      for (const slot of this.#slots) slot.truncate(0);
      throw cause;
    } finally {
      const lost = this.#slots.filter((slot) => slot.length > 0 && !cells.holds(slot.index));
      for (const slot of lost) forget(slot);
      // Who shared with a lost one may hold copies now: to count cells twice is safe.
      if (lost.length > 0 || !this.#memory.isPool) for (const { runs } of this.#slots) runs.separate();
    }
  }

  /** Of each slot the longest prefix that it shares with one before it. */
  #sharedPrefixes(): readonly SharedPrefix[] {
    return this.#slots.flatMap((target, at) => {
      const before = this.#slots.slice(0, at).map((source) => ({
        source: source.index,
        length: target.runs.sharedWith(source.runs),
      }));
      const [longest] = before.toSorted((a, b) => b.length - a.length);
      if (longest === undefined || longest.length === 0) return [];
      return { source: longest.source, target: target.index, position: target.positionAt(longest.length) };
    });
  }

  /** Has conversations without a request leave the context that have no cells beside `needs`, the oldest first. */
  async #dropIdle(shape: ContextShape, needs: CellNeeds, newcomer: Newcomer | undefined): Promise<void> {
    const own = shape.isUnified ? Number.POSITIVE_INFINITY : shape.cells / this.#slots.length;
    let free = shape.isUnified ? shape.cells - needs.together : Number.POSITIVE_INFINITY;
    const idle = this.#slots.filter(({ running, length }) => running === undefined && length > 0);
    for (const slot of idle.toSorted((a, b) => b.lastUse - a.lastUse)) {
      const isReused = slot === newcomer?.slot;
      const cells = needs.held.newCellsOf(slot) - (isReused ? newcomer.tokens - newcomer.shared : 0);
      if (slot.length <= own && cells <= free) {
        needs.held.add(slot);
        free -= Math.max(0, cells);
        continue;
      }
      if (!slot.isSpent) await this.#idleCaches?.keep(slot);
      this.#memory.clear(slot);
    }
  }
}

const areAlike = (one: ContextShape, other: ContextShape) =>
  one.cells === other.cells && one.isUnified === other.isUnified;

/** The slot's state is lost: its tokens are computed again. */
function forget(slot: Slot): void {
  slot.running?.tell({ name: 'cut', computed: slot.tokens });
  slot.truncate(0);
}
