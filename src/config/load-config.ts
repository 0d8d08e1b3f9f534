import { homedir } from 'node:os';
import path from 'node:path';
import { ConfigError } from './config-error.ts';
import {
  defaultReasoningTokens,
  fileSchema,
  modelKeys,
  type ConfigFile,
  type ModelEntry,
} from './file-schema.ts';
import { defaultDataDir, packageModelsDir, resolvePath, type Environment, type Machine } from './paths.ts';
import { defaultPlans, windowMs, type Plans } from './plans.ts';
import { readConfigFile } from './read-config-file.ts';
import { Secret } from './secret.ts';
import type { Config, ConfiguredModel, LogLevel } from './types.ts';

/** Command-line flags, as text; undefined: not given. */
export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly modelsDir?: readonly string[] | undefined;
  readonly logLevel?: string | undefined;
}

export interface ConfigSources {
  readonly flags: ConfigFlags;
  readonly env: Environment;
  readonly cwd: string;
  /** For tests; default: this one. */
  readonly machine?: Machine;
}

const defaultKeepAliveMs = 30 * 60_000;
const defaultAudioLengthMs = 60 * 60_000;
const defaultRetentionMs = 400 * windowMs.day;

interface Given {
  readonly value: string;
  readonly origin: string;
}

/** The flag's value, else the environment's; an empty variable counts as not set. */
function given(
  flag: string | undefined,
  flagName: string,
  env: Environment,
  name: string,
): Given | undefined {
  if (flag !== undefined) return { value: flag, origin: flagName };
  const value = env[name];
  return value ? { value, origin: name } : undefined;
}

function parseHost({ value, origin }: Given): string {
  if (/^[\w.:%-]+$/.test(value)) return value;
  throw new ConfigError(
    `${origin}: "${value}" is not a host name or address`,
    'such as 127.0.0.1 or 0.0.0.0',
  );
}

function parsePort({ value, origin }: Given): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= 65_535) return port;
  throw new ConfigError(
    `${origin}: "${value}" is not a port`,
    'give a number from 0 to 65535; 0 takes a free one',
  );
}

function parseLogLevel({ value, origin }: Given): LogLevel {
  const result = fileSchema.shape.logLevel.unwrap().safeParse(value);
  if (result.success) return result.data;
  throw new ConfigError(
    `${origin}: "${value}" is not a log level`,
    `give one of ${fileSchema.shape.logLevel.unwrap().options.join(', ')}`,
  );
}

/** Infinity stands for never while a file is read; in the settings never is undefined. */
function finite(durationMs: number): number | undefined {
  return Number.isFinite(durationMs) ? durationMs : undefined;
}

function toModel(entry: ModelEntry, resolve: (file: string) => string): ConfiguredModel {
  const { source } = entry;
  const isRemote = source !== undefined && /^(hf:|https:\/\/)/i.test(source);
  const auto = (value: number | 'auto' | undefined) => (value === 'auto' ? undefined : value);
  return {
    id: entry.id,
    source: source === undefined || isRemote ? source : resolve(source),
    sha256: entry.sha256?.toLowerCase(),
    ownedBy: entry.ownedBy,
    aliases: entry.aliases ?? [],
    reasoning: entry.reasoning === 'auto' ? undefined : entry.reasoning,
    settings: {
      contextTokens: entry.context,
      parallel: entry.parallel ?? 4,
      threads: auto(entry.threads),
      gpuLayers: auto(entry.gpuLayers),
      keepAliveMs: finite(entry.keepAlive ?? defaultKeepAliveMs),
      preload: entry.preload ?? false,
      ...(entry.voiceActivity !== undefined && { voiceActivityModel: resolve(entry.voiceActivity) }),
    },
    extra: Object.fromEntries(Object.entries(entry).filter(([key]) => !modelKeys.has(key))),
  };
}

/** The program called so; `built-in` is none. A bare name is looked for in the PATH, anything else is a path. */
function toFfmpeg(name: string | undefined, resolve: (file: string) => string): string | undefined {
  if (name === 'built-in') return undefined;
  if (name === undefined) return 'ffmpeg';
  return /[/\\]/.test(name) ? resolve(name) : name;
}

