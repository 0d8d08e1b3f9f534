import { Table } from '../database.ts';

export interface AuditRow {
  readonly id: number;
  readonly atMs: number;
  /** The id of a key, or the name of an actor without one. */
  readonly actor: string;
  /** A network address, or the user of this machine. */
  readonly origin: string;
  /** Such as `key.create`. */
  readonly act: string;
  /** The id of the changed object, such as a key. */
  readonly subject: string;
  /** JSON; null: it was not there. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Administrative acts. Rows are added and, when old enough, deleted; the database lets nobody change them. */
export class AuditTable extends Table {
  insert(row: Omit<AuditRow, 'id'>): void {
    this.insertInto('audit', row);
  }

  /** The newest first: those at or after `fromMs` and before the act `beforeId`. */
  list({ fromMs, beforeId, limit }: { fromMs: number; beforeId: number; limit: number }): AuditRow[] {
    return this.database.all(
      `SELECT id, at_ms AS atMs, actor, origin, act, subject, before, after FROM audit
       WHERE id < ? AND audit.at_ms >= ? ORDER BY id DESC LIMIT ?`,
      beforeId,
      fromMs,
      limit,
    );
  }

  deleteBefore(atMs: number, atMost: number): void {
    this.deleteSome('audit', 'id', 'at_ms < ?', atMs, atMost);
  }
}
