import { Table } from '../database.ts';

export interface NewAdmissionRow {
  readonly admittedAtMs: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly modelId: string;
  readonly route: string;
  /** What the request is metered on, joined by commas. */
  readonly measures: string;
  /** Windows whose request bucket paid, joined by commas. */
  readonly paidWindows: string;
}

export interface AdmissionRow extends NewAdmissionRow {
  readonly id: number;
}

/** Requests in flight: a row lives from admission to settlement. */
export class AdmissionTable extends Table {
  /** The new row's id. */
  insert(row: NewAdmissionRow): number {
    const { lastInsertRowid } = this.database.run(
      `INSERT INTO admissions (admitted_at_ms, account_id, key_id, model_id, route, measures, paid_windows)
       VALUES (:admittedAtMs, :accountId, :keyId, :modelId, :route, :measures, :paidWindows)`,
      row,
    );
    return Number(lastInsertRowid);
  }

  delete(id: number): void {
    this.database.run('DELETE FROM admissions WHERE id = ?', id);
  }

  /** Oldest first. */
  list(): AdmissionRow[] {
    return this.database.all(
      `SELECT id, admitted_at_ms AS admittedAtMs, account_id AS accountId, key_id AS keyId, model_id AS modelId,
              route, measures, paid_windows AS paidWindows
       FROM admissions ORDER BY id`,
    );
  }
}
