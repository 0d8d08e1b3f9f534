import type { Handler } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { actingAs } from '../../accounts/audit.ts';
import { signInMs, SignInRefused, type StartedSignIn } from '../../accounts/sign-in/identity-provider.ts';
import { messageOf } from '../../words/describe-error.ts';
import type { Routes } from '../add-routes.ts';
import { nodeBindings, type AppContext, type AppDeps, type AppEnv } from '../env.ts';
import { AppError } from '../../errors/errors.ts';
import { whenWritable } from '../middleware/draining.ts';
import { readQuery } from '../request/read-parameters.ts';
import { providerQuery } from './operation.ts';

const cookieName = 'hearth-sign-in';
const mostDetailChars = 100;

/** The page's name for the trouble of a sign-in that did not end well. */
type Problem = 'refused' | 'failed' | 'unavailable';

type Provider = NonNullable<AppDeps['administration']['provider']>;

/**
 * The routes by which a browser goes to the provider and comes back. The values that it has to keep meanwhile are in a
 * signed cookie, so that however many begin, the server holds nothing. It comes back to the page, with a one-time code
 * for a session or the name of a problem, and to nowhere else.
 */
export function providerRoutes({ administration, signingKey, clock, log, health }: AppDeps): Routes {
  const { provider } = administration;
  const start = async (c: AppContext, { identities }: Provider): Promise<Response> => {
    const asksAnew = readQuery(c, providerQuery).anew === 'true';
    try {
      const { address, kept } = await identities.start(clock.nowMs(), asksAnew);
      const { pathname, protocol } = new URL(identities.callbackUrl);
      await setSignedCookie(c, cookieName, JSON.stringify(kept), signingKey, {
        path: pathname,
        secure: protocol === 'https:',
        httpOnly: true,
        sameSite: 'Lax',
        maxAge: signInMs / 1000,
      });
      return c.redirect(address);
    } catch (error) {
      return giveUp(c, identities, 'unavailable', error);
    }
  };
  const finish = async (c: AppContext, { identities, admit }: Provider): Promise<Response> => {
    const cookie = await getSignedCookie(c, signingKey, cookieName);
    const path = new URL(identities.callbackUrl).pathname;
    deleteCookie(c, cookieName, { path });
    try {
      const kept = cookie ? (JSON.parse(cookie) as StartedSignIn) : undefined;
      if (kept === undefined || kept.expiresAtMs < clock.nowMs())
        throw new Error('this browser began no sign-in, or too long ago');
      const identity = await identities.finish(new URL(c.req.url).search, kept);
      const origin = nodeBindings(c).incoming?.socket.remoteAddress ?? 'this machine';
      const code = actingAs({ actor: identity.issuer, origin }, () => admit(identity));
      if (code === undefined) throw new SignInRefused('none of the groups is let in');
      return c.redirect(`${identities.settings.pageUrl}#code=${code}`);
    } catch (error) {
      return giveUp(c, identities, error instanceof SignInRefused ? 'refused' : 'failed', error);
    }
  };
  const giveUp = (c: AppContext, { settings }: Provider['identities'], problem: Problem, error: unknown) => {
    log.warn({ reason: messageOf(error), detail: detailOf(error) }, `a sign-in by the provider: ${problem}`);
    return c.redirect(`${settings.pageUrl}#sign-in=${problem}`);
  };
  const withProvider =
    (handle: (c: AppContext, provider: Provider) => Promise<Response>): Handler<AppEnv> =>
    (c) => {
      c.header('cache-control', 'no-store');
      c.header('referrer-policy', 'no-referrer');
      if (provider === undefined)
        throw new AppError('not_found', "Nobody signs in elsewhere: the setting 'oidc' is not set.");
      return handle(c, provider);
    };
  return {
    '/page/oidc': { GET: withProvider(start) },
    '/page/oidc/callback': { GET: [whenWritable(health), withProvider(finish)] },
  };
}

/** The library's detail beside its message: the provider's error code, or why the provider cannot be reached. */
function detailOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('error' in error && typeof error.error === 'string') return error.error.slice(0, mostDetailChars);
  return error.cause instanceof Error ? messageOf(error.cause) : undefined;
}
