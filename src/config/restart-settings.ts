import { isDeepStrictEqual } from 'node:util';
import type { Config } from './types.ts';

/** Settings that a running server takes over when it reads the configuration again. */
const hotSettings: ReadonlySet<string> = new Set([
  'models',
  'plans',
  'voices',
  'bootstrapApiKey',
] satisfies (keyof Config)[]);

/** Names of the settings in which `next` differs from `current` and that a running server cannot change. */
export function restartSettings(current: Config, next: Config): string[] {
  const names = Object.keys(current) as (keyof Config)[];
  return names.filter((name) => !hotSettings.has(name) && !isDeepStrictEqual(current[name], next[name]));
}
