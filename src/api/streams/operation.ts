import { z } from 'zod';
import { namedObject } from '../openapi/json-schema.ts';
import { bytes, json, operationsOf } from '../openapi/operation.ts';
import { createParameterParser } from '../request/validate.ts';

const streamQuery = z.object({
  from: z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text), { error: 'must be a number of bytes' })
    .transform(Number)
    .meta({ type: 'integer', minimum: 0 })
    .optional(),
});

export const parseStreamQuery = createParameterParser(streamQuery);

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
      'A streamed answer whose request has the header `x-conversation-id` (1 to 128 letters, digits, `_.:-`) goes on for a minute without a reader, and can be read for five minutes after its end, by any key of the account. The events are those of the answer: from the first on, or without the first `from` bytes. A new request of the same name stops the one before.',
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
