import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { SettingValue } from '../../mcp/server-spec.ts';
import type { Environment } from '../paths.ts';

const text = z.string().min(1);
/** A key that was written in place of its variable's name has other characters, and would be printed as missing. */
const variable = z.string().regex(/^[A-Za-z_]\w*$/, {
  error: 'must be the name of a variable, as in { env: NAME } or { file: PATH }',
});

/** Where a secret stands, which is not the configuration itself. */
export const secretSource = z.union([z.strictObject({ env: variable }), z.strictObject({ file: text })], {
  error: 'must be { env: NAME } or { file: PATH }, so that the key itself does not stand here',
});

/** A text that is no secret, or where a secret stands. */
export const settingValue = z.union([z.string(), secretSource], {
  error: 'must be a text, { env: NAME } or { file: PATH }',
});

/** The same, with an absolute path of a file. */
export const absoluteSource = (source: SettingValue, resolve: (file: string) => string): SettingValue =>
  typeof source === 'object' && 'file' in source ? { file: resolve(source.file) } : source;

/** The value now; undefined where there is none. A file's path is absolute. */
export function readSetting(value: SettingValue, env: Environment): string | undefined {
  if (typeof value === 'string') return value;
  if ('env' in value) return env[value.env] || undefined;
  try {
    return readFileSync(value.file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
