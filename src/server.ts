import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthenticator } from './accounts/authenticator.ts';
import { ensureBootstrap, type Bootstrap } from './accounts/bootstrap.ts';
import { createApp } from './api/app.ts';
import { createHttpServer } from './api/http-server.ts';
import type { LiveCatalog } from './catalog/catalog.ts';
import { loadCuratedModels } from './catalog/pulls/curated-models.ts';
import { ModelPuller } from './catalog/pulls/model-puller.ts';
import { claimDatabase, orStoreError } from './upkeep/claim-database.ts';
import { ConfigError } from './operator-errors.ts';
import { curatedModelsFile } from './config/paths.ts';
import { restartSettings } from './config/restart-settings.ts';
import type { Config } from './config/types.ts';
import { AudioDecoder } from './engine/audio/audio-decoder.ts';
import { FileTranscriber } from './engine/speech/file-transcriber.ts';
import { makeFolder } from './make-files.ts';
import { StoredLimiter } from './limits/limiter.ts';
import { queryUsageInSlices } from './limits/usage.ts';
import { ModelUpkeep } from './upkeep/model-upkeep.ts';
import { createReadiness } from './upkeep/readiness.ts';
import { startRetention } from './upkeep/retention.ts';
import { queueTimeoutMs } from './open-engine.ts';
import { openServices } from './services.ts';
import type { Services } from './services.ts';
import type { ProcessLock } from './store/process-lock.ts';
import { publishServerAddress, withdrawServerAddress } from './store/server-address.ts';
import type { Log } from './telemetry/log.ts';

/** The last events of ended streams are on their way when the engine is closed: they get so long to leave. */
const flushMs = 500;
/** Audios that are in memory at a time, being decoded or transcribed: enough for models not to wait for one. */
const decodedAudios = 6;

/** A server that listens. */
export interface HearthServer {
  /** Base address that clients are given, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly bootstrap: Bootstrap;
  readonly catalog: LiveCatalog;
  /**
   * Puts other models and plans into force from the next request on; balances keep their level, and models in use
   * finish as they are. Gives back the other settings that differ: they need a new start. Throws
   * CatalogConflictError, and then nothing has changed.
   */
  reconfigure(next: Config): readonly string[];
  /** Takes no new work, lets running answers finish for as long as the configuration says, frees everything. */
  close(): Promise<void>;
}

/**
 * Puts HTTP in front of the services and listens.
 * Throws ConfigError, StoreError, CatalogConflictError, or the system's error when the port is taken.
 */
