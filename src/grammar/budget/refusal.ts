import { AppError } from '../../errors/errors.ts';

/**
 * The error that refuses a schema: invalid_json_schema with the keyword in its message. Its `param` is the path of the
 * keyword from the schema's root (`properties.age.multipleOf`), before which callers put where the schema came from.
 */
export function refusal(path: string, keyword: string, explanation: string): AppError {
  const param = joinPath(path, keyword);
  return new AppError(
    'invalid_json_schema',
    keyword === '' ? explanation : `The keyword '${keyword}' cannot be honoured: ${explanation}`,
    param === '' ? {} : { param },
  );
}

/** The same for the schema as a whole. */
export const refusalOfAll = (explanation: string): AppError => refusal('', '', explanation);

/** `path` with one more step: `a.b` for a name, `a[0]` for an index. An empty step changes nothing. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (step === '' || path === '') return path + step;
  return `${path}.${step}`;
}
