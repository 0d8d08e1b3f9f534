import { z } from 'zod';
import { knownKeys } from '../../config/values/known-keys.ts';
import { AppError, type ErrorCode } from '../../errors/errors.ts';
import type { JsonObject } from '../env.ts';
import { formatPath } from '../../words/format-path.ts';
import { nearestNames } from '../../words/nearest-names.ts';
import { toParameterError } from './parameter-error.ts';
import { knownNamesOf, type KnownNames } from './known-names.ts';
import { findIgnoredNames } from './parameter-names.ts';

/** Of a name that nobody knows: it may have any length. */
const mostShownChars = 64;

export interface ParsedParameters<Parameters> {
  readonly parameters: Parameters;
  /** Unknown names that were ignored, for the header `x-ignored-parameters`. */
  readonly ignored: readonly string[];
}

/** A parser of `schema`: where that is strict, it ignores nothing. */
export function createParser<Schema extends z.ZodObject>(schema: Schema) {
  return schema.def.catchall instanceof z.ZodNever
    ? createStrictParser(schema)
    : createParameterParser(schema);
}

/** A parser of one route's body, made once. Throws the AppError of its first error. A null counts as absent. */
export function createParameterParser<Schema extends z.ZodObject>(
  schema: Schema,
): (body: JsonObject) => ParsedParameters<z.output<Schema>> {
  // Made by the first request: components of the schema may come from modules that are loaded later.
  let known: KnownNames | undefined;
  return (body) => {
    known ??= knownNamesOf(schema);
    const ignored = findIgnoredNames(body, known);
    const given = withoutNulls(body);
    const result = schema.safeParse(given);
    if (!result.success) throw toParameterError(result.error, given);
    return { parameters: result.data, ignored };
  };
}

/**
 * A parser that throws unknown_parameter for every name that `schema`, of strict objects, does not have, at any depth:
 * an operator's wish holds for long, so nothing of it is ignored. A null counts as absent where the schema has none.
 */
function createStrictParser<Schema extends z.ZodObject>(
  schema: Schema,
): (body: JsonObject) => ParsedParameters<z.output<Schema>> {
  const { shape } = schema;
  const takesNull = new Set(Object.keys(shape).filter((name) => shape[name].safeParse(null).success));
  return (body) => {
    const given = Object.fromEntries(
      Object.entries(body).filter(([name, value]) => value !== null || takesNull.has(name)),
    );
    const result = schema.safeParse(given);
    if (result.success) return { parameters: result.data, ignored: [] };
    for (const issue of result.error.issues)
      if (issue.code === 'unrecognized_keys')
        throw unknownName(issue.keys[0] ?? '', issue.path, knownKeys(schema, issue.path));
    throw toParameterError(result.error, given);
  };
}

function unknownName(name: string, path: readonly PropertyKey[], known: readonly string[]): AppError {
  const param = formatPath([...path, name.slice(0, mostShownChars)]);
  const [near] = nearestNames(name, known, 1);
  const remedy =
    near !== undefined
      ? `Did you mean '${near}'?`
      : known.length === 0
        ? 'This takes none.'
        : `There are ${known.join(', ')}.`;
  return new AppError(
    'unknown_parameter',
    `Unknown parameter '${param}'. ${remedy}`,
    param === '' ? {} : { param },
  );
}

/** An unsupported_value error for the parameter at `path`; `remedy` is a whole sentence. */
export function unsupported(path: readonly PropertyKey[], remedy: string): AppError {
  const param = formatPath(path);
  return new AppError('unsupported_value', `'${param}' has a value that is not supported here. ${remedy}`, {
    param,
  });
}

/** An error of the parameter at `path`; `complaint` completes the sentence `'<param>' …`. */
export function invalid(
  path: readonly PropertyKey[],
  complaint: string,
  code: ErrorCode = 'invalid_value',
): AppError {
  const param = formatPath(path);
  return new AppError(code, `'${param}' ${complaint}.`, { param });
}

/** An unsupported_content error for the part at `path`, whose kind `what` says: `is of type image`. */
export function notUnderstood(path: readonly PropertyKey[], what: string): AppError {
  return invalid(path, `${what}, which no model here understands. Send text only`, 'unsupported_content');
}

function withoutNulls(body: JsonObject): JsonObject {
  for (const name in body) {
    if (body[name] === null) {
      return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    }
  }
  return body;
}
