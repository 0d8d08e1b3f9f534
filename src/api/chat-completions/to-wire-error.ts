import { AppError } from '../../errors.ts';

/** Where the engine's own names begin, and where the same thing is in a request. */
const places: readonly (readonly [engine: RegExp, wire: string])[] = [
  [/^schema(?=$|[.[])/, 'response_format.json_schema.schema'],
  [/^tools\[(\d+)\]\.parameters(?=$|[.[])/, 'tools[$1].function.parameters'],
];

/** `thrown`, with a parameter that the engine complains about named as the client knows it. */
export function toWireError(thrown: unknown): unknown {
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
