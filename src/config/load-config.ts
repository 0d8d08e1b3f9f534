import { homedir } from 'node:os';
import path from 'node:path';
import { Secret } from '../accounts/secrets.ts';
import { entryOfFile, toModelEntry, toPlans, unlessAuto, unlessNever } from './file/file-entries.ts';
import { defaultReasoningTokens, type ConfigFile } from './file/file-schema.ts';
import {
  givenModelsDirs,
  givenValue,
  parseHost,
  parseLogLevel,
  parsePort,
  type ConfigFlags,
} from './flags-and-variables.ts';
import { defaultDataDir, packageModelsDir, resolvePath, type Environment, type Machine } from './paths.ts';
import { toMcpServers } from './file/mcp-entry.ts';
import { toProvider } from './file/oidc-entry.ts';
import { ConfigError } from '../errors/operator-errors.ts';
import { inspectModelFile } from '../catalog/files/model-file.ts';
import { readable } from './readable.ts';
import { dataDirIn, readConfigFile } from './file/read-config-file.ts';
import type { Config, TlsSetting } from './types.ts';
import { absoluteSource } from './values/secret-source.ts';
import { toVoices } from './file/voice-entry.ts';
import { isDeepStrictEqual } from 'node:util';

export interface ConfigSources {
  readonly flags: ConfigFlags;
  readonly env: Environment;
  readonly cwd: string;
  /** For tests; default: this one. */
  readonly machine?: Machine;
  /** Told of mistakes in a file that nobody named, of which only `dataDir` counts then; default: thrown. */
  readonly onBrokenFile?: (error: ConfigError) => void;
}

const defaultAudioLengthMs = 60 * 60_000;
const defaultRetentionMs = 400 * 24 * 60 * 60_000;

/** The name or absolute path of ffmpeg; undefined for `built-in`. A name without a slash is looked up in the PATH. */
function toFfmpeg(name: string | undefined, resolve: (file: string) => string): string | undefined {
  if (name === 'built-in') return undefined;
  if (name === undefined) return 'ffmpeg';
  return /[/\\]/.test(name) ? resolve(name) : name;
}

function toSizeLimits(file: ConfigFile) {
  const { jsonBodyLimit, imageBodyLimit, audioBodyLimit, storedResponsesLimit, filesLimit } = file;
  return {
    jsonBodyLimitBytes: jsonBodyLimit ?? 4 * 2 ** 20,
    imageBodyLimitBytes: imageBodyLimit ?? 32 * 2 ** 20,
    audioBodyLimitBytes: audioBodyLimit ?? 25 * 2 ** 20,
    storedResponsesLimitBytes: storedResponsesLimit ?? 256 * 2 ** 20,
    filesLimitBytes: filesLimit ?? 2 ** 30,
  };
}

/** The limits and prices of accounts, and how they and their operator are told. */
const toAccountSettings = (file: ConfigFile, resolve: (name: string) => string) => ({
  plans: toPlans(file.plans),
  prices: file.prices ?? {},
  oidc: toProvider(file.oidc, resolve),
  webhook: file.webhook && { ...file.webhook, secret: absoluteSource(file.webhook.secret, resolve) },
  timeZone: file.timeZone,
});

/** Paths of the database and of the folders in the data folder. */
const placesIn = (dataDir: string) => ({
  databaseFile: path.join(dataDir, 'hearth.db'),
  uploadsDir: path.join(dataDir, 'uploads'),
  filesDir: path.join(dataDir, 'files'),
  voicesDir: path.join(dataDir, 'voices'),
  pulledModelsDir: path.join(dataDir, 'models'),
});

/** The models of the folders, of the demo unless that is hidden, and of the entries. */
function servedModels({ demo = true }: ConfigFile, models: Config['models'], folders: readonly string[]) {
  return { modelsDirs: [...new Set([...folders, ...(demo ? [packageModelsDir] : [])])], demo, models };
}

const oneModel = (modelFile: string, entries: Config['models']) => ({
  modelsDirs: [],
  demo: false,
  models: [entryOfFile(checkedModel(readable(modelFile, '--model', ggufHint)), entries)],
});

const ggufHint = 'name a GGUF file';

/** The same file. Throws ConfigError where it is no model that can be served. */
function checkedModel(file: string): string {
  const inspection = inspectModelFile(file);
  if (inspection.outcome === 'model' && inspection.facts.splitIndex === 0) return file;
  const { outcome } = inspection;
  const other = outcome === 'model' ? 'it is a later part of a model' : 'it is a projector';
  const reason = outcome === 'skipped' ? inspection.reason : other;
  throw new ConfigError(`--model: ${file} cannot be served: ${reason}`, ggufHint);
}

/** The address to listen on. Throws ConfigError where other machines reach it, although no key is needed. */
function toHost(flags: ConfigFlags, env: Environment, file: ConfigFile): string {
  const host = givenValue('host', flags, env);
  const named = host === undefined ? (file.host ?? '127.0.0.1') : parseHost(host);
  const address = flags.lan === true ? '0.0.0.0' : named;
  if (flags.key !== false || /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(address)) return address;
  throw new ConfigError(
    `--no-key: other machines reach ${address}`,
    'leave --lan and the host out, or have every program use a key',
  );
}

