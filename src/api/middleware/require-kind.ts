import { createMiddleware } from 'hono/factory';
import type { Principal } from '../../accounts/types.ts';
import { AppError } from '../../errors.ts';
import type { AppEnv } from '../env.ts';
import { isLoopbackRequest } from './loopback.ts';

const refusals: Readonly<Record<Principal['kind'], string>> = {
  admin:
    'This API key is no admin key. Make one on the machine of the server itself: hearth keys create --admin.',
  user: 'This is an admin key: it opens /admin/v1 and /metrics only. Use an ordinary API key here.',
};

/**
 * Lets a request on only with a key of this kind. Neither kind does the other's work: an admin key in some
 * program's settings, where an ordinary one would do, should fail on its first request and not on its first leak.
 */
export function requireKind(kind: Principal['kind']) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (c.get('principal').kind !== kind) throw new AppError('insufficient_permissions', refusals[kind]);
    await next();
  });
}

/** The same for what programs on this machine may do without a key. */
export function requireKindUnlessLoopback(kind: Principal['kind']) {
  const require = requireKind(kind);
  return createMiddleware<AppEnv>(async (c, next) => (isLoopbackRequest(c) ? next() : require(c, next)));
}
