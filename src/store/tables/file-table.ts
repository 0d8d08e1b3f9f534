import { Table } from '../database.ts';

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

/** Which part of a list is wanted: `after` the row of this id, `limit` rows. */
export interface Page {
  readonly after?: string | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

const columns = `id, account_id AS accountId, purpose, filename, bytes, created_at_ms AS createdAtMs,
  expires_at_ms AS expiresAtMs`;

/** What is known of files; what is in them lies on the disk. An account sees only its own, and only until they expire. */
export class FileTable extends Table {
  insert(row: FileRow): void {
    this.database.run(
      `INSERT INTO files (id, account_id, purpose, filename, bytes, created_at_ms, expires_at_ms)
       VALUES (:id, :accountId, :purpose, :filename, :bytes, :createdAtMs, :expiresAtMs)`,
      row,
    );
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
  list(accountId: string, purpose: string | undefined, page: Page, nowMs: number): FileRow[] | undefined {
    const { after, limit, order } = page;
    const start = after === undefined ? undefined : this.find(accountId, after, nowMs);
    if (after !== undefined && start === undefined) return undefined;
    const [beyond, direction] = order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
    return this.database.all(
      `SELECT ${columns} FROM files
       WHERE account_id = :accountId AND (:purpose IS NULL OR purpose = :purpose)
         AND coalesce(files.expires_at_ms, :nowMs) >= :nowMs
         AND (:startMs IS NULL OR (files.created_at_ms, id) ${beyond} (:startMs, :startId))
       ORDER BY files.created_at_ms ${direction}, id ${direction} LIMIT :limit`,
      {
        accountId,
        purpose: purpose ?? null,
        nowMs,
        startMs: start?.createdAtMs ?? null,
        startId: start?.id ?? null,
        limit,
      },
    );
  }

  /** How many files the account has and what they take, including expired ones that are not deleted yet. */
  kept(accountId: string): { readonly count: number; readonly bytes: number } {
    const sql = 'SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM files WHERE account_id = ?';
    return this.database.first(sql, accountId) ?? { count: 0, bytes: 0 };
  }

  ids(): string[] {
    return this.database.all<{ id: string }>('SELECT id FROM files').map(({ id }) => id);
  }

  delete(id: string): void {
    this.database.run('DELETE FROM files WHERE id = ?', id);
  }

  /** Ids of at most `atMost` files that expired by `nowMs`, or whose account was removed. */
  expired(nowMs: number, atMost: number): string[] {
    const rows = this.database.all<{ id: string }>(
      `SELECT id FROM files
       WHERE expires_at_ms < ? OR account_id IN (SELECT id FROM accounts WHERE removed_at_ms IS NOT NULL)
       LIMIT ?`,
      nowMs,
      atMost,
    );
    return rows.map(({ id }) => id);
  }
}
