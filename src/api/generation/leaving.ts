import type { AppContext } from '../env.ts';

/** Aborted when the client goes away, streaming or not; a stream adds reasons of its own. */
export function createLeaving(c: AppContext): AbortController {
  const leaving = new AbortController();
  const client = c.req.raw.signal;
  if (client.aborted) leaving.abort();
  else client.addEventListener('abort', () => leaving.abort(), { once: true });
  return leaving;
}
