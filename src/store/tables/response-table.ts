import { columnsOf, ofRemovedAccount, Table } from '../database.ts';

/** A stored response, without its items. */
export interface ResponseRow {
  readonly id: string;
  readonly accountId: string;
  /** The response that it continues, which may be deleted already. */
  readonly previousId: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly itemCount: number;
  readonly itemBytes: number;
  /** The response object with an empty output. */
  readonly json: string;
}

export interface ResponseItemRow {
  readonly id: string;
  readonly json: string;
}

/** An item belongs to the question or to the answer of a response. */
export type ResponseItemSide = 'input' | 'output';

/** The methods for stored responses that requests use. */
export type ResponseStore = Pick<
  ResponseTable,
  'keptBytes' | 'insert' | 'find' | 'items' | 'findItem' | 'delete'
>;

/** Roughly the bytes of a response beside its texts: a page of the database. */
const rowBytes = 4096;

const columns = columnsOf('id, accountId, previousId, createdAtMs, expiresAtMs, itemCount, itemBytes, json');

/** Stored responses and their items. An account sees only its own, and only until they expire. */
export class ResponseTable extends Table {
  /** All or nothing. */
  insert(row: ResponseRow, items: Readonly<Record<ResponseItemSide, readonly ResponseItemRow[]>>): void {
    this.database.immediate(() => {
      const keptBytes = row.itemBytes + Buffer.byteLength(row.json) + rowBytes;
      this.insertInto('responses', { ...row, keptBytes });
      for (const side of ['input', 'output'] as const)
        for (const [position, item] of items[side].entries())
          this.insertInto('response_items', {
            ...item,
            responseId: row.id,
            side,
            position,
            accountId: row.accountId,
          });
    });
  }

  /** Bytes of an account's stored responses, including expired ones that are not deleted yet. */
  keptBytes(accountId: string): number {
    const sql = 'SELECT coalesce(sum(kept_bytes), 0) AS bytes FROM responses WHERE account_id = ?';
    return this.database.first<{ bytes: number }>(sql, accountId)?.bytes ?? 0;
  }

  find(accountId: string, id: string, nowMs: number): ResponseRow | undefined {
    return this.database.first(
      `SELECT ${columns} FROM responses WHERE id = ? AND account_id = ? AND responses.expires_at_ms > ?`,
      id,
      accountId,
      nowMs,
    );
  }

  /** In their order. */
  items(responseId: string, side: ResponseItemSide): ResponseItemRow[] {
    const sql = 'SELECT id, json FROM response_items WHERE response_id = ? AND side = ? ORDER BY position';
    return this.database.all(sql, responseId, side);
  }

  /** An item of that id, whichever response has it. */
  findItem(accountId: string, itemId: string, nowMs: number): ResponseItemRow | undefined {
    return this.database.first(
      `SELECT item.id, item.json FROM response_items AS item JOIN responses ON responses.id = item.response_id
       WHERE item.account_id = ? AND item.id = ? AND responses.expires_at_ms > ? LIMIT 1`,
      accountId,
      itemId,
      nowMs,
    );
  }

  /** Whether there was such a response. */
  delete(accountId: string, id: string, nowMs: number): boolean {
    const sql = 'DELETE FROM responses WHERE id = ? AND account_id = ? AND expires_at_ms > ?';
    return this.database.run(sql, id, accountId, nowMs).changes === 1;
  }

  /** How many responses of the account were deleted. */
  deleteAllOf(accountId: string, atMost: number): number {
    return this.deleteSome('responses', 'id', 'account_id = ?', accountId, atMost);
  }

  /** How many responses were deleted that expired, or whose account was removed: at most `atMost`. */
  deleteExpired(nowMs: number, atMost: number): number {
    return this.deleteSome('responses', 'id', `expires_at_ms <= ? OR ${ofRemovedAccount}`, nowMs, atMost);
  }
}
