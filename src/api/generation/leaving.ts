import { clientClosedRequest } from '../../errors/errors.ts';
import type { AppContext } from '../env.ts';

/** A controller that aborts when the client disconnects, streaming or not; a stream aborts it for other reasons too. */
export function createLeaving(c: AppContext): AbortController {
  const leaving = new AbortController();
  const client = c.req.raw.signal;
  if (client.aborted) leaving.abort();
  else client.addEventListener('abort', () => leaving.abort(), { once: true });
  return leaving;
}

/** Throws request_cancelled where an operator has stopped the work of this request. */
export function throwIfCancelled(c: AppContext): void {
  const cancelled = c.get('cancelled');
  if (cancelled !== undefined) throw cancelled;
}

/**
 * The response to a request whose work was stopped. Its client has disconnected: nobody reads the response, and it counts
 * as no error of the server. Throws request_cancelled where it was an operator instead.
 */
export function clientLeft(c: AppContext): Response {
  throwIfCancelled(c);
  return new Response(null, { status: clientClosedRequest, headers: { 'x-request-id': c.get('requestId') } });
}
