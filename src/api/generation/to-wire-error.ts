import { AppError } from '../../errors.ts';

/** Where the engine's own name of a parameter begins, and where the same thing is in a request. */
export type ParameterPlace = readonly [engine: RegExp, wire: string];

/** The schema that the answer has to fit, in the engine's words. */
export const outputSchemaPlace = /^schema(?=$|[.[])/;
/** The parameters of a function, whose number is `$1`, in the engine's words. */
export const toolParametersPlace = /^tools\[(\d+)\]\.parameters(?=$|[.[])/;

/** `thrown`, with a parameter that the engine complains about named as the client knows it. */
export function toWireError<Thrown>(thrown: Thrown, places: readonly ParameterPlace[]): Thrown | AppError {
  if (!(thrown instanceof AppError) || thrown.param === null) return thrown;
  const { param, code, message, retryAfterSeconds, headers, cause } = thrown;
  const place = places.find(([engine]) => engine.test(param));
  if (place === undefined) return thrown;
  return new AppError(code, message, {
    param: param.replace(...place),
    headers,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
