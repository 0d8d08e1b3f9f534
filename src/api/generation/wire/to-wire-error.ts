import { AppError } from '../../../errors/errors.ts';
import { formatPath } from '../../../words/format-path.ts';

/** The beginning of the engine's name of a parameter, and the path of that parameter in a request. */
export type ParameterPlace = readonly [
  engine: RegExp,
  wire: string | ((match: string, index: string) => string),
];

/** The engine's name of the schema that the answer must fit. */
export const outputSchemaPlace = /^schema(?=$|[.[])/;

/** The places of the parts of tools that the engine reads: their schema at `parameters`, their grammar at `grammar`. */
export function toolPlaces(
  offered: readonly { readonly path: readonly PropertyKey[] }[],
  { parameters = 'parameters', grammar = [] }: { parameters?: string; grammar?: readonly PropertyKey[] },
): readonly ParameterPlace[] {
  const within = (rest: readonly PropertyKey[]) => (_match: string, index: string) =>
    formatPath([...(offered[Number(index)]?.path ?? ['tools', Number(index)]), ...rest]);
  return [
    [/^tools\[(\d+)\]\.parameters(?=$|[.[])/, within([parameters])],
    [/^tools\[(\d+)\]\.inputGrammar(?=$|[.[])/, within(grammar)],
  ];
}

/** `name`, an engine's name of a parameter, as a path in the request. */
export function toWirePath(name: string, places: readonly ParameterPlace[]): string {
  const place = places.find(([engine]) => engine.test(name));
  // `replace` has no signature that takes either of the two kinds of replacement.
  return place === undefined ? name : name.replace(place[0], place[1] as string);
}

/** `thrown`, with the engine's name of a parameter replaced by its path in the request. */
export function toWireError<Thrown>(thrown: Thrown, places: readonly ParameterPlace[]): Thrown | AppError {
  if (!(thrown instanceof AppError) || thrown.param === null) return thrown;
  const { param: name, code, message, retryAfterSeconds, headers, cause } = thrown;
  const param = toWirePath(name, places);
  return new AppError(code, message.replaceAll(`'${name}'`, `'${param}'`), {
    param,
    headers,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
