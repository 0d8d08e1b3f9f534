import type { Handler } from 'hono';
import { AppError } from '../../../errors/errors.ts';
import type { AppContext, AppDeps, AppEnv } from '../../env.ts';
import { readQuery } from '../../request/read-parameters.ts';
import { unsupported } from '../../request/validate.ts';
import { fromKeptItem, fromKeptResponse } from './kept-response.ts';
import type { KeptResponse } from './response-store.ts';
import { parseItemsQuery, parseResponseQuery } from './stored-schema.ts';

type StoredDeps = Pick<AppDeps, 'responses' | 'clock'>;

/** GET /v1/responses/{id}: the response object that the client got. */
export function getResponse(deps: StoredDeps): Handler<AppEnv> {
  return (c) => {
    const { stream } = readQuery(c, parseResponseQuery);
    if (stream === 'true')
      throw unsupported(['stream'], 'A stored response comes in one piece: leave it out.');
    const kept = findResponse(c, deps);
    return c.json(fromKeptResponse(kept, deps.responses.items(kept.id, 'output')));
  };
}

/** DELETE /v1/responses/{id}: deletes the response, which then cannot be continued. */
export function deleteResponse({ responses, clock }: StoredDeps): Handler<AppEnv> {
  return (c) => {
    const id = responseId(c);
    if (!responses.delete(c.get('principal').accountId, id, clock.nowMs())) throw notFound();
    return c.json({ id, object: 'response', deleted: true });
  };
}

/** GET /v1/responses/{id}/input_items: the items of the request, newest first unless `order` says otherwise. */
export function listInputItems(deps: StoredDeps): Handler<AppEnv> {
  return (c) => {
    const { after, limit = 20, order = 'desc' } = readQuery(c, parseItemsQuery);
    const kept = deps.responses.items(findResponse(c, deps).id, 'input');
    const ordered = order === 'desc' ? kept.toReversed() : kept;
    const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) {
      throw new AppError('invalid_value', "'after' is the id of none of these items.", { param: 'after' });
    }
    const page = ordered.slice(start, start + limit);
    return c.json({
      object: 'list',
      data: page.map(fromKeptItem),
      first_id: page.at(0)?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
      has_more: start + limit < ordered.length,
    });
  };
}

function findResponse(c: AppContext, { responses, clock }: StoredDeps): KeptResponse {
  const response = responses.find(c.get('principal').accountId, responseId(c), clock.nowMs());
  if (response === undefined) throw notFound();
  return response;
}

function responseId(c: AppContext): string {
  return c.req.param('id') ?? '';
}

/** The same error for responses of other accounts and for those that never existed. */
function notFound(): AppError {
  return new AppError(
    'not_found',
    'There is no such response. Responses are kept where the request said "store": true, and for 30 days.',
  );
}
