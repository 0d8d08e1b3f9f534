import type { Routes } from '../add-routes.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { AppError } from '../../errors/errors.ts';
import { sseResponse } from '../generation/wire/sse.ts';
import { checkScope, scopeOfRoute } from '../middleware/scopes.ts';
import { countIn } from '../parameters/list-page.ts';
import { idIn, readQuery } from '../request/read-parameters.ts';
import type { KeptStream } from './kept-stream.ts';
import { z } from 'zod';
import { namedObject } from '../openapi/json-schema.ts';
import { bytes, json, operationsOf } from '../openapi/operation.ts';

const streamQuery = z.object({ from: countIn('must be a number of bytes').optional() });

const stoppedStream = namedObject('StoppedStream', {
  id: z.string().min(1),
  object: z.literal('stream'),
  deleted: z.literal(true),
});

const ofStream = {
  pathParameters: { id: 'The name of the stream: what its request had as `x-conversation-id`.' },
  errors: ['not_found', 'server_overloaded'],
} as const;

export const streamOperations = operationsOf(['Chat', 'user'], {
  readStream: {
    ...ofStream,
    route: 'GET /v1/stream/{id}',
    summary: 'Read on in a stream',
    description:
      'A streamed answer whose request has the header `x-conversation-id` (1 to 128 letters, digits, `_.:-`) goes on for a minute without a reader, and can be read for five minutes after its end, by any key of the account that may use the route of the request. The events are those of the answer: from the first on, or without the first `from` bytes. A new request of the same name stops the one before.',
    query: streamQuery,
    answer: bytes(['text/event-stream'], 'The events, to the end.'),
  },
  stopStream: {
    ...ofStream,
    route: 'DELETE /v1/stream/{id}',
    summary: 'Stop a stream',
    description: 'What was computed is charged, as when a client leaves.',
    answer: json(stoppedStream, 'It is gone.'),
  },
});

export function streamRoutes({ streams, settings }: Pick<AppDeps, 'streams' | 'settings'>): Routes {
  /** The stream that the path names, of which the key may use the route that writes it. */
  const find = (c: AppContext): KeptStream => {
    const principal = c.get('principal');
    const stream = streams.find(principal.accountId, idIn(c));
    if (stream === undefined) throw notFound();
    checkScope(principal, scopeOfRoute(stream.route), `the stream of ${stream.route}`);
    return stream;
  };
  return {
    '/v1/stream/:id': {
      GET: (c) => {
        const { from = 0 } = readQuery(c, streamQuery);
        const stream = find(c);
        if (!stream.has(from)) throw notFound();
        if (stream.isCrowded)
          throw new AppError('server_overloaded', 'Too many read this stream. Try again when fewer do.');
        const client = c.req.raw.signal;
        stream.attach(client);
        return sseResponse(c, stream.read(from, client), () => undefined, settings);
      },
      DELETE: (c) => {
        const id = idIn(c);
        find(c);
        streams.stop(c.get('principal').accountId, id);
        return c.json({ id, object: 'stream', deleted: true });
      },
    },
  };
}

const notFound = () =>
  new AppError(
    'not_found',
    "There is no such stream. Streams are kept where the request had the header 'x-conversation-id', and for five minutes after their end.",
  );
