import { createHash } from 'node:crypto';
import type { Store } from '../store/store.ts';
import type { BatchLineRow } from '../store/tables/batches/batch-line-table.ts';
import { LineError, readBatchLines, type BatchLine } from './batch-lines.ts';

/** Rows that are written in one transaction, which other requests wait for. */
const rowsAtOnce = 500;
/** Equal characters at the beginning of prompts that make lines neighbours, in the first groups and in those within. */
const borders = [128, 512, 2048, 8192, 32_768];

/** How many lines were put into the store; undefined: the server ends. Throws LineError for another `endpoint`. */
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

/**
 * A text that sorts requests with equal beginnings of their prompts together: the longer the common beginning, the
 * nearer. It holds hashes of the prompt up to each border, so it says nothing of the prompt itself.
 */
function lineBeginning({ body }: Pick<BatchLine, 'body'>): string {
  const { tools, system, instructions } = body;
  const prompt = body['messages'] ?? body['input'] ?? body['prompt'];
  const text = JSON.stringify([tools, system, instructions, prompt]);
  return borders
    .map((border) => createHash('sha256').update(text.slice(0, border)).digest('hex').slice(0, 8))
    .join('');
}
