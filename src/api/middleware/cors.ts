import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';

const methods = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';
const maxAgeSeconds = '600';

/** The response headers that scripts may read. CORS has no wildcard for a group of names, so each one is listed. */
const exposed = [
  'x-request-id',
  'request-id',
  'retry-after',
  'x-should-retry',
  'x-ignored-parameters',
  ...['requests', 'input-tokens', 'output-tokens', 'tokens', 'audio-seconds'].flatMap((measure) =>
    ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${measure}`),
  ),
].join(', ');

/** The header names in a preflight that are safe to repeat: tokens and commas, of limited length. */
const headerListPattern = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,2048}$/;

/** Lets pages of the configured origins send requests, never with cookies: the page itself must know the key. */
export function cors(origins: readonly string[]) {
  const isAllowed = toOriginTest(origins);
  return createMiddleware<AppEnv>(async (c, next) => {
    const origin = c.req.header('origin');
    c.header('vary', 'Origin');
    const allowed = origin !== undefined && isAllowed(origin);
    if (allowed) {
      c.header('access-control-allow-origin', origin);
      c.header('access-control-expose-headers', exposed);
    }
    const isPreflight =
      c.req.method === 'OPTIONS' &&
      origin !== undefined &&
      c.req.header('access-control-request-method') !== undefined;
    if (!isPreflight) return next();
    // Other origins get the same empty answer without the permission, so that the browser refuses their requests.
    if (allowed) {
      const requested = c.req.header('access-control-request-headers');
      c.header('vary', 'Origin, Access-Control-Request-Headers');
      c.header('access-control-allow-methods', methods);
      c.header('access-control-max-age', maxAgeSeconds);
      if (requested !== undefined && headerListPattern.test(requested)) {
        c.header('access-control-allow-headers', requested);
      }
    }
    return c.body(null, 204);
  });
}

/** A test for the origins in `patterns`, which are exact, end in `:*` for any port, or are `*` for every origin. */
export function toOriginTest(patterns: readonly string[]): (origin: string) => boolean {
  if (patterns.includes('*')) return () => true;
  const exact = new Set<string>();
  const anyPort: string[] = [];
  for (const pattern of patterns) {
    const normal = pattern.toLowerCase().replace(/\/$/, '');
    if (normal.endsWith(':*')) anyPort.push(normal.slice(0, -2));
    else exact.add(normal);
  }
  return (origin) =>
    exact.has(origin) ||
    anyPort.some(
      (prefix) => origin.startsWith(prefix) && /^(?::\d{1,5})?$/.test(origin.slice(prefix.length)),
    );
}