/** The default plans, each replaced as a whole where the file names it; a trial without days keeps its 30. */
function toPlans(entries: ConfigFile['plans']): Plans {
  const plans = new Map(defaultPlans);
  for (const [name, entry] of Object.entries(entries ?? {})) {
    const models = Object.entries(entry.models ?? {});
    plans.set(name, {
      durationMs: entry.days === undefined ? defaultPlans.get(name)?.durationMs : entry.days * windowMs.day,
      limits: entry.limits,
      modelLimits: new Map(models.map(([id, model]) => [id, model.limits])),
    });
  }
  return plans;
}

/**
 * All settings: flags over environment over file over defaults.
 * Reads the file, creates nothing. Throws ConfigError.
 */
export function loadConfig({ flags, env, cwd, machine }: ConfigSources): Config {
  const { homeDir, platform } = machine ?? { homeDir: homedir(), platform: process.platform };
  const fromCwd = (file: string) => resolvePath(file, cwd, homeDir);

  const namedFile = given(flags.config, '--config', env, 'HEARTH_CONFIG')?.value;
  const configFile = fromCwd(namedFile ?? 'hearth.yaml');
  const found = readConfigFile(configFile, namedFile !== undefined);
  const file = found ?? {};
  const fromFile = (name: string) => resolvePath(name, path.dirname(configFile), homeDir);

  const host = given(flags.host, '--host', env, 'HEARTH_HOST');
  const port = given(flags.port, '--port', env, 'HEARTH_PORT');
  const logLevel = given(flags.logLevel, '--log-level', env, 'HEARTH_LOG_LEVEL');
  const namedDataDir = given(flags.dataDir, '--data-dir', env, 'HEARTH_DATA_DIR')?.value;
  const fileDataDir = file.dataDir === undefined ? undefined : fromFile(file.dataDir);
  const dataDir =
    namedDataDir === undefined
      ? (fileDataDir ?? defaultDataDir(env, { platform, homeDir }))
      : fromCwd(namedDataDir);

  const envModelsDirs = env['HEARTH_MODELS_DIR']?.split(path.delimiter).filter((dir) => dir !== '');
  const givenModelsDirs =
    (flags.modelsDir?.length ? flags.modelsDir : envModelsDirs)?.map(fromCwd) ??
    [file.modelsDir ?? []].flat().map(fromFile);
  const pulledModelsDir = path.join(dataDir, 'models');
  const demo = file.demo ?? true;

  return {
    configFile: found === undefined ? undefined : configFile,
    host: host === undefined ? (file.host ?? '127.0.0.1') : parseHost(host),
    port: port === undefined ? (file.port ?? 8080) : parsePort(port),
    logLevel: logLevel === undefined ? (file.logLevel ?? 'info') : parseLogLevel(logLevel),
    dataDir,
    databaseFile: path.join(dataDir, 'hearth.db'),
    uploadsDir: path.join(dataDir, 'uploads'),
    pulledModelsDir,
    modelsDirs: [...new Set([...givenModelsDirs, pulledModelsDir, ...(demo ? [packageModelsDir] : [])])],
    demo,
    models: (file.models ?? []).map((entry) => toModel(entry, fromFile)),
    plans: toPlans(file.plans),
    bootstrapApiKey: env['HEARTH_API_KEY'] ? new Secret(env['HEARTH_API_KEY']) : undefined,
    shutdownGraceMs: file.shutdownGrace ?? 30_000,
    loadTimeoutMs: file.loadTimeout ?? 60_000,
    corsOrigins: file.corsOrigins ?? ['http://localhost:*', 'http://127.0.0.1:*'],
    jsonBodyLimitBytes: file.jsonBodyLimit ?? 4 * 2 ** 20,
    audioBodyLimitBytes: file.audioBodyLimit ?? 25 * 2 ** 20,
    storedResponsesLimitBytes: file.storedResponsesLimit ?? 256 * 2 ** 20,
    audioLengthLimitMs: file.audioLengthLimit ?? defaultAudioLengthMs,
    ffmpeg: toFfmpeg(env['HEARTH_FFMPEG'] || file.ffmpeg, env['HEARTH_FFMPEG'] ? fromCwd : fromFile),
    queueLimit: file.queueLimit ?? 256,
    targetGapMs: file.targetGap ?? 100,
    memoryBytes: file.memory === 'auto' ? undefined : file.memory,
    cacheMemoryBytes: file.cacheMemory === 'auto' ? undefined : file.cacheMemory,
    ledgerRetentionMs: finite(file.ledgerRetention ?? defaultRetentionMs),
    reasoningTokens: file.reasoningTokens ?? defaultReasoningTokens,
  };
}
