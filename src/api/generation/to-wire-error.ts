import { AppError } from '../../errors/errors.ts';

/** The beginning of the engine's name of a parameter, and the path of that parameter in a request. */
export type ParameterPlace = readonly [engine: RegExp, wire: string];

/** The engine's name of the schema that the answer must fit. */
export const outputSchemaPlace = /^schema(?=$|[.[])/;
/** The engine's name of the parameters of a function; `$1` is its index. */
export const toolParametersPlace = /^tools\[(\d+)\]\.parameters(?=$|[.[])/;

/** `name`, an engine's name of a parameter, as a path in the request. */
export function toWirePath(name: string, places: readonly ParameterPlace[]): string {
  const place = places.find(([engine]) => engine.test(name));
  return place === undefined ? name : name.replace(...place);
}

/** `thrown`, with the engine's name of a parameter replaced by its path in the request. */
export function toWireError<Thrown>(thrown: Thrown, places: readonly ParameterPlace[]): Thrown | AppError {
  if (!(thrown instanceof AppError) || thrown.param === null) return thrown;
  const { param, code, message, retryAfterSeconds, headers, cause } = thrown;
  return new AppError(code, message, {
    param: toWirePath(param, places),
    headers,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
