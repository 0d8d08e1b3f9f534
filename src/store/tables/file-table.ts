import { columnsOf, ofRemovedAccount, Table, type Page, type PageOf } from '../database.ts';

/** A file that a client keeps, or the results of a batch. */
export interface FileRow {
  readonly id: string;
  readonly accountId: string;
  readonly purpose: string;
  /** As its sender called it. */
  readonly filename: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  /** null: never. */
  readonly expiresAtMs: number | null;
}

const columns = columnsOf('id, accountId, purpose, filename, bytes, createdAtMs, expiresAtMs');

/** The files of accounts, without their bytes, which lie on the disk. An account sees its own, until they expire. */
export class FileTable extends Table {
  insert(row: FileRow): void {
    this.insertInto('files', row);
  }

  find(accountId: string, id: string, nowMs: number): FileRow | undefined {
    return this.database.first(
      `SELECT ${columns} FROM files WHERE id = ? AND account_id = ? AND coalesce(files.expires_at_ms, ?) >= ?`,
      id,
      accountId,
      nowMs,
      nowMs,
    );
  }

  /** By the time of creation; undefined where `after` is the id of no file of the account. */
  list(
    accountId: string,
    purpose: string | undefined,
    page: Page,
    nowMs: number,
  ): PageOf<FileRow> | undefined {
    const start = page.after === undefined ? undefined : this.find(accountId, page.after, nowMs);
    if (page.after !== undefined && start === undefined) return undefined;
    const sql = `SELECT ${columns} FROM files WHERE account_id = :accountId
      AND (:purpose IS NULL OR purpose = :purpose) AND coalesce(files.expires_at_ms, :nowMs) >= :nowMs`;
    return this.page(sql, { accountId, purpose: purpose ?? null, nowMs }, page, start);
  }

  /**
   * The number and bytes of the account's files, with expired ones that are not deleted yet, and results of batches so
   * far.
   */
  kept(accountId: string): { readonly count: number; readonly bytes: number } {
    const sql = `SELECT count(*) AS count, coalesce(sum(bytes), 0) + (
        SELECT coalesce(sum(output_bytes + error_bytes), 0) FROM batches
        WHERE account_id = :accountId AND ended_at_ms IS NULL) AS bytes
      FROM files WHERE account_id = :accountId`;
    return this.database.first(sql, { accountId }) ?? { count: 0, bytes: 0 };
  }

  ids(): string[] {
    return this.database.all<{ id: string }>('SELECT id FROM files').map(({ id }) => id);
  }

  delete(id: string): void {
    this.database.run('DELETE FROM files WHERE id = ?', id);
  }

  /** Ids of at most `atMost` files that expired by `nowMs`, or whose account was removed. */
  expired(nowMs: number, atMost: number): string[] {
    const sql = `SELECT id FROM files WHERE expires_at_ms < ? OR ${ofRemovedAccount} LIMIT ?`;
    return this.database.all<{ id: string }>(sql, nowMs, atMost).map(({ id }) => id);
  }
}
