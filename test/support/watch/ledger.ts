import { join } from 'node:path';
import { openStore } from '../../../src/store/store.ts';
import type { LedgerRow } from '../../../src/store/tables/use/ledger-table.ts';
import type { RunningServer } from '../server/start-server.ts';

/** The server's charges so far, in their order. */
export function ledgerOf({ dataDir }: Pick<RunningServer, 'dataDir'>): readonly LedgerRow[] {
  const store = openStore(join(dataDir, 'hearth.db'));
  try {
    return [...store.ledger.all()];
  } finally {
    store.close();
  }
}
