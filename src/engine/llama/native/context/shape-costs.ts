import { combineMemory, type MemoryUse } from '../../../pool/memory-use.ts';
import type { ContextShape } from './context.ts';

/** A context that grows as its requests need it. */
export interface Growth {
  /** The shape that it is opened in, and goes back to. */
  readonly least: ContextShape;
  readonly costs: ShapeCosts;
  /** Memory up to which each sequence gets cells of its own; beyond that all share them. */
  readonly mostForStreams: MemoryUse;
}

/** Bytes that a context takes whatever its cells, and for each of them. */
interface Line {
  readonly base: MemoryUse;
  readonly cell: MemoryUse;
}

/** The memory of a context by its shape: caches and buffers grow evenly with the cells. */
export class ShapeCosts {
  readonly #streams: Line;
  readonly #pool: Line;

  private constructor(streams: Line, pool: Line) {
    this.#streams = streams;
    this.#pool = pool;
  }

  /** Asks for the memory of contexts of `streamCells` cells, pools of `poolCells`, and twice as large ones. */
  static async measure(
    streamCells: number,
    poolCells: number,
    estimate: (shape: ContextShape) => Promise<MemoryUse>,
  ) {
    const lineOf = async (cells: number, isUnified: boolean): Promise<Line> => {
      const few = await estimate({ cells, isUnified });
      const many = await estimate({ cells: 2 * cells, isUnified });
      const cell = combineMemory(many, few, (more, less) => Math.max(0, more - less) / cells);
      return { base: combineMemory(few, cell, (bytes, each) => bytes - each * cells), cell };
    };
    return new ShapeCosts(await lineOf(streamCells, false), await lineOf(poolCells, true));
  }

  memoryOf({ cells, isUnified }: ContextShape): MemoryUse {
    const { base, cell } = isUnified ? this.#pool : this.#streams;
    return combineMemory(base, cell, (bytes, each) => Math.ceil(bytes + each * cells));
  }

  /** The most cells of a pool that fits into `room`. */
  mostPooled(room: MemoryUse): number {
    const { base, cell } = this.#pool;
    const most = combineMemory(
      combineMemory(room, base, (bytes, taken) => bytes - taken),
      cell,
      (bytes, each) => (each > 0 ? bytes / each : bytes < 0 ? 0 : Number.POSITIVE_INFINITY),
    );
    return Math.max(0, Math.floor(Math.min(most.ramBytes, most.vramBytes)));
  }
}
