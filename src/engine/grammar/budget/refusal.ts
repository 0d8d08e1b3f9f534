import { AppError } from '../../../errors.ts';

/**
 * The error that refuses a schema: invalid_json_schema with the keyword in its message and, as `param`, the
 * keyword's path from the schema's root (`properties.age.multipleOf`); the caller prefixes that path.
 */
export function refusal(path: string, keyword: string, explanation: string): AppError {
  const param = joinPath(path, keyword);
  return new AppError(
    'invalid_json_schema',
    keyword === '' ? explanation : `The keyword '${keyword}' cannot be honoured: ${explanation}`,
    param === '' ? {} : { param },
  );
}

/** `path` one step further: `a.b` for a name, `a[0]` for an index; an empty step changes nothing. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (step === '' || path === '') return path + step;
  return `${path}.${step}`;
}
