import { AppError } from '../errors.ts';
import type { AppContext, JsonObject } from './env.ts';

/** The query's parameters as one object of strings; throws invalid_value when one is given twice. */
export function queryParameters(c: AppContext): JsonObject {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (parameters.has(name)) {
      const shown = name.slice(0, 64);
      throw new AppError('invalid_value', `'${shown}' is given more than once. Give it once.`, {
        param: shown,
      });
    }
    parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}
