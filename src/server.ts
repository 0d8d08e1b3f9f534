import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { createAuthenticator } from './accounts/authenticator.ts';
import { ensureBootstrap, ensureKeylessKey, type Bootstrap } from './accounts/bootstrap.ts';
import { SignInCodes } from './accounts/sign-in/sign-in-codes.ts';
import { createApp } from './api/app.ts';
import { sendLinesTo } from './api/batches/routes.ts';
import { RemotePictures } from './api/attachments/remote-pictures.ts';
import type { AppDeps } from './api/env.ts';
import { createHttpServer } from './api/http-server.ts';
import { KeptStreams } from './api/streams/kept-streams.ts';
import { openAdministration, openProvider } from './assembly/open-administration.ts';
import { openBatches, type OpenBatches } from './assembly/open-batches.ts';
import { openNotices, type OpenNotices } from './assembly/open-notices.ts';
import type { LiveCatalog } from './catalog/catalog.ts';
import { claimDatabase, orStoreError } from './upkeep/claim-database.ts';
import { EntrySettings } from './config/file/model-settings.ts';
import { restartSettings } from './config/load-config.ts';
import type { Config } from './config/types.ts';
import { AudioDecoder } from './engine/audio/audio-decoder.ts';
import { SoundEncoder } from './engine/audio/sound-encoder.ts';
import { DocumentReader } from './documents/document-reader.ts';
import { FileTranscriber } from './engine/speech/file-transcriber.ts';
import type { FileLibrary } from './files/file-library.ts';
import { followCatalog } from './assembly/open-catalog.ts';
import { openMcpServers } from './assembly/open-mcp-servers.ts';
import { openServices, type Services } from './assembly/services.ts';
import { openVoices } from './assembly/open-voices.ts';
import type { McpServers } from './mcp/mcp-servers.ts';
import { makeFolder } from './private-files.ts';
import { StoredLimiter } from './limits/limiter.ts';
import { createReadiness, unavailableModels } from './upkeep/readiness.ts';
import { keepCachesSwept, keptCachesPlace } from './upkeep/kept-caches.ts';
import { startRetention } from './upkeep/retention.ts';
import { ServerUpkeep } from './upkeep/server-upkeep.ts';
import { queueTimeoutMs } from './assembly/open-engine.ts';
import { openCertificates, type Certificates } from './upkeep/certificates.ts';
import { listen } from './upkeep/listen.ts';
import { openStore } from './store/store.ts';
import type { ProcessLock } from './store/process-lock.ts';
import { publishServerAddress, withdrawServerAddress } from './store/server-address.ts';
import type { Log } from './telemetry/log.ts';

/** How long the last events of ended streams have to leave once the engine is closed. */
const flushMs = 500;
/** How long requests that write wait while another program locks the database. */
const longestLockMs = 15_000;
/** Audios in memory at a time, being decoded or transcribed: enough that no model waits for the next one. */
const decodedAudios = 6;

/** A server that listens. */
export interface HearthServer {
  /** Base address that clients are given, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  /** SHA-256 of the TLS certificate; undefined: plain HTTP. */
  readonly fingerprint: string | undefined;
  /**
   * A new link to the page. It signs in whoever opens it, once and within ten minutes. It is for browsers on this
   * machine, or for those that reach the machine as `host`.
   */
  pageLink(host?: string): string;
  readonly bootstrap: Bootstrap;
  readonly catalog: LiveCatalog;
  /** Requests that a model works for, or that wait for one. */
  runningRequests(): number;
  /**
   * Puts other models, voices and plans into force from the next request on; balances keep their level, and models in use
   * finish as they are. Resolves with the other settings that differ: they need a new start. Rejects
   * with CatalogConflictError, and then nothing has changed.
   */
  reconfigure(next: Config): Promise<readonly string[]>;
  /** Takes no new work, lets running answers finish for as long as the configuration says, frees everything. */
  close(): Promise<void>;
}

/**
 * Puts HTTP in front of the services and listens. `readConfig` reads the configuration again. Throws ConfigError, StoreError,
 * CatalogConflictError, or the system's error, and then nothing is left open.
 */
