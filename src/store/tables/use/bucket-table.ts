import { columnsOf, Table } from '../../database.ts';

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

const columns = columnsOf('measure, window, units, fraction, limitUnits, atMs');

/** Balances per key (its `balanceId`) × canonical model × measure × window. A missing row is a full bucket. */
export class BucketTable extends Table {
  of(balanceId: string, modelId: string): BucketRow[] {
    const sql = `SELECT ${columns} FROM buckets WHERE key_id = ? AND model_id = ?`;
    return this.database.all(sql, balanceId, modelId);
  }

  /** Models of which anything was used. */
  modelIds(balanceId: string): string[] {
    const sql = 'SELECT DISTINCT model_id AS modelId FROM buckets WHERE key_id = ? ORDER BY model_id';
    return this.database.all<{ modelId: string }>(sql, balanceId).map(({ modelId }) => modelId);
  }

  put(balanceId: string, modelId: string, row: BucketRow): void {
    this.database.run(
      `INSERT OR REPLACE INTO buckets
       VALUES (:balanceId, :modelId, :measure, :window, :units, :fraction, :limitUnits, :atMs)`,
      { balanceId, modelId, ...row },
    );
  }
}
