import type { Routes } from '../add-routes.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { AppError } from '../../errors/errors.ts';
import { sseResponse } from '../generation/wire/sse.ts';
import { readQuery } from '../request/read-parameters.ts';
import { parseStreamQuery } from './operation.ts';

/** The streams that their clients named: read on, and stopped. */
export function streamRoutes({ streams, settings }: Pick<AppDeps, 'streams' | 'settings'>): Routes {
  return {
    '/v1/stream/:id': {
      GET: (c) => {
        const { from = 0 } = readQuery(c, parseStreamQuery);
        const stream = streams.find(c.get('principal').accountId, idOf(c));
        if (stream?.has(from) !== true) throw notFound();
        if (stream.isCrowded)
          throw new AppError('server_overloaded', 'Too many read this stream. Try again when fewer do.');
        stream.attach(c.req.raw.signal);
        return sseResponse(c, stream.read(from), () => undefined, settings);
      },
      DELETE: (c) => {
        const id = idOf(c);
        if (!streams.stop(c.get('principal').accountId, id)) throw notFound();
        return c.json({ id, object: 'stream', deleted: true });
      },
    },
  };
}

const idOf = (c: AppContext) => c.req.param('id') ?? '';

const notFound = () =>
  new AppError(
    'not_found',
    "There is no such stream. Streams are kept where the request had the header 'x-conversation-id', and for five minutes after their end.",
  );
