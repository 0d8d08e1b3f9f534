import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppDeps } from '../env.ts';
import type { KeptStream } from './kept-stream.ts';

/** The name that a client gives to a stream, so that it can read on after its connection broke. */
const nameHeader = 'x-conversation-id';

/** The stream that a request names; undefined: it names none, so that it ends with its connection. Throws invalid_value. */
export function openStream(c: AppContext, { streams }: Pick<AppDeps, 'streams'>): KeptStream | undefined {
  const name = c.req.header(nameHeader);
  if (name === undefined) return undefined;
  if (/^[\w.:-]{1,128}$/.test(name))
    return streams.open(c.get('principal').accountId, name, c.req.raw.signal);
  throw new AppError(
    'invalid_value',
    `The header '${nameHeader}' must have 1 to 128 letters, digits and characters of "_.:-".`,
    { param: nameHeader },
  );
}
