import { AppError } from '../../errors.ts';
import { limits } from './limits.ts';
import { joinPath } from './refusal.ts';

/** A keyword of the schema, and what it has cost so far. */
interface Place {
  readonly path: string;
  readonly keyword: string;
  steps: number;
}

/**
 * Counts the steps of one compilation, each of about 100 ns, and ends it when they are used up. The count depends on
 * the schema alone, so a schema that is refused on one machine is refused on all.
 */
export class Work {
  readonly #most: number;
  readonly #places = new Map<string, Place>();
  #place: Place = { path: '', keyword: '', steps: 0 };
  readonly #once = new Set<string>();
  #spent = 0;

  constructor(most: number = limits.work) {
    this.#most = most;
  }

  /** Steps so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Counts `steps`. Throws schema_too_complex when there were too many; the error names what cost most of them. */
  spend(steps: number): void {
    this.#place.steps += steps;
    this.#spent += steps;
    if (this.#spent > this.#most) throw this.#tooComplex();
  }

  /** Counts `steps` for what is kept under `key`, when it is first made. */
  spendOnce(key: string, steps: number): void {
    if (this.#once.has(key)) return;
    this.#once.add(key);
    this.spend(steps);
  }

  /** What `action` returns; its steps are put down to `keyword` of the schema at `path`. */
  during<T>(path: string, keyword: string, action: () => T): T {
    const outer = this.#place;
    const key = `${path}\n${keyword}`;
    let place = this.#places.get(key);
    if (place === undefined) this.#places.set(key, (place = { path, keyword, steps: 0 }));
    this.#place = place;
    try {
      return action();
    } finally {
      this.#place = outer;
    }
  }

  #tooComplex(): AppError {
    let [dearest] = this.#places.values();
    for (const place of this.#places.values()) if (place.steps > (dearest?.steps ?? 0)) dearest = place;
    const param = dearest === undefined ? '' : joinPath(dearest.path, dearest.keyword);
    const where = param === '' ? '' : `, most of it for '${dearest?.keyword}' at '${param}'`;
    return new AppError(
      'schema_too_complex',
      `The schema takes too much work to compile${where}; make it simpler or split it.`,
      param === '' ? {} : { param },
    );
  }
}

/** What the parts of a compilation need of `Work`. */
export type Spending = Pick<Work, 'spent' | 'spend' | 'spendOnce'>;
