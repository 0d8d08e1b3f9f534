import type { Allowance } from './types.ts';
import { windowMs, type Measure } from '../accounts/plans.ts';
import type { BucketRow } from '../store/tables/use/bucket-table.ts';
import type { Store } from '../store/store.ts';
import {
  advance,
  changeLimit,
  fullBucket,
  joinLevel,
  splitLevel,
  type Bucket,
  msUntilFull,
} from './bucket.ts';
import { isMeasure, isWindow, type Rule, unitsPer } from './rules.ts';

export interface Balance {
  readonly measure: Measure;
  readonly window: Rule['window'];
  readonly bucket: Bucket;
  /** The row must be stored again even if nothing is taken, because the clock went back or the limit changed. */
  readonly stale: boolean;
}

/** The stored balances of one key and model, read once inside a transaction. */
export class Balances {
  readonly #store: Store;
  readonly #balanceId: string;
  readonly #modelId: string;
  readonly #rows: readonly BucketRow[];

  constructor(store: Store, keyId: string, modelId: string) {
    this.#store = store;
    this.#balanceId = store.keys.balanceIdOf(keyId) ?? keyId;
    this.#modelId = modelId;
    this.#rows = store.buckets.of(this.#balanceId, modelId);
  }

  /**
   * The balance that `rule` limits. `changes` are the times at which the limit may have got its present value, the most
   * certain one first; the first that is later than the stored row counts.
   */
  under(rule: Rule, changes: readonly number[], nowMs: number): Balance {
    const { measure, window, limitUnits } = rule;
    const row = this.#find(measure, window);
    if (row === undefined) {
      return { measure, window, bucket: fullBucket(limitUnits, rule.windowMs, nowMs), stale: false };
    }
    const stored = toBucket(row, rule.windowMs);
    if (row.limitUnits === limitUnits) {
      return { measure, window, bucket: advance(stored, nowMs), stale: nowMs < row.atMs };
    }
    const changedAtMs = changes.find((atMs) => atMs > row.atMs && atMs <= nowMs) ?? nowMs;
    return { measure, window, bucket: changeLimit(stored, limitUnits, changedAtMs, nowMs), stale: true };
  }

  /**
   * All balances of `measure`: the stored ones with their stored limits, and full ones for rules that have none yet. So
   * a plan that changes between admission and settlement loses no charge, and an old limit never cuts a balance that
   * grew under a newer one.
   */
  stored(measure: Measure, rules: readonly Rule[], nowMs: number): Balance[] {
    const balances: Balance[] = [];
    for (const row of this.#rows) {
      if (row.measure !== measure || !isMeasure(row.measure) || !isWindow(row.window)) continue;
      const bucket = advance(toBucket(row, windowMs[row.window]), nowMs);
      balances.push({ measure, window: row.window, bucket, stale: false });
    }
    for (const rule of rules) {
      if (rule.measure !== measure || this.#find(measure, rule.window) !== undefined) continue;
      balances.push(this.under(rule, [], nowMs));
    }
    return balances;
  }

  put({ measure, window }: Balance, bucket: Bucket): void {
    this.#store.buckets.put(this.#balanceId, this.#modelId, {
      measure,
      window,
      ...splitLevel(bucket),
      limitUnits: bucket.limit,
      atMs: bucket.atMs,
    });
  }

  #find(measure: string, window: string): BucketRow | undefined {
    return this.#rows.find((row) => row.measure === measure && row.window === window);
  }
}

export const toAllowance = ({ measure, window, bucket }: Balance): Allowance => ({
  measure,
  window,
  limit: bucket.limit / unitsPer[measure],
  left: splitLevel(bucket).units / unitsPer[measure],
  fullInMs: msUntilFull(bucket),
});

function toBucket(row: BucketRow, rowWindowMs: number): Bucket {
  return {
    level: joinLevel(row.units, row.fraction, rowWindowMs),
    limit: row.limitUnits,
    windowMs: rowWindowMs,
    atMs: row.atMs,
  };
}
