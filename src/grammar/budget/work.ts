import { remembered } from '../remembered.ts';
import { AppError } from '../../errors/errors.ts';
import { limits } from './limits.ts';
import { joinPath } from './refusal.ts';

/** A keyword of the schema, and the steps that it took so far. */
interface Place {
  readonly path: string;
  readonly keyword: string;
  steps: number;
}

/**
 * Counts the steps of one compilation, each of about 100 ns, and ends it when there are too many. The count depends on
 * the schema alone, so that a schema is refused either on all machines or on none.
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

  /** How many steps were counted so far. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Counts `steps`. Throws schema_too_complex when there are too many; the error names the keyword with most of them.
   */
  spend(steps: number): void {
    this.#place.steps += steps;
    this.#spent += steps;
    if (this.#spent > this.#most) throw this.#tooComplex();
  }

  /** Counts `steps` once for each `key`: for something that is made once and kept under that key. */
  spendOnce(key: string, steps: number): void {
    if (this.#once.has(key)) return;
    this.#once.add(key);
    this.spend(steps);
  }

  /** The result of `action`, whose steps count as those of `keyword` in the schema at `path`. */
  during<T>(path: string, keyword: string, action: () => T): T {
    const outer = this.#place;
    this.#place = remembered(this.#places, `${path}\n${keyword}`, () => ({ path, keyword, steps: 0 }));
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
      `The schema takes more than ${this.#most.toLocaleString('en')} steps of work to compile${where}; make it simpler or split it.`,
      param === '' ? {} : { param },
    );
  }
}

/** The methods of `Work` by which the parts of a compilation count their steps. */
export type Spending = Pick<Work, 'spent' | 'spend' | 'spendOnce'>;
