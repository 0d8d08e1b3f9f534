import os from 'node:os';
import { Accounts } from './accounts/accounts.ts';
import { Keys } from './accounts/keys.ts';
import { PlanBook } from './accounts/plan-book.ts';
import type { Clock } from './accounts/types.ts';
import { openCatalog, type LiveCatalog } from './catalog/catalog.ts';
import type { Config } from './config/types.ts';
import { LlamaEngine } from './engine/llama/llama-engine.ts';
import { openLlama } from './engine/llama/native.ts';
import { createModelFileCheck } from './engine/llama/remembered-load-check.ts';
import { openStore, type Store } from './store/store.ts';
import type { Log } from './telemetry/log.ts';

/** A failed load is not tried again for so long. */
const failureCoolDownMs = 30_000;
/** The openai client gives up after ten minutes: nobody should learn only then that it was in vain. */
const queueTimeoutMs = 5 * 60_000;

/** What every way into hearth builds upon, with or without HTTP in front. */
export interface Services {
  readonly now: Clock;
  readonly store: Store;
  readonly plans: PlanBook;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly catalog: LiveCatalog;
  readonly engine: LlamaEngine;
  /** Lets running generations finish for up to `graceMs`, then frees everything. */
  close(graceMs: number): Promise<void>;
}

/** Builds store, accounts, catalog and engine. Throws StoreError or CatalogConflictError. */
export async function openServices(config: Config, log: Log): Promise<Services> {
  const now: Clock = () => Date.now();
  const store = openStore(config.databaseFile);
  const plans = new PlanBook(config.plans, now());
  const catalog = openCatalog({
    folders: config.modelsDirs,
    pulledFolder: config.pulledModelsDir,
    entries: config.models,
    log,
  });
  const checkFile = createModelFileCheck(store.modelChecks);
  const engine = new LlamaEngine({
    llama: await openLlama({ gpu: 'auto', maxThreads: os.availableParallelism(), log }),
    findModel: (modelId) => {
      const model = catalog.find(modelId);
      return model && { ...model.settings, id: model.id, path: model.path };
    },
    checkFile: (path, signal) => checkFile(path, { signal }),
    loadTimeoutMs: config.loadTimeoutMs,
    failureCoolDownMs,
    targetGapMs: config.targetGapMs,
    queueLimit: config.queueLimit,
    queueTimeoutMs,
    log,
  });
  return {
    now,
    store,
    plans,
    accounts: new Accounts({ store, plans, now }),
    keys: new Keys({ store, now }),
    catalog,
    engine,
    async close(graceMs) {
      await engine.close(graceMs);
      store.close();
    },
  };
}