export async function startServer(config: Config, log: Log, readConfig: () => Config): Promise<HearthServer> {
  const certificates = config.tls && (await openCertificates(config.tls, config.dataDir));
  const claimed = await openClaimed(config, log);
  const { services } = claimed;
  withdrawServerAddress(config.databaseFile);
  const { http, upkeep, signInCodes, begin, close } = releasedOnError(claimed, () =>
    assemble({ config, readConfig, log, claimed, certificates }),
  );
  try {
    const baseUrl = await listen(http, config);
    const bootstrap = announce(config, services, baseUrl);
    services.store.serve();
    begin();
    return {
      baseUrl,
      fingerprint: certificates?.fingerprint,
      pageLink(host) {
        const url = new URL('/', baseUrl);
        if (host !== undefined) url.hostname = host;
        return `${url.href}#code=${signInCodes.create()}`;
      },
      bootstrap,
      catalog: services.catalog,
      runningRequests: () => services.store.admissions.list().length,
      async reconfigure(next) {
        await upkeep.reconfigure(next);
        return restartSettings(config, next);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface ServerParts {
  readonly config: Config;
  readonly readConfig: () => Config;
  readonly log: Log;
  readonly claimed: Claimed;
  readonly certificates: Certificates | undefined;
}

/** The HTTP server, which does not listen yet, and all that works beside it. */
function assemble({ config, readConfig, log, claimed: { services, lock }, certificates }: ServerParts) {
  const notices = openNotices(config, services, certificates, log);
  const limiter = openLimiter(config, services, notices, log);
  const batching = openBatches(config, services, log);
  const stopRetention = keepRetention(config, services, batching.files, log);
  emptyFolder(config.uploadsDir);
  const upkeep = new ServerUpkeep(config, services, log);
  const stopSweeping = sweepCaches(config, services, upkeep, log);
  const fileReaders = openFileReaders(config, services, log);
  const mcp = openMcpServers(config, log);
  const drain = { hasBegun: false };
  const signInCodes = new SignInCodes(services);
  const streams = new KeptStreams();
  const app = createApp(
    toAppDeps({
      config,
      readConfig,
      services,
      log,
      limiter,
      notices,
      fileReaders,
      mcp,
      upkeep,
      drain,
      signInCodes,
      batching,
      streams,
    }),
  );
  const http = createHttpServer(app, log, { tls: certificates?.current });
  const stopRenewal = renewCertificate(http, certificates, log);
  const close = async (): Promise<void> => {
    drain.hasBegun = true;
    streams.needReaders();
    withdrawServerAddress(config.databaseFile);
    stopRetention();
    stopRenewal();
    services.catalog.close();
    const upkept = upkeep.models.stop();
    await batching.runner.stop();
    const closed = new Promise((resolve) => http.close(resolve));
    await endWork(config, services, fileReaders);
    await mcp.close();
    await stopSweeping();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, flushMs))]);
    http.closeAllConnections();
    await upkept;
    settleLast(limiter, log);
    await notices.stop();
    services.store.close();
    lock.release();
  };
  const begin = () => {
    notices.start();
    upkeep.models.start();
    batching.runner.start(sendLinesTo(app));
  };
  return { http, upkeep, signInCodes, begin, close };
}

/** The result of `work`. Where it throws, the database is closed and its lock given back. */
function releasedOnError<Result>({ services, lock }: Claimed, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    services.store.close();
    lock.release();
    throw error;
  }
}

/** Presents a certificate whose files have changed to new connections, until the function that comes back is called. */
function renewCertificate(http: Server, certificates: Certificates | undefined, log: Log): () => void {
  if (!(http instanceof TlsServer) || certificates === undefined) return () => undefined;
  return certificates.watch(
    (pair) => {
      http.setSecureContext(pair);
      log.info('the TLS certificate was read again');
    },
    (err) => log.error({ err }, 'the TLS certificate stays as it was'),
  );
}

interface Claimed {
  readonly services: Services;
  readonly lock: ProcessLock;
}

/**
 * The services, and the lock of their database, which is claimed before anything reads it. Throws as `openServices` and
 * `claimDatabase`, and then both are closed.
 */
async function openClaimed(config: Config, log: Log): Promise<Claimed> {
  const store = openStore(config.databaseFile);
  let lock: ProcessLock | undefined;
  try {
    lock = claimDatabase(config, store, log);
    if (store.migrated !== undefined)
      log.info(store.migrated, `migrated the database; what it was before lies in ${store.migrated.copy}`);
    const place = keptCachesPlace(config, store);
    return { services: await openServices(config, log, store, place, followCatalog), lock };
  } catch (error) {
    store.close();
    lock?.release();
    throw error;
  }
}

/** The limiter, once it has closed the requests in flight when the server before ended. */
function openLimiter(
  config: Config,
  { store, plans, now, metrics }: Services,
  notices: OpenNotices,
  log: Log,
): StoredLimiter {
  const limiter = new StoredLimiter({
    store,
    plans,
    now,
    onRefusal: (modelId, measure, window) => metrics.limitRefused(modelId, measure, window),
    onSpent: notices.onSpent,
    onOverdue: (err) => {
      log.warn({ err }, 'what requests used cannot be written yet');
      notices.onUnwritable();
    },
  });
  const interrupted = orStoreError(config, () => limiter.recoverInterrupted());
  if (interrupted > 0) log.warn({ requests: interrupted }, 'closed what was in flight when hearth ended');
  return limiter;
}

function keepRetention(
  { ledgerRetentionMs, auditRetentionMs }: Config,
  { store, now }: Services,
  files: FileLibrary,
  log: Log,
): () => void {
  const onError = (err: unknown) => log.error({ err }, 'what is too old could not be deleted');
  return startRetention({ store, files, ledgerRetentionMs, auditRetentionMs, now, onError });
}

