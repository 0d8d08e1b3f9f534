import { ConfigError } from '../errors/operator-errors.ts';
import type { LogLevel } from '../telemetry/log.ts';
import { fileSchema } from './file-schema.ts';
import type { Environment } from './paths.ts';

/** A setting as text, and the flag or the variable that it comes from. */
export interface GivenValue {
  readonly value: string;
  readonly origin: string;
}

/** The flag's value, else that of the environment variable; an empty variable counts as not set. */
export function givenValue(
  flag: string | undefined,
  flagName: string,
  env: Environment,
  variable: string,
): GivenValue | undefined {
  if (flag !== undefined) return { value: flag, origin: flagName };
  const value = env[variable];
  return value ? { value, origin: variable } : undefined;
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
