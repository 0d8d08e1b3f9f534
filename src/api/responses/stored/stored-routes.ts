import type { Routes } from '../../add-routes.ts';
import { whenWritable } from '../../middleware/draining.ts';
import { AppError, invalidValue } from '../../../errors/errors.ts';
import type { AppContext, AppDeps } from '../../env.ts';
import { doneEvent, namedEvents } from '../../generation/wire/sse.ts';
import { countIn, pageOf, toList } from '../../parameters/list-page.ts';
import { idIn, readQuery } from '../../request/read-parameters.ts';
import { unsupported } from '../../request/validate.ts';
import { fromKeptItem, fromKeptResponse } from './load-items.ts';
import type { ResponseRow } from '../../../store/tables/response-table.ts';
import type { ResponseObject } from '../response-schema.ts';
import type { ResponseEvent } from '../events/event-schema.ts';
import { courseOf, numbered } from '../events/item-events.ts';
import { z } from 'zod';
import { list } from '../../parameters/schema-parts.ts';

/** `include` has no effect: responses always have all that it can name. OpenAI's clients write lists with brackets. */
const include = { include: z.string().optional(), 'include[]': list(z.string(), { max: 16 }).optional() };

const flag = z.enum(['true', 'false']).optional();

export const responseQuery = z.object({
  stream: flag,
  starting_after: countIn('must be the number of an event').optional(),
  include_obfuscation: flag,
  ...include,
});

export const itemsQuery = z.object({
  ...pageOf(100),
  order: z.enum(['asc', 'desc']).optional(),
  ...include,
});

type StoredDeps = Pick<AppDeps, 'responses' | 'clock' | 'health'>;

/** The routes of one stored response. */
export const storedRoutes = (deps: StoredDeps): Routes => ({
  '/v1/responses/:id': {
    GET: (c) => getResponse(c, deps),
    DELETE: [
      whenWritable(deps.health),
      (c) => {
        const id = idIn(c);
        const { accountId } = c.get('principal');
        if (!deps.responses.delete(accountId, id, deps.clock.nowMs())) throw notFound();
        return c.json({ id, object: 'response', deleted: true });
      },
    ],
  },
  '/v1/responses/:id/cancel': {
    POST: (c) => {
      findResponse(c, deps);
      throw new AppError(
        'unsupported_value',
        'Only a response that is created in the background can be cancelled, and there are none here. Close the connection to stop a response while it is created.',
      );
    },
  },
  '/v1/responses/:id/input_items': { GET: (c) => listInputItems(c, deps) },
});

/** The response object that the client got, or with `stream` the events of it. */
function getResponse(c: AppContext, deps: StoredDeps): Response {
  const { stream, starting_after: after, include_obfuscation: obfuscation } = readQuery(c, responseQuery);
  if (obfuscation === 'true')
    throw unsupported(['include_obfuscation'], 'Events are not padded here: leave it out.');
  if (after !== undefined && stream !== 'true')
    throw invalidValue('starting_after', "'starting_after' needs 'stream=true'. Set it, or leave both out.");
  const kept = findResponse(c, deps);
  const response = fromKeptResponse(kept, deps.responses.items(kept.id, 'output'));
  if (stream !== 'true') return c.json(response);
  const events = replayEvents(response).filter((event) => event.sequence_number > (after ?? -1));
  c.header('content-type', 'text/event-stream; charset=utf-8');
  c.header('cache-control', 'no-cache, no-transform');
  return c.body(namedEvents(events) + doneEvent);
}

/** The items of the request, newest first unless `order` says otherwise. */
function listInputItems(c: AppContext, deps: StoredDeps): Response {
  const { after, limit = 20, order = 'desc' } = readQuery(c, itemsQuery);
  const kept = deps.responses.items(findResponse(c, deps).id, 'input');
  const ordered = order === 'desc' ? kept.toReversed() : kept;
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    throw invalidValue('after', "'after' is the id of none of these items.");
  const page = ordered.slice(start, start + limit).map(fromKeptItem);
  return c.json(toList(page, start + limit < ordered.length));
}

function findResponse(c: AppContext, { responses, clock }: StoredDeps): ResponseRow {
  const response = responses.find(c.get('principal').accountId, idIn(c), clock.nowMs());
  if (response === undefined) throw notFound();
  return response;
}

/** The same error for responses of other accounts and for those that never existed. */
function notFound(): AppError {
  return new AppError(
    'not_found',
    'There is no such response. Responses are kept where the request said "store": true, and for 30 days.',
  );
}

/** The events of a response that is complete: those of its stream, but each text comes as one delta. */
function replayEvents(response: ResponseObject): ResponseEvent[] {
  const begun: ResponseObject = {
    ...response,
    status: 'in_progress',
    completed_at: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  return numbered([
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...response.output.flatMap((item, index) => {
      const { opening, content = ['', []], grow, closing } = courseOf(item, index);
      return [...opening, ...(grow ? [grow(...content)] : []), ...closing];
    }),
    { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response },
  ]);
}
