import type { z } from 'zod';
import { invalidValue } from '../../errors/errors.ts';
import type { AppContext, JsonObject } from '../env.ts';
import { toIgnoredHeader } from './parameter-names.ts';
import { createParser, type ParsedParameters } from './validate.ts';

type Parser<Parameters> = (given: JsonObject) => ParsedParameters<Parameters>;

/** The parameters that a route takes: their schema, or a parser that does more. */
type Taken<Parameters> = (z.ZodObject & z.ZodType<Parameters>) | Parser<Parameters>;

/** The checked parameters of the body. A header of the response lists the ignored names. */
export function readBody<Parameters>(c: AppContext, taken: Taken<Parameters>): Parameters {
  return read(c, taken, c.get('body'));
}

/** The checked parameters of the query. A header of the response lists the ignored names. */
export function readQuery<Parameters>(c: AppContext, taken: Taken<Parameters>): Parameters {
  return read(c, taken, queryParameters(c));
}

/** Made by the first request each. */
const parsers = new WeakMap<z.ZodObject, Parser<unknown>>();

function read<Parameters>(c: AppContext, taken: Taken<Parameters>, given: JsonObject): Parameters {
  const parse = typeof taken === 'function' ? taken : (parsers.get(taken) ?? createParser(taken));
  if (typeof taken !== 'function') parsers.set(taken, parse);
  const { parameters, ignored } = parse(given);
  nameIgnored(c, ignored);
  return parameters as Parameters;
}

/** Lists `names` in a header of the response, after those that were listed before. */
export function nameIgnored(c: AppContext, names: readonly string[]): void {
  if (names.length === 0) return;
  const all = [...c.get('ignored'), ...names];
  c.set('ignored', all);
  c.header('x-ignored-parameters', toIgnoredHeader(all));
}

/** The query: strings, and lists for names that end in `[]`. Throws invalid_value if another name comes twice. */
function queryParameters(c: AppContext): JsonObject {
  const parameters = new Map<string, string | string[]>();
  for (const [name, value] of new URL(c.req.url).searchParams) {
    const given = parameters.get(name);
    if (Array.isArray(given)) given.push(value);
    else if (name.endsWith('[]')) parameters.set(name, [value]);
    else if (given !== undefined) {
      const shown = name.slice(0, 64);
      throw invalidValue(shown, `'${shown}' is given more than once. Give it once.`);
    } else parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}

/** The `:id` in the path of the route. */
export const idIn = (c: AppContext): string => c.req.param('id') ?? '';