/** The setting with absolute paths. */
function toTls(tls: ConfigFile['tls'], resolve: (name: string) => string): TlsSetting | undefined {
  return typeof tls === 'object' ? { cert: resolve(tls.cert), key: resolve(tls.key) } : tls;
}

function readFile(
  file: string,
  given: boolean,
  onBrokenFile: ConfigSources['onBrokenFile'],
): ConfigFile | undefined {
  try {
    return readConfigFile(file, given);
  } catch (error) {
    if (!(error instanceof ConfigError) || given || onBrokenFile === undefined) throw error;
    onBrokenFile(error);
    const dataDir = dataDirIn(file);
    return dataDir === undefined ? {} : { dataDir };
  }
}

/** All settings: flags over environment over file over defaults. Creates nothing. Throws ConfigError. */
export function loadConfig({ flags, env, cwd, machine, onBrokenFile }: ConfigSources): Config {
  const { homeDir, platform } = machine ?? { homeDir: homedir(), platform: process.platform };
  const fromCwd = (name: string) => resolvePath(name, cwd, homeDir);
  const namedFile = givenValue('config', flags, env)?.value;
  const configFile = fromCwd(namedFile ?? 'hearth.yaml');
  const found = readFile(configFile, namedFile !== undefined, onBrokenFile);
  const file = found ?? {};
  const fromFile = (name: string) => resolvePath(name, path.dirname(configFile), homeDir);

  const [port, logLevel] = [givenValue('port', flags, env), givenValue('logLevel', flags, env)];
  const namedDataDir = givenValue('dataDir', flags, env)?.value;
  const fileDataDir = file.dataDir === undefined ? undefined : fromFile(file.dataDir);
  const dataDir =
    namedDataDir === undefined
      ? (fileDataDir ?? defaultDataDir(env, { platform, homeDir }))
      : fromCwd(namedDataDir);

  const ownModelsDirs =
    givenModelsDirs(flags, env)?.map(({ value }) => fromCwd(value)) ??
    [file.modelsDir ?? []].flat().map(fromFile);
  const places = placesIn(dataDir);
  const entries = (file.models ?? []).map((entry) => toModelEntry(entry, fromFile, env));

  return {
    configFile: found === undefined ? undefined : configFile,
    configPlace: configFile,
    host: toHost(flags, env, file),
    port: port === undefined ? (file.port ?? 8080) : parsePort(port),
    tls: toTls(file.tls, fromFile),
    logLevel: logLevel === undefined ? (file.logLevel ?? 'info') : parseLogLevel(logLevel),
    dataDir,
    ...places,
    ...(flags.modelFile === undefined
      ? servedModels(file, entries, [...ownModelsDirs, places.pulledModelsDir])
      : oneModel(fromCwd(flags.modelFile), entries)),
    mcp: toMcpServers(file.mcp, fromFile),
    voices: toVoices(file.voices, fromFile),
    ...toAccountSettings(file, fromFile),
    bootstrapApiKey: env['HEARTH_API_KEY'] ? new Secret(env['HEARTH_API_KEY']) : undefined,
    shutdownGraceMs: file.shutdownGrace ?? 30_000,
    loadTimeoutMs: file.loadTimeout ?? 60_000,
    corsOrigins: file.corsOrigins ?? ['http://localhost:*', 'http://127.0.0.1:*'],
    ollamaKey: file.ollamaKey,
    noKey: flags.key === false,
    ...toSizeLimits(file),
    imageUrls: file.imageUrls ?? false,
    audioLengthLimitMs: file.audioLengthLimit ?? defaultAudioLengthMs,
    ffmpeg: toFfmpeg(env['HEARTH_FFMPEG'] || file.ffmpeg, env['HEARTH_FFMPEG'] ? fromCwd : fromFile),
    isolation: file.isolation,
    queueLimit: file.queueLimit ?? 256,
    targetGapMs: file.targetGap ?? 200,
    memoryBytes: unlessAuto(file.memory),
    cacheMemoryBytes: unlessAuto(file.cacheMemory),
    gpuMemoryBytes: unlessAuto(file.gpuMemory),
    ledgerRetentionMs: unlessNever(file.ledgerRetention ?? defaultRetentionMs),
    auditRetentionMs: unlessNever(file.auditRetention ?? defaultRetentionMs),
    reasoningTokens: file.reasoningTokens ?? defaultReasoningTokens,
  };
}

/** Settings that a running server takes over when it reads the configuration again. */
const hotSettings: ReadonlySet<string> = new Set([
  'configFile',
  'models',
  'plans',
  'prices',
  'voices',
  'bootstrapApiKey',
] satisfies (keyof Config)[]);

/** Names of the settings in which `next` differs from `current` and that a running server cannot change. */
export function restartSettings(current: Config, next: Config): string[] {
  const names = Object.keys(current) as (keyof Config)[];
  return names.filter((name) => !hotSettings.has(name) && !isDeepStrictEqual(current[name], next[name]));
}
