import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAuthenticator } from './accounts/authenticator.ts';
import { ensureBootstrap, type Bootstrap } from './accounts/bootstrap.ts';
import { createApp } from './api/app.ts';
import { createHttpServer } from './api/http-server.ts';
import type { LiveCatalog } from './catalog/catalog.ts';
import type { Plans } from './config/plans.ts';
import type { Config } from './config/types.ts';
import { StoredLimiter } from './limits/limiter.ts';
import { startRetention } from './limits/retention.ts';
import { queryUsageInSlices } from './limits/usage.ts';
import { pullConfigured } from './pull-configured.ts';
import { openServices } from './services.ts';
import { acquireProcessLock } from './store/process-lock.ts';
import { StoreError } from './store/store-error.ts';
import type { Log } from './telemetry/log.ts';

/** The last events of ended streams are on their way when the engine is closed: they get so long to leave. */
const flushMs = 500;

/** A server that listens. */
export interface HearthServer {
  /** Base address that clients are given, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly bootstrap: Bootstrap;
  readonly catalog: LiveCatalog;
  /** Puts other plans into force, from the next request on; balances keep their level. */
  replacePlans(plans: Plans): void;
  /** Takes no new work, lets running answers finish for as long as the configuration says, frees everything. */
  close(): Promise<void>;
}

/**
 * Puts HTTP in front of the services and listens.
 * Throws ConfigError, StoreError, CatalogConflictError, or the system's error when the port is taken.
 */
export async function startServer(config: Config, log: Log): Promise<HearthServer> {
  const services = await openServices(config, log);
  const { now, store, plans, accounts, keys, catalog, engine } = services;
  const lock = acquireProcessLock(config.databaseFile);
  if (lock === undefined) {
    await services.close(0);
    throw new StoreError(
      `another hearth serves from ${config.dataDir} already`,
      'stop it, or give this one a --data-dir of its own',
    );
  }
  const bootstrap = ensureBootstrap({ store, accounts, keys, apiKey: config.bootstrapApiKey });
  const limiter = new StoredLimiter({ store, plans, now });
  const interrupted = limiter.recoverInterrupted();
  if (interrupted > 0) log.warn({ requests: interrupted }, 'gave back what was in flight when hearth ended');
  const stopRetention = startRetention({
    store,
    retentionMs: config.ledgerRetentionMs,
    now,
    onError: (err) => log.error({ err }, 'old usage could not be deleted'),
  });
  let draining = false;
  const app = createApp({
    engine,
    catalog,
    authenticator: createAuthenticator({ store, plans, now }),
    limiter,
    administration: { accounts, keys, plans, usage: (query) => queryUsageInSlices(store, query) },
    log,
    clock: { nowMs: now },
    settings: {
      jsonBodyLimitBytes: config.jsonBodyLimitBytes,
      corsOrigins: config.corsOrigins,
      reasoningTokens: config.reasoningTokens,
    },
    health: { unready: () => undefined, draining: () => draining },
  });
  const http = createHttpServer(app, log);
  http.listen(config.port, config.host);
  await once(http, 'listening');

  for (const model of catalog.list())
    if (model.settings.preload && model.kind === 'chat')
      engine.preload(model.id).catch((err: unknown) => log.error({ model: model.id, err }, 'preload failed'));

  const pulls = new AbortController();
  const pulling = pullConfigured(catalog, config, log, pulls.signal);

  return {
    baseUrl: baseUrlOf(http.address() as AddressInfo),
    bootstrap,
    catalog,
    replacePlans: (next) => plans.replace(next, now()),
    async close() {
      draining = true;
      stopRetention();
      pulls.abort();
      const closed = new Promise((resolve) => http.close(resolve));
      await engine.close(config.shutdownGraceMs);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, flushMs))]);
      http.closeAllConnections();
      await pulling;
      lock.release();
      store.close();
    },
  };
}

function baseUrlOf({ address, family, port }: AddressInfo): string {
  const anywhere = address === '0.0.0.0' || address === '::';
  const host = anywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}/v1`;
}
