import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { keyPrefix, redactSecret } from '../../accounts/secrets.ts';
import type { Authenticator, Principal } from '../../accounts/types.ts';
import { AppError } from '../../errors/errors.ts';
import { nodeBindings, type ApiSettings, type AppContext, type AppEnv } from '../env.ts';
import { routeOf } from './access-log.ts';
import type { LocalTest } from './local-request.ts';
import { checkRoute } from './scopes.ts';

const refusals: Readonly<Record<Principal['kind'], string>> = {
  admin:
    'This API key is no admin key. Make one on the machine of the server itself: hearth keys create --account local --admin.',
  user: 'This is an admin key: it opens /admin/v1 and /metrics only. Use an ordinary API key here.',
};

/** Lets only requests with a valid key pass, and puts its principal into the context. */
export function authenticate(authenticator: Authenticator, localKey?: LocalKey) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const principal =
      batchPrincipal(c, authenticator) ??
      nodeBindings(c).principal ??
      findPrincipal(c, authenticator) ??
      localPrincipal(c, authenticator, localKey) ??
      refuse(c);
    c.set('principal', principal);
    const access = c.get('access');
    access.keyId = principal.keyId;
    access.accountId = principal.accountId;
    await next();
  });
}

/**
 * Lets only requests with a key of this kind pass whose scopes open the route. An admin key cannot be used as a user key: if it is in the settings
 * of a program by mistake, it must fail on the first request, before it leaks.
 */
export function requireKind(kind: Principal['kind']) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const principal = c.get('principal');
    if (principal.kind !== kind) throw new AppError('insufficient_permissions', refusals[kind]);
    const route = routeOf(c);
    if (route !== undefined) checkRoute(principal, c.req.method, route);
    await next();
  });
}

/** The same as `middleware`, except that requests of programs on this machine skip it. */
export function unlessLocal(isLocal: LocalTest, middleware: MiddlewareHandler<AppEnv>) {
  return createMiddleware<AppEnv>((c, next) => (isLocal(c) ? next() : middleware(c, next)));
}

/** The principal of the request's key; undefined if it has no valid one. */
export function findPrincipal(c: AppContext, authenticator: Authenticator): Principal | undefined {
  for (const secret of secretsOf(c)) {
    const principal = authenticator.authenticate(secret);
    if (principal !== undefined) return principal;
  }
  return undefined;
}

/** The principal of a line of a batch, as the key that made the batch now is; undefined for all other requests. */
function batchPrincipal(c: AppContext, authenticator: Authenticator): Principal | undefined {
  const { batchOrigin } = nodeBindings(c);
  const principal = batchOrigin && authenticator.ofKey(batchOrigin.keyId);
  return principal && { ...principal, isBackground: true, isPaced: true };
}

/** Throws the error of the request's key. */
function refuse(c: AppContext): never {
  const [secret] = secretsOf(c);
  if (secret === undefined) {
    throw new AppError(
      'missing_api_key',
      c.req.header('authorization') === undefined
        ? "No API key was given. Send it in the header 'Authorization: Bearer <API_KEY>'."
        : "The Authorization header holds no bearer key. Send 'Authorization: Bearer <API_KEY>'.",
      { headers: { 'www-authenticate': 'Bearer' } },
    );
  }
  throw new AppError(
    'invalid_api_key',
    `The API key ${redactSecret(secret)} is unknown, revoked or expired. Use a valid key, or ask the operator for one.`,
    { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  );
}

/** The keys that the request brings. Some clients send another service's key in one header and ours in the other. */
function secretsOf(c: AppContext): string[] {
  const bearer = /^bearer +(\S.*)$/i.exec(c.req.header('authorization') ?? '')?.[1]?.trimEnd();
  const { keyHeader } = c.get('dialect');
  const key = keyHeader === undefined ? '' : c.req.header(keyHeader)?.trim();
  return [bearer, key].filter((secret): secret is string => Boolean(secret));
}

/** A key that programs on this machine use without sending it. */
export interface LocalKey {
  readonly keyId: string | undefined;
  readonly isLocal: LocalTest;
  /** The setting that it comes from, for messages. */
  readonly setting: string;
  /** A key without the form of hearth's counts as none: many clients do not go without one. */
  readonly ignoresOtherKeys: boolean;
}

/** The key of programs on this machine on all routes; undefined: they need to send one. */
export function keylessAccess({ keylessKeyId }: ApiSettings, isLocal: LocalTest): LocalKey | undefined {
  if (keylessKeyId === undefined) return undefined;
  return {
    get keyId() {
      return keylessKeyId();
    },
    setting: '--no-key',
    ignoresOtherKeys: true,
    isLocal,
  };
}

/** The principal of `localKey` for a request without a key from a program on this machine, else undefined. */
function localPrincipal(
  c: AppContext,
  authenticator: Authenticator,
  localKey: LocalKey | undefined,
): Principal | undefined {
  if (localKey?.keyId === undefined) return undefined;
  const mayHaveKey =
    localKey.ignoresOtherKeys && !secretsOf(c).some((secret) => secret.startsWith(keyPrefix));
  if (c.req.header('authorization') !== undefined && !mayHaveKey) return undefined;
  if (!localKey.isLocal(c)) return undefined;
  const principal = authenticator.ofKey(localKey.keyId);
  if (principal !== undefined) return principal;
  throw new AppError(
    'invalid_api_key',
    `The key of the setting '${localKey.setting}' is unknown, revoked or expired. Set another one there, or send a key.`,
  );
}
