import { columnsOf, Table } from '../database.ts';

export interface NoticeRow {
  readonly id: string;
  /** Each is told once. */
  readonly occasion: string;
  readonly kind: string;
  /** Whom it concerns beside the operator; null: nobody. */
  readonly accountId: string | null;
  readonly atMs: number;
  /** One line for people. */
  readonly message: string;
  /** JSON. */
  readonly data: string;
}

export interface ListedNoticeRow extends NoticeRow {
  /** Whether its account is there, and a key works that it is about; also where it is about neither. */
  readonly stands: boolean;
}

/** A notice that is still to be sent. */
export interface DeliveryRow extends NoticeRow {
  /** The account whose address it goes to; empty: the operator's. */
  readonly recipient: string;
  /** Times that it was sent in vain. */
  readonly tries: number;
  /** The account's address; null: it has none by now. */
  readonly webhook: string | null;
}

const columns = columnsOf('id, occasion, kind, accountId, atMs, message, data');
// A budget is of the first key of those that replaced each other, which may have ended while its successor works.
const stands = `(account_id IS NULL
    OR EXISTS (SELECT 1 FROM accounts WHERE accounts.id = notices.account_id AND removed_at_ms IS NULL))
  AND (data ->> 'key_id' IS NULL
    OR EXISTS (SELECT 1 FROM keys
      WHERE (keys.id = data ->> 'key_id' OR keys.account_id = notices.account_id AND balance_id = data ->> 'key_id')
      AND revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > :nowMs)))`;
const oneDelivery = 'notice_id = :id AND account_id = :recipient';

/** News that somebody should know, and where it is still to be sent. */
export class NoticeTable extends Table {
  has(occasion: string): boolean {
    return this.database.first('SELECT 1 FROM notices WHERE occasion = ?', occasion) !== undefined;
  }

  insert(row: NoticeRow): void {
    this.insertInto('notices', row);
  }

  /** Has the notice sent. Of more than `most` that wait, the oldest are given up. */
  addDelivery(noticeId: string, accountId: string, dueAtMs: number, most: number): void {
    this.insertInto('deliveries', { noticeId, accountId, dueAtMs });
    this.database.run(
      `DELETE FROM deliveries WHERE (SELECT count(*) FROM deliveries) > ? AND notice_id =
         (SELECT notice_id FROM deliveries JOIN notices ON notices.id = notice_id ORDER BY at_ms LIMIT 1)`,
      most,
    );
  }

  /**
   * The first `limit` that are to be sent at `nowMs`, the operator's before others. One whose time is further away than the
   * longest wait was postponed by a clock that was wrong.
   */
  due(nowMs: number, longestWaitMs: number, limit: number): DeliveryRow[] {
    return this.database.all(
      `SELECT notices.id, occasion, kind, notices.account_id AS accountId, at_ms AS atMs, message, data,
              deliveries.account_id AS recipient, tries, accounts.webhook
       FROM deliveries JOIN notices ON notices.id = notice_id
         LEFT JOIN accounts ON accounts.id = deliveries.account_id AND removed_at_ms IS NULL
       WHERE due_at_ms <= :nowMs OR due_at_ms > :nowMs + :longestWaitMs
       ORDER BY deliveries.account_id <> '', due_at_ms LIMIT :limit`,
      { nowMs, longestWaitMs, limit },
    );
  }

  /** Counts a try, after which the next one is due at `dueAtMs`. */
  postpone({ id, recipient }: DeliveryRow, dueAtMs: number): void {
    this.database.run(`UPDATE deliveries SET tries = tries + 1, due_at_ms = :dueAtMs WHERE ${oneDelivery}`, {
      id,
      recipient,
      dueAtMs,
    });
  }

  endDelivery({ id, recipient }: DeliveryRow): void {
    this.database.run(`DELETE FROM deliveries WHERE ${oneDelivery}`, { id, recipient });
  }

  /** The newest first. */
  list(fromMs: number, limit: number, nowMs: number): ListedNoticeRow[] {
    return this.database
      .all<Omit<ListedNoticeRow, 'stands'> & { readonly stands: number }>(
        `SELECT ${columns}, ${stands} AS stands FROM notices
         WHERE notices.at_ms >= :fromMs ORDER BY notices.at_ms DESC, id LIMIT :limit`,
        { fromMs, limit, nowMs },
      )
      .map((row) => ({ ...row, stands: row.stands === 1 }));
  }

  deleteBefore(atMs: number, atMost: number): void {
    this.deleteSome('notices', 'id', 'at_ms < ?', atMs, atMost);
  }
}
