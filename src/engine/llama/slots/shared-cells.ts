/** Tokens in cells of a pool. Slots whose tokens begin with the same runs share the cells of these. */
export interface CellRun {
  /** Another slot has had it too, so that no more tokens can be added to it. */
  isShared: boolean;
}

/** The runs of a slot, one after the other. */
export class CellRuns {
  #runs: { readonly run: CellRun; length: number }[] = [];

  list(): readonly { readonly run: CellRun; readonly length: number }[] {
    return this.#runs;
  }

  append(length: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && !last.run.isShared) last.length += length;
    else if (length > 0) this.#runs.push({ run: { isShared: false }, length });
  }

  truncate(length: number): void {
    let left = length;
    for (const part of this.#runs) {
      part.length = Math.min(part.length, left);
      left -= part.length;
    }
    this.#runs = this.#runs.filter((part) => part.length > 0);
  }

  /** Has the runs of `source`, too. */
  share(source: CellRuns): void {
    for (const { run } of source.#runs) run.isShared = true;
    this.#runs = source.#runs.map((part) => ({ ...part }));
  }

  /** Shares none any more. */
  separate(): void {
    const length = this.#runs.reduce((sum, part) => sum + part.length, 0);
    this.#runs = [];
    this.append(length);
  }

  /** Tokens at the beginning that share cells with those of `other`. */
  sharedWith(other: CellRuns): number {
    let length = 0;
    for (const [at, part] of this.#runs.entries()) {
      const same = other.#runs[at];
      if (same?.run !== part.run) break;
      length += Math.min(same.length, part.length);
    }
    return length;
  }
}

/** A slot. */
interface CellHolder {
  readonly runs: CellRuns;
}

/** Counts cells that slots hold, shared ones once. */
export class CellCount {
  readonly #counted = new Map<CellRun, number>();

  /** Cells of the slot that were not counted yet. */
  newCellsOf({ runs }: CellHolder): number {
    return runs
      .list()
      .reduce((sum, { run, length }) => sum + Math.max(0, length - (this.#counted.get(run) ?? 0)), 0);
  }

  add({ runs }: CellHolder): void {
    for (const { run, length } of runs.list())
      this.#counted.set(run, Math.max(length, this.#counted.get(run) ?? 0));
  }
}
