import type { Statement } from 'better-sqlite3';
import type { Database } from '../database.ts';

/** A stored balance: exactly `units + fraction / windowMs`, as of `atMs`. */
export interface BucketRow {
  readonly measure: string;
  readonly window: string;
  /** Whole units; below zero: debt. */
  readonly units: number;
  /** 0 ≤ fraction < the window in ms. */
  readonly fraction: number;
  /** The limit that it refills by. */
  readonly limitUnits: number;
  readonly atMs: number;
}

/** Balances per key (its `balanceId`) × canonical model × measure × window. A missing row is a full bucket. */
export class BucketTable {
  readonly #modelIds: Statement<[string], string>;
  readonly #of: Statement<[string, string], BucketRow>;
  readonly #put: Statement<[string, string, string, string, number, number, number, number]>;

  constructor({ connection }: Database) {
    this.#of = connection.prepare(
      `SELECT measure, window, units, fraction, limit_units AS limitUnits, at_ms AS atMs
       FROM buckets WHERE key_id = ? AND model_id = ?`,
    );
    this.#modelIds = connection
      .prepare<[string], string>('SELECT DISTINCT model_id FROM buckets WHERE key_id = ? ORDER BY model_id')
      .pluck();
    this.#put = connection.prepare('INSERT OR REPLACE INTO buckets VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  }

  of(balanceId: string, modelId: string): BucketRow[] {
    return this.#of.all(balanceId, modelId);
  }

  /** Models of which anything was used. */
  modelIds(balanceId: string): string[] {
    return this.#modelIds.all(balanceId);
  }

  put(balanceId: string, modelId: string, row: BucketRow): void {
    this.#put.run(
      balanceId,
      modelId,
      row.measure,
      row.window,
      row.units,
      row.fraction,
      row.limitUnits,
      row.atMs,
    );
  }
}
