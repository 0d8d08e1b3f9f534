import { Accounts } from '../accounts/accounts.ts';
import { Calendar } from '../accounts/budgets/calendar.ts';
import { Keys } from '../accounts/keys.ts';
import { readMadePlans } from '../accounts/made-plans.ts';
import { PlanBook } from '../accounts/plans.ts';
import type { Clock } from '../accounts/types.ts';
import type { LiveCatalog } from '../catalog/catalog.ts';
import type { Config } from '../config/types.ts';
import type { ModelEngine } from '../engine/model-engine.ts';
import type { CacheFilePlace } from '../engine/model-backend.ts';
import { checkFor } from '../engine/model-check/load-check.ts';
import { createModelFileCheck } from '../engine/model-check/remembered-load-check.ts';
import type { ModelMemory } from '../engine/pool/model-status.ts';
import { openCatalog, type followCatalog } from './open-catalog.ts';
import { openEngine } from './open-engine.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Log } from '../telemetry/log.ts';
import { cachesDeletion } from '../upkeep/kept-caches.ts';
import { Metrics } from '../telemetry/metrics.ts';

/** The parts that every way into hearth builds upon, with or without HTTP in front. */
export interface Services {
  readonly now: Clock;
  readonly metrics: Metrics;
  readonly store: Store;
  readonly plans: PlanBook;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly catalog: LiveCatalog;
  readonly models: ModelMemory;
  readonly engine: ModelEngine;
  /** Lets running work finish for up to `graceMs`, then frees all models. */
  closeEngine(graceMs: number): Promise<void>;
  /** The same, and closes the store. */
  close(graceMs: number): Promise<void>;
}

/** Builds store, accounts, catalog and engine. Only one process may use `cacheFiles`. Throws StoreError and others. */
export async function openServices(
  config: Config,
  log: Log,
  store = openStore(config.databaseFile),
  cacheFiles?: CacheFilePlace,
  catalogOf: typeof openCatalog | typeof followCatalog = openCatalog,
): Promise<Services> {
  const now: Clock = () => Date.now();
  const metrics = new Metrics();
  const calendar = new Calendar(config.timeZone);
  const plans = new PlanBook(config.plans, now(), calendar, config.prices, readMadePlans(store));
  const checkFile = createModelFileCheck(store.modelChecks, checkFor(config));
  const catalog = await catalogOf(config, log, (file) => checkFile.known(file));
  const opened = await openEngine({ config, catalog, checkFile, cacheFiles, metrics, log });
  return {
    now,
    metrics,
    store,
    plans,
    accounts: new Accounts({ store, plans, now, onRemoved: cachesDeletion(config, store) }),
    keys: new Keys({ store, now, calendar }),
    catalog,
    models: opened.models,
    engine: opened.engine,
    closeEngine: (graceMs) => opened.close(graceMs),
    async close(graceMs) {
      await opened.close(graceMs);
      store.close();
    },
  };
}
