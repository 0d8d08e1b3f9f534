import type { Store } from '../store/store.ts';
import type { BatchLineRow } from '../store/tables/batch-line-table.ts';
import { LineError, readBatchLines } from './batch-lines.ts';
import { lineBeginning } from './line-beginning.ts';

/** Rows that are written in one transaction, which other requests wait for. */
const rowsAtOnce = 500;

/**
 * How many lines of the input file have been put into the store, anew where an earlier start was cut off; undefined:
 * the server ends. Throws LineError where one does not ask `endpoint`, and what reading throws.
 */
export async function takeLines(
  store: Pick<Store, 'batchLines' | 'immediate'>,
  batchId: string,
  file: string,
  endpoint: string,
  isStopped: () => boolean,
): Promise<number | undefined> {
  store.batchLines.deleteAllOf(batchId);
  let rows: BatchLineRow[] = [];
  let total = 0;
  const write = () => {
    store.immediate(() => {
      for (const row of rows) store.batchLines.insert(batchId, row);
    });
    total += rows.length;
    rows = [];
  };
  for await (const line of readBatchLines(file)) {
    if (isStopped()) return undefined;
    const { number, position, customId, byteOffset, bytes, url } = line;
    if (url !== endpoint)
      throw new LineError(number, `asks "${url.slice(0, 64)}", but the batch is for "${endpoint}"`);
    const name = line.body['model'];
    const model = typeof name === 'string' ? name : '';
    rows.push({ model, beginning: lineBeginning(line), position, customId, byteOffset, bytes });
    if (rows.length === rowsAtOnce) write();
  }
  write();
  return total;
}
