import type { z } from 'zod';
import { AppError } from '../../errors/errors.ts';
import type { JsonObject } from '../env.ts';
import { formatPath } from '../../words/format-path.ts';
import { toParameterError } from './parameter-error.ts';
import { findIgnoredNames } from './parameter-names.ts';

export interface ParsedParameters<Parameters> {
  readonly parameters: Parameters;
  /** Unknown names that were ignored, for the header `x-ignored-parameters`. */
  readonly ignored: readonly string[];
}

/**
 * A parser of one route's request object, to be created once and not per request. It throws the AppError of the first
 * error, names before values. A null parameter counts as absent.
 */
export function createParameterParser<Schema extends z.ZodObject>(
  schema: Schema,
): (body: JsonObject) => ParsedParameters<z.output<Schema>> {
  const known: ReadonlySet<string> = new Set(Object.keys(schema.shape));
  return (body) => {
    const ignored = findIgnoredNames(body, known);
    const given = withoutNulls(body);
    const result = schema.safeParse(given);
    if (!result.success) throw toParameterError(result.error, given);
    return { parameters: result.data, ignored };
  };
}

/** An unsupported_value error for the parameter at `path`; `remedy` is a whole sentence. */
export function unsupported(path: readonly PropertyKey[], remedy: string): AppError {
  const param = formatPath(path);
  return new AppError('unsupported_value', `'${param}' has a value that is not supported here. ${remedy}`, {
    param,
  });
}

function withoutNulls(body: JsonObject): JsonObject {
  for (const name in body) {
    if (body[name] === null) {
      return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    }
  }
  return body;
}
