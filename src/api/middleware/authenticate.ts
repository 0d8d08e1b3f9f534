import { createMiddleware } from 'hono/factory';
import type { Authenticator, Principal } from '../../accounts/types.ts';
import { AppError } from '../../errors.ts';
import { nodeBindings } from '../env.ts';
import type { AppContext, AppEnv } from '../env.ts';

/** Far above any key's length: what is longer is not looked up. */
const maxSecretChars = 256;

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

const refusals: Readonly<Record<Principal['kind'], string>> = {
  admin:
    'This API key is no admin key. Make one on the machine of the server itself: hearth keys create --admin.',
  user: 'This is an admin key: it opens /admin/v1 and /metrics only. Use an ordinary API key here.',
};

/** Lets a request on only with a valid key, whose principal it leaves in the context. */
export function authenticate(authenticator: Authenticator) {
  return createMiddleware<AppEnv>(async (c, next) => {
    identify(c, authenticator);
    await next();
  });
}

/** Like `authenticate`, except that programs on this machine need no key. */
export function authenticateUnlessLoopback(authenticator: Authenticator) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!isLoopbackRequest(c)) identify(c, authenticator);
    await next();
  });
}

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

/** Whose key the request has; undefined where it has none that is valid. */
export function findPrincipal(c: AppContext, authenticator: Authenticator): Principal | undefined {
  const secret = bearerOf(c.req.header('authorization'));
  if (secret === undefined || secret.length > maxSecretChars) return undefined;
  return authenticator.authenticate(secret);
}

function identify(c: AppContext, authenticator: Authenticator): void {
  const principal = toPrincipal(c.req.header('authorization'), authenticator);
  c.set('principal', principal);
  const access = c.get('access');
  access.keyId = principal.keyId;
  access.accountId = principal.accountId;
}

function toPrincipal(authorization: string | undefined, authenticator: Authenticator): Principal {
  const secret = bearerOf(authorization);
  if (secret === undefined) {
    throw new AppError(
      'missing_api_key',
      authorization === undefined
        ? "No API key was given. Send it in the header 'Authorization: Bearer <API_KEY>'."
        : "The Authorization header holds no bearer key. Send 'Authorization: Bearer <API_KEY>'.",
      { headers: { 'www-authenticate': 'Bearer' } },
    );
  }
  const principal = secret.length > maxSecretChars ? undefined : authenticator.authenticate(secret);
  if (principal === undefined) {
    throw new AppError(
      'invalid_api_key',
      `The API key ${redactSecret(secret)} is unknown, revoked or expired. Use a valid key, or ask the operator for one.`,
      { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
    );
  }
  return principal;
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +(\S.*)$/i.exec(authorization ?? '')?.[1]?.trimEnd();
}

/** At most the first 5 and last 4 characters of `secret`, and nothing of one too short to hide the rest. */
export function redactSecret(secret: string): string {
  if (secret.length < 20) return '***';
  return `${secret.slice(0, 5)}***${secret.slice(-4)}`.replace(/[^\x21-\x7e]/g, '?');
}

/**
 * True for a request of a program on this machine: from a loopback address and to a loopback name.
 * The name matters because a web page can make a browser here resolve its own host to 127.0.0.1
 * (DNS rebinding); the address alone would then let that page in.
 */
export function isLoopbackRequest(c: AppContext): boolean {
  const address = nodeBindings(c).incoming?.socket.remoteAddress;
  const host = c.req.header('host');
  return (
    address !== undefined && loopbackAddress.test(address) && host !== undefined && loopbackHost.test(host)
  );
}
