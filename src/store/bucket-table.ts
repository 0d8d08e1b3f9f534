import type { Statement } from 'better-sqlite3';
import type { Database } from './database.ts';

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

/** Balances per key × canonical model × measure × window. A missing row is a full bucket. */
export class BucketTable {
  readonly #of: Statement<[string, string], BucketRow>;
  readonly #put: Statement<[string, string, string, string, number, number, number, number]>;
  readonly #copy: Statement<[string, string]>;

  constructor({ connection }: Database) {
    this.#of = connection.prepare(
      `SELECT measure, window, units, fraction, limit_units AS limitUnits, at_ms AS atMs
       FROM buckets WHERE key_id = ? AND model_id = ?`,
    );
    this.#put = connection.prepare('INSERT OR REPLACE INTO buckets VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#copy = connection.prepare(
      `INSERT OR REPLACE INTO buckets
       SELECT ?, model_id, measure, window, units, fraction, limit_units, at_ms FROM buckets WHERE key_id = ?`,
    );
  }

  of(keyId: string, modelId: string): BucketRow[] {
    return this.#of.all(keyId, modelId);
  }

  put(keyId: string, modelId: string, row: BucketRow): void {
    this.#put.run(keyId, modelId, row.measure, row.window, row.units, row.fraction, row.limitUnits, row.atMs);
  }

  /** Gives `toKeyId` the balances of `fromKeyId`. */
  copy(fromKeyId: string, toKeyId: string): void {
    this.#copy.run(toKeyId, fromKeyId);
  }
}
