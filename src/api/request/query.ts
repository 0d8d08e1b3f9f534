import { AppError } from '../../errors.ts';
import type { AppContext, JsonObject } from '../env.ts';

/**
 * The query's parameters as one object of strings, and of lists of them for names that end in `[]`; throws
 * invalid_value when any other is given twice.
 */
export function queryParameters(c: AppContext): JsonObject {
  const parameters = new Map<string, string | string[]>();
  for (const [name, value] of new URL(c.req.url).searchParams) {
    const given = parameters.get(name);
    if (Array.isArray(given)) given.push(value);
    else if (name.endsWith('[]')) parameters.set(name, [value]);
    else if (given !== undefined) {
      const shown = name.slice(0, 64);
      throw new AppError('invalid_value', `'${shown}' is given more than once. Give it once.`, {
        param: shown,
      });
    } else parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}
