import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';

const methods = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';
const maxAgeSeconds = '600';

/** Response headers that scripts may read; the wildcard form is not enough for families, so each is named. */
const exposed = [
  'x-request-id',
  'retry-after',
  'x-ignored-parameters',
  ...['requests', 'input-tokens', 'output-tokens', 'tokens', 'audio-seconds'].flatMap((measure) =>
    ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${measure}`),
  ),
].join(', ');

/** Field names of a preflight that are safe to echo: tokens and commas, bounded. */
const headerListPattern = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,2048}$/;

/**
 * Lets pages of the configured origins call from a browser, and answers their preflights.
 * Credentials are never allowed: keys travel in a header that the page itself must know.
 */
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
    // A foreign origin gets the same empty answer without permission; the browser then refuses its page.
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

/** True for the origins that one of `patterns` names: exact, with `:*` for any port, or `*` for every origin. */
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
