import { packageVersion } from '../../config/package-version.ts';
import type { Handler } from 'hono';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppDeps, AppEnv } from '../env.ts';
import { respondUnlessKnown, toStaticFile } from '../docs/static-file.ts';
import type { Routes } from '../add-routes.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { whenWritable } from '../middleware/draining.ts';
import { createBodyMemory, jsonBody } from '../middleware/body/json-body.ts';
import { readBody } from '../request/read-parameters.ts';
import { claimInvitation } from './claim.ts';
import { findPageFile, type PageFile } from './files.ts';
import { signInRequest } from './operation.ts';
import { providerRoutes } from './provider-sign-in.ts';

/** The page runs its own scripts only, loads nothing from other servers, and cannot be framed. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Code that a model wrote runs in a frame of an origin of its own, from which nothing is loaded or sent: the page's
 * `default-src` keeps the frame from going elsewhere.
 */
const previewPolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Writes the document that the page sends to it in its own place. */
const preview = toStaticFile(
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title><script>' +
    "addEventListener('message', ({ data }) => { document.open(); document.write(data); document.close(); }, { once: true })" +
    '</script></html>',
  'text/html; charset=utf-8',
);

const signInLimitBytes = 4096;

export function pageRoutes(deps: AppDeps): Routes {
  const json = jsonBody(signInLimitBytes, createBodyMemory(signInLimitBytes));
  return {
    '/icon.svg': { GET: pageIcon },
    '/page/preview': { GET: showPreview },
    '/assets/:file': { GET: pageAsset },
    '/page/claim': { POST: [json, whenWritable(deps.health), claimInvitation(deps)] },
    '/page/session': {
      GET: (c) => c.json({ object: 'sign_in', provider: providerOf(deps) }),
      POST: [json, whenWritable(deps.health), (c) => signIn(c, deps)],
      DELETE: [authenticate(deps.authenticator), whenWritable(deps.health), (c) => signOut(c, deps)],
    },
    ...providerRoutes(deps),
  };
}

/** The page of a clone that was installed without npm's scripts, so that its page is not built. */
const notBuilt = toStaticFile(
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>hearth</title>' +
    '<p>hearth is running. Its page is not built yet: run <code>npm run build:web</code> and reload.</p>' +
    '<p>The API works all the same; its routes are in <a href="openapi.json">openapi.json</a>.</p></html>',
  'text/html; charset=utf-8',
);

/** GET /: the page for browsers, and a few lines for people with curl. Clients that want JSON get not_found. */
export const showPage: Handler<AppEnv> = (c, next) => {
  c.header('vary', 'Accept', { append: true });
  const accept = c.req.header('accept') ?? '';
  if (!accept.includes('text/html')) return /\*\/\*|text\/plain/.test(accept) ? c.text(signpost(c)) : next();
  return respondWithPage(c);
};

/** The page, which shows by its address the reference of the API. */
export function respondWithPage(c: AppContext): Response {
  c.header('content-security-policy', contentSecurityPolicy);
  c.header('referrer-policy', 'no-referrer');
  return respond(c, findPageFile('index.html') ?? { plain: notBuilt, brotli: undefined });
}

/** GET /page/preview: an empty frame for the HTML of an answer. */
const showPreview: Handler<AppEnv> = (c) => {
  c.header('content-security-policy', previewPolicy);
  return respond(c, { plain: preview, brotli: undefined });
};

function signpost(c: AppContext): string {
  const { origin } = new URL(c.req.url);
  return [
    `hearth ${packageVersion}: models behind an OpenAI-style API at ${origin}/v1, with a key as a bearer token`,
    `What it can do: ${origin}/docs/pages (to read), ${origin}/openapi.json (all routes)`,
    `Whether it is ready: ${origin}/readyz. In a browser, ${origin}/ is a page to chat on.`,
    '',
  ].join('\n');
}

/** GET /icon.svg */
const pageIcon: Handler<AppEnv> = (c) => keep(respond(c, findPageFile('icon.svg')), 'max-age=86400');

/** GET /assets/{file}: scripts and styles, whose names change with their content. */
const pageAsset: Handler<AppEnv> = (c) => {
  const file = findPageFile(`assets/${c.req.param('file') ?? ''}`);
  // Scripts are asked for as another origin's are, and this list for those would be a tenth of the smaller files.
  c.header('access-control-expose-headers', undefined);
  return keep(respond(c, file), 'max-age=31536000, immutable');
};

/** `response` with the time for which everybody may keep it. */
function keep(response: Response, time: string): Response {
  response.headers.set('cache-control', `public, ${time}`);
  return response;
}

/** POST /page/session: the secrets of a session, for the one-time code of a printed link. */
function signIn(c: AppContext, { administration }: AppDeps): Response {
  c.header('cache-control', 'no-store');
  const secrets = administration.signInCodes.redeem(readBody(c, signInRequest).code);
  if (secrets !== undefined) return c.json(secrets);
  throw new AppError(
    'invalid_sign_in_code',
    'This sign-in code was used already or is too old. Start hearth again for a new one, or use a key.',
    { param: 'code' },
  );
}

/** DELETE /page/session */
function signOut(c: AppContext, { administration }: AppDeps): Response {
  const ended = administration.signInCodes.end(c.get('principal').keyId);
  return c.json({ object: 'session', ended });
}

function providerOf({ administration: { provider } }: AppDeps) {
  if (provider === undefined) return null;
  const { name, pageUrl } = provider.identities.settings;
  return { name, address: `${pageUrl}page/oidc` };
}

function respond(c: AppContext, file: PageFile | undefined): Response {
  if (file === undefined) throw new AppError('not_found', 'The page has no such file. It is at /.');
  const { plain, brotli } = file;
  c.header('vary', 'Accept-Encoding', { append: true });
  const takesBrotli = /\bbr\b/.test(c.req.header('accept-encoding') ?? '');
  if (brotli === undefined || !takesBrotli) return respondUnlessKnown(c, plain);
  c.header('content-encoding', 'br');
  return respondUnlessKnown(c, brotli);
}
