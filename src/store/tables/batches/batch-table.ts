import { columnsOf, ofRemovedAccount, Table, type Page, type PageOf } from '../../database.ts';

export type BatchDialect = 'openai' | 'anthropic';

/** `finalizing` with lines left: its time was over before these were computed. */
export const batchStatuses = [
  'validating',
  'in_progress',
  'finalizing',
  'cancelling',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export interface NewBatchRow {
  readonly id: string;
  readonly accountId: string;
  /** Who pays. */
  readonly keyId: string;
  readonly dialect: BatchDialect;
  readonly endpoint: string;
  readonly inputFileId: string;
  /** The ids that its results have once it has ended. */
  readonly outputFileId: string;
  readonly errorFileId: string;
  /** How long these files are kept. */
  readonly keptMs: number;
  /** Lines; 0: they have to be counted. */
  readonly total: number;
  /** JSON object; null: none was given. */
  readonly metadata: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Tokens of the lines that were answered. */
export interface BatchTokens {
  readonly promptTokens: number;
  /** Of the prompt tokens, those that came from the cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** Of the completion tokens, those of thoughts. */
  readonly reasoningTokens: number;
}

/** The fields that change while a batch is computed. */
export interface BatchProgress extends BatchTokens {
  /** How much of its files of results counts. */
  readonly outputBytes: number;
  readonly errorBytes: number;
  readonly succeeded: number;
  readonly errored: number;
  /** JSON object: how many lines failed, by the codes of their errors. */
  readonly failures: string;
}

export interface BatchRow extends NewBatchRow, BatchProgress {
  readonly status: BatchStatus;
  /** The model that all of its lines name; null: they name several, or are not counted yet. */
  readonly model: string | null;
  /** JSON array of the faults of its lines; null: nothing. */
  readonly problems: string | null;
  readonly begunAtMs: number | null;
  readonly cancellingAtMs: number | null;
  readonly finalizingAtMs: number | null;
  readonly endedAtMs: number | null;
}

const columns = columnsOf(`
  id, accountId, keyId, dialect, endpoint, inputFileId, outputFileId, errorFileId,
  outputBytes, errorBytes, keptMs, status, metadata, problems, model, total, succeeded,
  errored, failures, promptTokens, cachedTokens, completionTokens, reasoningTokens, createdAtMs,
  expiresAtMs, begunAtMs, cancellingAtMs, finalizingAtMs, endedAtMs
`);

/** Batches of requests. */
export class BatchTable extends Table {
  insert(row: NewBatchRow): void {
    this.insertInto('batches', { ...row, status: 'validating' });
  }

  find(accountId: string, id: string, dialect: BatchDialect): BatchRow | undefined {
    const sql = `SELECT ${columns} FROM batches WHERE id = ? AND account_id = ? AND dialect = ?`;
    return this.database.first(sql, id, accountId, dialect);
  }

  get(id: string): BatchRow | undefined {
    return this.database.first(`SELECT ${columns} FROM batches WHERE id = ?`, id);
  }

  /** By the time of creation; undefined where `after` is the id of no such batch. */
  list(accountId: string, dialect: BatchDialect, page: Page): PageOf<BatchRow> | undefined {
    const start = page.after === undefined ? undefined : this.find(accountId, page.after, dialect);
    if (page.after !== undefined && start === undefined) return undefined;
    const sql = `SELECT ${columns} FROM batches WHERE account_id = :accountId AND dialect = :dialect`;
    return this.page(sql, { accountId, dialect }, page, start);
  }

  /** The same of all accounts. */
  listAll(page: Page): PageOf<BatchRow> | undefined {
    const start = page.after === undefined ? undefined : this.get(page.after);
    if (page.after !== undefined && start === undefined) return undefined;
    return this.page(`SELECT ${columns} FROM batches WHERE true`, {}, page, start);
  }

  /** Those that have not ended, oldest first. */
  unfinished(): BatchRow[] {
    return this.database.all(
      `SELECT ${columns} FROM batches WHERE ended_at_ms IS NULL ORDER BY batches.created_at_ms, id`,
    );
  }

  /** All of its lines are known; one that was cancelled meanwhile stays so. */
  begin(id: string, total: number, nowMs: number): void {
    this.database.run(
      `UPDATE batches SET status = CASE status WHEN 'validating' THEN 'in_progress' ELSE status END, total = ?,
                          begun_at_ms = ?,
                          model = (SELECT CASE WHEN min(model) = max(model) THEN min(model) END
                                   FROM batch_lines WHERE batch_id = ?)
       WHERE id = ?`,
      total,
      nowMs,
      id,
      id,
    );
  }

  progress(id: string, progress: BatchProgress): void {
    this.database.run(
      `UPDATE batches SET output_bytes = :outputBytes, error_bytes = :errorBytes, succeeded = :succeeded,
                          errored = :errored, failures = :failures, prompt_tokens = :promptTokens,
                          cached_tokens = :cachedTokens, completion_tokens = :completionTokens,
                          reasoning_tokens = :reasoningTokens
       WHERE id = :id`,
      { ...progress, id },
    );
  }

  /** Has no effect on a batch that has got further. */
  cancel(id: string, nowMs: number): void {
    this.database.run(
      `UPDATE batches SET status = 'cancelling', cancelling_at_ms = ?
       WHERE id = ? AND status IN ('validating', 'in_progress')`,
      nowMs,
      id,
    );
  }

  finalize(id: string, nowMs: number): void {
    this.database.run(
      `UPDATE batches SET status = 'finalizing', finalizing_at_ms = ? WHERE id = ? AND status = 'in_progress'`,
      nowMs,
      id,
    );
  }

  end(id: string, status: BatchStatus, nowMs: number, problems: string | null = null): void {
    this.database.run(
      'UPDATE batches SET status = ?, ended_at_ms = ?, problems = ? WHERE id = ?',
      status,
      nowMs,
      problems,
      id,
    );
  }

  delete(id: string): void {
    this.database.run('DELETE FROM batches WHERE id = ?', id);
  }

  /** How many batches were deleted that ended before `beforeMs`, or whose account was removed: at most `atMost`. */
  deleteEnded(beforeMs: number, atMost: number): number {
    const isOver = `ended_at_ms < ? OR (ended_at_ms IS NOT NULL AND ${ofRemovedAccount})`;
    return this.deleteSome('batches', 'id', isOver, beforeMs, atMost);
  }
}
