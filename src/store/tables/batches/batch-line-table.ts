import { Table } from '../../database.ts';

export interface BatchLineRow {
  readonly model: string;
  /** Sorts lines with equal beginnings together. */
  readonly beginning: string;
  /** From 0, in the order of the input file, without its empty lines. */
  readonly position: number;
  readonly customId: string;
  /** Where it is in the input file. */
  readonly byteOffset: number;
  readonly bytes: number;
}

/** The lines of batches that have no result yet. */
export class BatchLineTable extends Table {
  insert(batchId: string, row: BatchLineRow): void {
    this.insertInto('batch_lines', { batchId, ...row });
  }

  /** At most `limit` lines behind `after`, in the order in which they are to be computed. */
  next(batchId: string, after: BatchLineRow | undefined, limit: number): BatchLineRow[] {
    return this.database.all(
      `SELECT model, beginning, position, custom_id AS customId, byte_offset AS byteOffset, bytes FROM batch_lines
       WHERE batch_id = ? AND (model, beginning, position) > (?, ?, ?)
       ORDER BY model, beginning, position LIMIT ?`,
      batchId,
      after?.model ?? '',
      after?.beginning ?? '',
      after?.position ?? -1,
      limit,
    );
  }

  delete(batchId: string, { model, beginning, position }: BatchLineRow): void {
    this.database.run(
      'DELETE FROM batch_lines WHERE batch_id = ? AND model = ? AND beginning = ? AND position = ?',
      batchId,
      model,
      beginning,
      position,
    );
  }

  deleteAllOf(batchId: string): void {
    this.database.run('DELETE FROM batch_lines WHERE batch_id = ?', batchId);
  }
}
