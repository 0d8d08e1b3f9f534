import { Table } from '../../database.ts';

export interface RefusalRow {
  /** When the minute began, Unix ms. */
  readonly minuteMs: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly modelId: string;
  readonly count: number;
}

/** Requests that limits refused, counted by the minute: with a row for each, a flood would fill the disk. */
export class RefusalTable extends Table {
  add(row: RefusalRow): void {
    this.insertInto('refusals', row, 'ON CONFLICT DO UPDATE SET count = count + excluded.count');
  }

  /** Deletes the rows of minutes before `beforeMs`, at most `atMost`. */
  deleteBefore(beforeMs: number, atMost: number): void {
    this.deleteSome('refusals', 'minute_ms, account_id, key_id, model_id', 'minute_ms < ?', beforeMs, atMost);
  }
}
