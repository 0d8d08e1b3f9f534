import { AppError } from '../../errors/errors.ts';
import type { AppContext, JsonObject } from '../env.ts';
import { toIgnoredHeader } from './parameter-names.ts';
import type { ParsedParameters } from './validate.ts';

type Parser<Parameters> = (given: JsonObject) => ParsedParameters<Parameters>;

/** The checked parameters of the body. A header of the response lists the ignored names. */
export function readBody<Parameters>(c: AppContext, parse: Parser<Parameters>): Parameters {
  return read(c, parse, c.get('body'));
}

/** The checked parameters of the query. A header of the response lists the ignored names. */
export function readQuery<Parameters>(c: AppContext, parse: Parser<Parameters>): Parameters {
  return read(c, parse, queryParameters(c));
}

function read<Parameters>(c: AppContext, parse: Parser<Parameters>, given: JsonObject): Parameters {
  const { parameters, ignored } = parse(given);
  nameIgnored(c, ignored);
  return parameters;
}

/** Lists `names` in a header of the response, after those that were listed before. */
export function nameIgnored(c: AppContext, names: readonly string[]): void {
  if (names.length === 0) return;
  const all = [...c.get('ignored'), ...names];
  c.set('ignored', all);
  c.header('x-ignored-parameters', toIgnoredHeader(all));
}

/**
 * The parameters of the query: strings, and lists of strings for names that end in `[]`. Throws invalid_value if any
 * other name is given twice.
 */
function queryParameters(c: AppContext): JsonObject {
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
