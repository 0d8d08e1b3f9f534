import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { Keys } from '../../../src/accounts/keys.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import {
  startServer,
  type RunningServer,
  type StartServerOptions,
} from '../../../test/support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../../test/support/models/tiny-model.ts';

/** Plans by name, as the configuration file has them. */
export type PlansFile = Readonly<Record<string, { readonly limits: object; readonly account?: object }>>;

export interface LoadKey {
  readonly id: string;
  readonly accountId: string;
  readonly secret: string;
}

interface StartOptions extends Pick<StartServerOptions, 'program' | 'apiKey' | 'env'> {
  readonly settings?: object;
}

/** A data folder with accounts of its own, and the real server on it as often as one likes. */
export interface LimitedServer extends AsyncDisposable {
  readonly dataDir: string;
  /** A key of a new account on `plan`. */
  createKey(account: string, plan: string): LoadKey;
  /** Puts an account on another plan, as another process does; the Unix ms of that. */
  setPlan(account: string, plan: string): number;
  /** The result of `look` at the database, also while the server runs. */
  inspect<Result>(look: (store: Store) => Result): Result;
  /** `settings`: further ones of the configuration. */
  start(options?: StartOptions): Promise<RunningServer>;
}

/** Id of the model that all the load goes to: tiny, with random weights. */
export const loadModelId = 'tiny';

/** Everything is gone again when it is disposed of, running servers included. */
export async function createLimitedServer(plans: PlansFile): Promise<LimitedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hearth-load-'));
  const modelsDir = await createModelsDir({ [loadModelId]: await tinyModel() });
  const { databaseFile } = loadConfig({ flags: { dataDir }, env: {}, cwd: dataDir });
  const planBook = new PlanBook(new Map(Object.keys(plans).map((name) => [name, noLimits])), Date.now());

  const inspect = <Result>(look: (store: Store) => Result): Result => {
    const store = openStore(databaseFile);
    try {
      return look(store);
    } finally {
      store.close();
    }
  };
  const started: RunningServer[] = [];
  const accountsOn = (store: Store) => new Accounts({ store, plans: planBook, now: Date.now });

  return {
    dataDir,
    createKey: (name, plan) =>
      inspect((store) => {
        const account = accountsOn(store).create({ name, plan });
        const { key, secret } = new Keys({ store, now: Date.now }).create({ accountId: account.id });
        return { id: key.id, accountId: account.id, secret };
      }),
    setPlan: (name, plan) =>
      inspect((store) => {
        accountsOn(store).change(name, { plan: plan });
        return store.accounts.byName(name)?.planSetAtMs ?? Number.NaN;
      }),
    inspect,
    async start({ program, apiKey = null, settings, env = {} } = {}) {
      const server = await startServer({
        program,
        modelsDirs: [modelsDir],
        dataDir,
        apiKey,
        env,
        config: { ...settings, plans, models: [{ id: loadModelId, threads: 1, context: 512, parallel: 8 }] },
        // One line per request would be most of the server's work.
        args: ['--log-level', 'warn'],
      });
      started.push(server);
      return server;
    },
    async [Symbol.asyncDispose]() {
      for (const server of started) await server.stop();
      for (const folder of [dataDir, modelsDir]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Only the names count here: the server reads the limits from its own configuration. */
const noLimits = { durationMs: undefined, limits: {}, modelLimits: new Map() };