function sweepCaches(config: Config, { store }: Services, upkeep: ServerUpkeep, log: Log) {
  return keepCachesSwept({
    place: keptCachesPlace(config, store),
    store,
    models: () => upkeep.entries,
    onError: (err) => log.error({ err }, 'kept caches that are not needed any more could not be deleted'),
  });
}

/** A function that gives the id of the key of requests without one. The first such request has it looked up or made. */
function keylessKeyOf(services: Services): () => string {
  let id: string | undefined;
  return () => (id ??= ensureKeylessKey(services));
}

interface AppParts extends Pick<ServerParts, 'config' | 'readConfig'> {
  readonly services: Services;
  readonly log: Log;
  readonly limiter: StoredLimiter;
  readonly notices: OpenNotices;
  readonly fileReaders: FileReaders;
  readonly mcp: McpServers;
  readonly upkeep: ServerUpkeep;
  readonly signInCodes: SignInCodes;
  readonly drain: { readonly hasBegun: boolean };
  readonly batching: OpenBatches;
  readonly streams: KeptStreams;
}

function toAppDeps(parts: AppParts): AppDeps {
  const { config, readConfig, services, log, limiter, notices, fileReaders, mcp } = parts;
  const { upkeep, drain, signInCodes, batching, streams } = parts;
  const { now, metrics, store, plans, catalog, engine, models } = services;
  return {
    engine,
    models,
    ...fileReaders,
    sounds: new SoundEncoder(config.ffmpeg),
    voices: openVoices(config, catalog, () => upkeep.voices, log),
    mcp,
    catalog,
    authenticator: createAuthenticator({ store, plans, now }),
    limiter,
    responses: store.responses,
    files: batching.files,
    batches: batching.batches,
    streams,
    signingKey: store.readSigningKey(),
    administration: {
      ...openAdministration(config, services, limiter),
      notices: notices.notices,
      pulls: upkeep.puller,
      signInCodes,
      provider: openProvider(config, services, signInCodes),
      modelSettings: new EntrySettings(config.configPlace, () => upkeep.reconfigure(readConfig())),
    },
    log,
    metrics,
    clock: { nowMs: now },
    settings: { ...config, keylessKeyId: config.noKey ? keylessKeyOf(services) : undefined },
    remotePictures: config.imageUrls ? new RemotePictures() : undefined,
    health: {
      unready: createReadiness({ store, catalog, models, awaited: () => upkeep.models.awaited, log }),
      unavailable: () => unavailableModels({ catalog, models }),
      draining: () => drain.hasBegun,
      writable: () => store.whenUnlocked(longestLockMs),
    },
  };
}

/**
 * The first key, and the address where other programs find the server. Not before the server listens: where the port
 * is taken nobody would see the key. Throws StoreError.
 */
function announce(config: Config, { store, accounts, keys }: Services, baseUrl: string): Bootstrap {
  const bootstrap = orStoreError(config, () =>
    ensureBootstrap({ store, accounts, keys, apiKey: config.bootstrapApiKey }),
  );
  publishServerAddress(config.databaseFile, baseUrl);
  return bootstrap;
}

/** Lets running answers and transcriptions finish for as long as the configuration says, then frees all models. */
async function endWork(
  { shutdownGraceMs }: Config,
  services: Services,
  { transcriber, documents }: FileReaders,
): Promise<void> {
  const endsAtMs = performance.now() + shutdownGraceMs;
  // Audio that is being decoded needs the engine after that, so the engine is closed last. Nothing new reaches it.
  await transcriber.close(shutdownGraceMs);
  await services.engine.close(Math.max(0, endsAtMs - performance.now()));
  await Promise.all([services.closeEngine(0), documents.close()]);
}

/** Charges the use that could not be charged so far; after this it is lost. */
function settleLast(limiter: StoredLimiter, log: Log): void {
  try {
    limiter.settleOverdue();
    limiter.writeRefusals();
  } catch (err) {
    log.error({ err }, 'ended requests could not be charged');
  }
}

/** The readers of files that clients send, in processes of their own. */
const openFileReaders = (config: Config, services: Services, log: Log) => ({
  transcriber: createTranscriber(config, services, log),
  documents: new DocumentReader(log),
});

type FileReaders = ReturnType<typeof openFileReaders>;

function createTranscriber(config: Config, { engine }: Services, log: Log): FileTranscriber {
  const { ffmpeg, audioLengthLimitMs, queueLimit } = config;
  return new FileTranscriber({
    decoder: new AudioDecoder({ ffmpeg, maxSeconds: audioLengthLimitMs / 1000, log }),
    speech: engine,
    parallel: decodedAudios,
    queueLimit,
    queueTimeoutMs,
  });
}

/** Only this server uses the folder, so files in it were left by one that was killed. */
function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder, 0o700);
}
