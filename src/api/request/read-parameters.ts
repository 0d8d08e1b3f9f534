import type { AppContext, JsonObject } from '../env.ts';
import { toIgnoredHeader } from './parameter-names.ts';
import { queryParameters } from './query.ts';
import type { ParsedParameters } from './validate.ts';

type Parser<Parameters> = (given: JsonObject) => ParsedParameters<Parameters>;

/** The checked body; names that mean nothing here are told in the response. */
export function readBody<Parameters>(c: AppContext, parse: Parser<Parameters>): Parameters {
  return read(c, parse, c.get('body'));
}

/** The checked query; names that mean nothing here are told in the response. */
export function readQuery<Parameters>(c: AppContext, parse: Parser<Parameters>): Parameters {
  return read(c, parse, queryParameters(c));
}

function read<Parameters>(c: AppContext, parse: Parser<Parameters>, given: JsonObject): Parameters {
  const { parameters, ignored } = parse(given);
  if (ignored.length > 0) c.header('x-ignored-parameters', toIgnoredHeader(ignored));
  return parameters;
}
