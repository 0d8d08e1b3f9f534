import type { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { JsonObject } from '../env.ts';
import { formatPath } from '../../format-path.ts';
import { toParameterError } from './parameter-error.ts';
import { findIgnoredNames } from './parameter-names.ts';

export interface ParsedParameters<Parameters> {
  readonly parameters: Parameters;
  /** Names that were left alone, for `x-ignored-parameters`. */
  readonly ignored: readonly string[];
}

/**
 * A reusable parser of one route's request object; built once, not per request.
 * It throws the AppError of the first thing that is wrong, names before values. Top-level nulls count as absent.
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

/** An unsupported_value for the parameter at `path`; `remedy` is a whole sentence. */
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
