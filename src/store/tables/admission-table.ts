import type { Statement } from 'better-sqlite3';
import type { Database } from '../database.ts';

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
export class AdmissionTable {
  readonly #insert: Statement<[number, string, string, string, string, string, string]>;
  readonly #delete: Statement<[number]>;
  readonly #list: Statement<[], AdmissionRow>;

  constructor({ connection }: Database) {
    this.#insert = connection.prepare(
      `INSERT INTO admissions (admitted_at_ms, account_id, key_id, model_id, route, measures, paid_windows)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#delete = connection.prepare('DELETE FROM admissions WHERE id = ?');
    this.#list = connection.prepare(
      `SELECT id, admitted_at_ms AS admittedAtMs, account_id AS accountId, key_id AS keyId, model_id AS modelId,
              route, measures, paid_windows AS paidWindows
       FROM admissions ORDER BY id`,
    );
  }

  /** The new row's id. */
  insert(row: NewAdmissionRow): number {
    const { lastInsertRowid } = this.#insert.run(
      row.admittedAtMs,
      row.accountId,
      row.keyId,
      row.modelId,
      row.route,
      row.measures,
      row.paidWindows,
    );
    return Number(lastInsertRowid);
  }

  delete(id: number): void {
    this.#delete.run(id);
  }

  /** Oldest first. */
  list(): AdmissionRow[] {
    return this.#list.all();
  }
}
