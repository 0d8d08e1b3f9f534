import { toldFailures } from '../../batches/result-file.ts';
import type { Batch } from '../../batches/batch-types.ts';
import type { Routes } from '../add-routes.ts';
import { toWireBatch } from './routes.ts';
import type { AppDeps } from '../env.ts';
import { toList } from '../parameters/list-page.ts';
import { idIn, readQuery } from '../request/read-parameters.ts';
import { batchesQuery } from '../admin/schema.ts';

/** The routes of the batches of all accounts, of either dialect. */
export function adminBatchRoutes({ administration, batches }: AppDeps): Routes {
  const toWire = (rows: readonly Batch[]) => {
    const names = new Map(administration.accounts.list().map(({ id, name }) => [id, name]));
    return rows.map((batch) => ({
      ...toWireBatch(batch),
      account_id: batch.accountId,
      account_name: names.get(batch.accountId) ?? batch.accountId,
      key_id: batch.keyId,
      input_file_name: batches.inputNameOf(batch) ?? null,
      ...toldFailures(batch.failures),
    }));
  };
  return {
    '/batches': {
      GET: (c) => {
        const { after, limit = 20 } = readQuery(c, batchesQuery);
        const { rows, isMore } = batches.listAll({ after, limit, order: 'desc' });
        return c.json(toList(toWire(rows), isMore));
      },
    },
    '/batches/:id/cancel': {
      POST: (c) => {
        const { accountId, id, dialect } = batches.find(idIn(c));
        c.set('act', ['batch.cancel', id]);
        return c.json(toWire([batches.cancel(accountId, id, dialect)])[0]);
      },
    },
  };
}
