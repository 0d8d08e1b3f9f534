import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { Keys, type NewKey } from '../../../src/accounts/keys.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { openStore } from '../../../src/store/store.ts';
import { configFileName, type RunningServer } from './start-server.ts';

type Folder = Pick<RunningServer, 'dataDir'>;

/** Makes an account beside the server of this data folder, as a command does, which takes a second to start. */
export function makeAccount(folder: Folder, name: string, plan?: string): void {
  withAccounts(folder, (accounts) => accounts.create({ name, ...(plan !== undefined && { plan }) }));
}

/** Makes a key of an account that is there, in the same way. */
export function makeKey(
  folder: Folder,
  account: string,
  options: Partial<NewKey> = {},
): { readonly id: string; readonly secret: string } {
  return withAccounts(folder, (accounts, keys) => {
    const { key, secret } = keys.create({ accountId: accounts.get(account).id, ...options });
    return { id: key.id, secret };
  });
}

function withAccounts<Result>({ dataDir }: Folder, work: (accounts: Accounts, keys: Keys) => Result): Result {
  mkdirSync(dataDir, { recursive: true });
  const config = join(dataDir, configFileName);
  const flags = { dataDir, ...(existsSync(config) && { config }) };
  const { databaseFile, plans } = loadConfig({ flags, env: {}, cwd: dataDir });
  const store = openStore(databaseFile);
  try {
    const now = Date.now;
    const accounts = new Accounts({ store, plans: new PlanBook(plans, now()), now });
    return work(accounts, new Keys({ store, now }));
  } finally {
    store.close();
  }
}
