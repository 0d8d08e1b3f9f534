import { accessSync, constants } from 'node:fs';
import { ConfigError } from '../errors/operator-errors.ts';
import { errorCodeOf } from '../words/describe-error.ts';

/** The same file. Throws ConfigError of the setting `where`, with this hint, where it cannot be read. */
export function readable(file: string, where: string, hint: string): string {
  try {
    accessSync(file, constants.R_OK);
    return file;
  } catch (error) {
    throw new ConfigError(`${where}: ${file} cannot be read (${errorCodeOf(error)})`, hint);
  }
}