export async function startServer(config: Config, log: Log): Promise<HearthServer> {
  const services = await openServices(config, log);
  const { now, metrics, store, plans, accounts, keys, catalog, engine } = services;
  let lock: ProcessLock;
  try {
    lock = claimDatabase(config, store, log);
  } catch (error) {
    await services.close(0);
    throw error;
  }
  withdrawServerAddress(config.databaseFile);
  const limiter = new StoredLimiter({
    store,
    plans,
    now,
    onRefusal: (modelId, measure, window) => metrics.limitRefused(modelId, measure, window),
    onOverdue: (err) => log.warn({ err }, 'ended requests cannot be charged yet'),
  });
  const interrupted = orStoreError(config, () => limiter.recoverInterrupted());
  if (interrupted > 0) log.warn({ requests: interrupted }, 'gave back what was in flight when hearth ended');
  const stopRetention = startRetention({
    store,
    ledgerRetentionMs: config.ledgerRetentionMs,
    now,
    onError: (err) => log.error({ err }, 'what is too old could not be deleted'),
  });
  emptyFolder(config.uploadsDir);
  let { models } = config;
  const puller = new ModelPuller({
    catalog,
    folder: config.pulledModelsDir,
    entries: () => models,
    curated: () => loadCuratedModels(curatedModelsFile),
    onEnd: (outcome) => metrics.pullEnded(outcome),
  });
  const upkeep = new ModelUpkeep({
    catalog,
    models: services.models,
    pull: (target, signal) => puller.pull(target, { signal }),
    log,
  });
  let draining = false;
  const transcriber = createTranscriber(services, config, log);
  const app = createApp({
    engine,
    models: services.models,
    transcriber,
    catalog,
    authenticator: createAuthenticator({ store, plans, now }),
    limiter,
    responses: store.responses,
    administration: {
      accounts,
      keys,
      plans,
      models: services.models,
      pulls: puller,
      usage: (query) => queryUsageInSlices(store, query),
    },
    log,
    metrics,
    clock: { nowMs: now },
    settings: {
      jsonBodyLimitBytes: config.jsonBodyLimitBytes,
      audioBodyLimitBytes: config.audioBodyLimitBytes,
      storedResponsesLimitBytes: config.storedResponsesLimitBytes,
      uploadsDir: config.uploadsDir,
      corsOrigins: config.corsOrigins,
      reasoningTokens: config.reasoningTokens,
    },
    health: {
      unready: createReadiness({
        store,
        catalog,
        models: services.models,
        awaited: () => upkeep.awaited,
        log,
      }),
      draining: () => draining,
    },
  });
  const http = createHttpServer(app, log);
  await listen(http, config);
  // Not before: where the port is taken nobody would get to see the first key.
  const baseUrl = baseUrlOf(http.address() as AddressInfo);
  let bootstrap: Bootstrap;
  try {
    bootstrap = orStoreError(config, () =>
      ensureBootstrap({ store, accounts, keys, apiKey: config.bootstrapApiKey }),
    );
    publishServerAddress(config.databaseFile, baseUrl);
  } catch (error) {
    http.close();
    throw error;
  }
  upkeep.start();

  return {
    baseUrl,
    bootstrap,
    catalog,
    reconfigure(next) {
      upkeep.follow(() => catalog.configure(next.models));
      models = next.models;
      plans.replace(next.plans, now());
      return restartSettings(config, next);
    },
    async close() {
      draining = true;
      withdrawServerAddress(config.databaseFile);
      stopRetention();
      const upkept = upkeep.stop();
      const closed = new Promise((resolve) => http.close(resolve));
      // What is being decoded still needs the speech engine.
      const { shutdownGraceMs } = config;
      await Promise.all([engine.close(shutdownGraceMs), transcriber.close(shutdownGraceMs)]);
      await services.closeEngine(0);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, flushMs))]);
      http.closeAllConnections();
      await upkept;
      settleLast(limiter, log);
      store.close();
      lock.release();
    },
  };
}

/** Charges what could not be charged so far; after this it is lost. */
function settleLast(limiter: StoredLimiter, log: Log): void {
  try {
    limiter.settleOverdue();
  } catch (err) {
    log.error({ err }, 'ended requests could not be charged');
  }
}

/** Resolves when `http` takes connections; throws ConfigError where it cannot. */
async function listen(http: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  http.listen(port, host);
  try {
    await once(http, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new ConfigError(
        `port ${port} on ${host} is taken`,
        'stop what uses it, or choose another --port',
      );
    if (code === 'EACCES')
      throw new ConfigError(`port ${port} may not be opened`, 'choose a --port above 1023');
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError(`${host} is no address of this machine`, 'choose another --host');
    throw error;
  }
}

function createTranscriber({ engine }: Services, config: Config, log: Log): FileTranscriber {
  const { ffmpeg, audioLengthLimitMs, queueLimit } = config;
  return new FileTranscriber({
    decoder: new AudioDecoder({ ffmpeg, maxSeconds: audioLengthLimitMs / 1000, log }),
    speech: engine,
    parallel: decodedAudios,
    queueLimit,
    queueTimeoutMs,
  });
}

/** Nobody else serves from here, so what is in it was left by a server that was killed. */
function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder, 0o700);
}

function baseUrlOf({ address, family, port }: AddressInfo): string {
  const anywhere = address === '0.0.0.0' || address === '::';
  const host = anywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}/v1`;
}
