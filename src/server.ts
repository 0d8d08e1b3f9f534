import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { createAdaptorServer } from '@hono/node-server';
import { Accounts } from './accounts/accounts.ts';
import { createAuthenticator } from './accounts/authenticator.ts';
import { ensureBootstrap, type Bootstrap } from './accounts/bootstrap.ts';
import { Keys } from './accounts/keys.ts';
import { PlanBook } from './accounts/plan-book.ts';
import { createApp } from './api/app.ts';
import { openCatalog, type LiveCatalog } from './catalog/catalog.ts';
import type { Config } from './config/types.ts';
import { LlamaEngine } from './engine/llama/llama-engine.ts';
import { openLlama } from './engine/llama/native.ts';
import { createModelFileCheck } from './engine/llama/remembered-load-check.ts';
import { StoredLimiter } from './limits/limiter.ts';
import { openStore } from './store/store.ts';
import type { Log } from './telemetry/log.ts';

/** A failed load is not tried again for so long. */
const failureCoolDownMs = 30_000;
/** The openai client gives up after ten minutes: nobody should learn only then that it was in vain. */
const queueTimeoutMs = 5 * 60_000;

/** A server that listens. */
export interface HearthServer {
  /** Base address that clients are given, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly bootstrap: Bootstrap;
  readonly catalog: LiveCatalog;
  /** Takes no new work, lets running answers finish for as long as the configuration says, frees everything. */
  close(): Promise<void>;
}

/**
 * Builds the whole service out of its parts and listens: the only place where they meet.
 * Throws ConfigError, StoreError, CatalogConflictError, or the system's error when the port is taken.
 */
export async function startServer(config: Config, log: Log): Promise<HearthServer> {
  const now = () => Date.now();
  const store = openStore(config.databaseFile);
  const plans = new PlanBook(config.plans, now());
  const accounts = new Accounts({ store, plans, now });
  const keys = new Keys({ store, now });
  const bootstrap = ensureBootstrap({ store, accounts, keys, apiKey: config.bootstrapApiKey });
  const limiter = new StoredLimiter({ store, plans, now });
  const catalog = openCatalog({
    folders: config.modelsDirs,
    pulledFolder: config.pulledModelsDir,
    entries: config.models,
    log,
  });

  const llama = await openLlama({ gpu: 'auto', maxThreads: os.availableParallelism(), log });
  const checkFile = createModelFileCheck(store.modelChecks);
  const engine = new LlamaEngine({
    llama,
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

  let draining = false;
  const app = createApp({
    engine,
    catalog,
    authenticator: createAuthenticator({ store, plans, now }),
    limiter,
    log,
    clock: { nowMs: now },
    settings: { jsonBodyLimitBytes: config.jsonBodyLimitBytes, corsOrigins: config.corsOrigins },
    health: { unready: () => undefined, draining: () => draining },
  });
  const http = createAdaptorServer({ fetch: app.fetch });
  http.listen(config.port, config.host);
  await once(http, 'listening');

  for (const model of catalog.list())
    if (model.settings.preload && model.kind === 'chat')
      engine.preload(model.id).catch((err: unknown) => log.error({ model: model.id, err }, 'preload failed'));

  return {
    baseUrl: baseUrlOf(http.address() as AddressInfo),
    bootstrap,
    catalog,
    async close() {
      draining = true;
      http.close();
      await engine.close(config.shutdownGraceMs);
      if ('closeAllConnections' in http) {
        // The last events of ended streams are on their way: they get a moment to leave.
        await Promise.race([once(http, 'close'), new Promise((resolve) => setTimeout(resolve, 500))]);
        http.closeAllConnections();
      }
      store.close();
    },
  };
}

function baseUrlOf({ address, family, port }: AddressInfo): string {
  const anywhere = address === '0.0.0.0' || address === '::';
  const host = anywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}/v1`;
}
