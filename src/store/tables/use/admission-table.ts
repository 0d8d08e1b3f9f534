import { columnsOf, Table } from '../../database.ts';

export interface NewAdmissionRow {
  readonly admittedAtMs: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly modelId: string;
  readonly route: string;
  /** The measures of the request's limits, joined by commas. */
  readonly measures: string;
  /** Windows whose request bucket paid, joined by commas. */
  readonly paidWindows: string;
  /** The batch that it is a line of; null: somebody waits for the answer. */
  readonly batchId: string | null;
}

export interface UsedRow {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly audioMs: number;
  /** Who counted the tokens: hearth itself (`counted`), or how it knows them from the server that computed. */
  readonly usageSource: 'counted' | 'reported' | 'tokenized' | 'estimated';
}

/** A request in flight, and its use when that was noted last. */
export interface AdmissionRow extends NewAdmissionRow, UsedRow {
  readonly id: number;
}

export const requestColumns = columnsOf(`
  admittedAtMs, accountId, keyId, modelId, route, measures, paidWindows, batchId,
  promptTokens, cachedTokens, completionTokens, audioMs, usageSource
`);

/** Requests in flight: a row lives from admission to settlement. */
export class AdmissionTable extends Table {
  /** The new row's id. */
  insert(row: NewAdmissionRow): number {
    return Number(this.insertInto('admissions', row).lastInsertRowid);
  }

  note(id: number, used: UsedRow): void {
    this.database.run(
      `UPDATE admissions SET prompt_tokens = :promptTokens, cached_tokens = :cachedTokens,
                             completion_tokens = :completionTokens, audio_ms = :audioMs, usage_source = :usageSource
       WHERE id = :id`,
      { id, ...used },
    );
  }

  delete(id: number): void {
    this.database.run('DELETE FROM admissions WHERE id = ?', id);
  }

  /** Oldest first. */
  list(): AdmissionRow[] {
    return this.database.all(`SELECT id, ${requestColumns} FROM admissions ORDER BY id`);
  }
}
