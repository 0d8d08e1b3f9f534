import path from 'node:path';
import { ConfigError } from '../errors/operator-errors.ts';
import type { LogLevel } from '../telemetry/log.ts';
import { nearestNames } from '../words/nearest-names.ts';
import { fileSchema } from './file/file-schema.ts';
import type { Environment } from './paths.ts';

/** Command-line flags, as text; undefined: not given. */
export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly host?: string | undefined;
  readonly lan?: boolean | undefined;
  readonly port?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly modelsDir?: readonly string[] | undefined;
  readonly logLevel?: string | undefined;
  readonly modelFile?: string | undefined;
  /** False: programs on this machine need no key. */
  readonly key?: boolean | undefined;
}

/** A setting as text, and the flag or the variable that it comes from. */
export interface GivenValue {
  readonly value: string;
  readonly origin: string;
}

/** The settings that have both a flag and a variable. */
const settingNames = {
  config: { flag: '--config', variable: 'HEARTH_CONFIG' },
  host: { flag: '--host', variable: 'HEARTH_HOST' },
  port: { flag: '--port', variable: 'HEARTH_PORT' },
  dataDir: { flag: '--data-dir', variable: 'HEARTH_DATA_DIR' },
  modelsDir: { flag: '--models-dir', variable: 'HEARTH_MODELS_DIR' },
  logLevel: { flag: '--log-level', variable: 'HEARTH_LOG_LEVEL' },
} as const;

/** Variables without a flag: of the server, of an installation, and of this checkout's scripts and tests. */
const otherVariables = [
  'HEARTH_API_KEY',
  'HEARTH_FFMPEG',
  'HEARTH_STEPPER',
  'HEARTH_MTMD',
  'HEARTH_GPU',
  'HEARTH_WHISPER_GPU',
  'HEARTH_URL',
  'HEARTH_PACKAGE',
  'HEARTH_TEST_REPORT',
];

/** A complaint for each variable that begins with HEARTH_ and is none of hearth's, with the nearest one that is. */
export function unknownVariables(env: Environment): string[] {
  const prefix = 'HEARTH_';
  const known = [...Object.values(settingNames).map(({ variable }) => variable), ...otherVariables];
  const unknown = Object.keys(env).filter((name) => name.startsWith(prefix) && !known.includes(name));
  const bare = known.map((name) => name.slice(prefix.length));
  return unknown.map((name) => {
    const [near] = nearestNames(name.slice(prefix.length), bare, 1);
    const suggestion = near === undefined ? '' : ` (did you mean ${prefix}${near}?)`;
    return `the variable ${name} is none of hearth's${suggestion}`;
  });
}

/** The flag's value, else that of the environment variable; an empty variable counts as not set. */
export function givenValue(
  name: Exclude<keyof typeof settingNames, 'modelsDir'>,
  flags: ConfigFlags,
  env: Environment,
): GivenValue | undefined {
  const { flag, variable } = settingNames[name];
  const given = flags[name];
  if (given !== undefined) return { value: given, origin: flag };
  const value = env[variable];
  return value ? { value, origin: variable } : undefined;
}

/** The folders of models that flags name, else those of the environment variable; undefined: neither names any. */
export function givenModelsDirs(
  { modelsDir }: ConfigFlags,
  env: Environment,
): readonly GivenValue[] | undefined {
  const { flag, variable } = settingNames.modelsDir;
  if (modelsDir?.length) return modelsDir.map((value) => ({ value, origin: flag }));
  return env[variable]
    ?.split(path.delimiter)
    .filter((value) => value !== '')
    .map((value) => ({ value, origin: variable }));
}

export function parseHost({ value, origin }: GivenValue): string {
  if (/^[\w.:%-]+$/.test(value)) return value;
  throw new ConfigError(
    `${origin}: "${value}" is not a host name or address`,
    'such as 127.0.0.1 or 0.0.0.0',
  );
}

export function parsePort({ value, origin }: GivenValue): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= 65_535) return port;
  throw new ConfigError(
    `${origin}: "${value}" is not a port`,
    'give a number from 0 to 65535; 0 takes a free one',
  );
}

export function parseLogLevel({ value, origin }: GivenValue): LogLevel {
  const levels = fileSchema.shape.logLevel.unwrap();
  const result = levels.safeParse(value);
  if (result.success) return result.data;
  throw new ConfigError(
    `${origin}: "${value}" is not a log level`,
    `give one of ${levels.options.join(', ')}`,
  );
}
