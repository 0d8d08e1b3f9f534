import { createMiddleware } from 'hono/factory';
import { redactSecret } from '../../accounts/secrets.ts';
import type { Authenticator, Principal } from '../../accounts/types.ts';
import { AppError } from '../../errors.ts';
import type { AppContext, AppEnv } from '../env.ts';
import { isLoopbackRequest } from './loopback.ts';

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

/** Whose key the request has; undefined where it has none that is valid. */
export function findPrincipal(c: AppContext, authenticator: Authenticator): Principal | undefined {
  const secret = bearerOf(c.req.header('authorization'));
  return secret === undefined ? undefined : authenticator.authenticate(secret);
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
  const principal = authenticator.authenticate(secret);
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
