import { z } from 'zod';
import { components, namedParameters } from '../openapi/json-schema.ts';
import { budgets, plan } from '../admin/response-schema.ts';
import { bytes, json, notModified, operationsOf } from '../openapi/operation.ts';

export const signInRequest = namedParameters('SignIn', {
  code: z.string().min(1).max(100).describe('As in the link that the server printed.'),
});

export const claimRequest = namedParameters('ClaimInvitation', {
  code: z.string().min(1).max(100).describe('As in the link of the invitation.'),
  browser: z.string().min(16).max(100).describe('What the browser calls itself by: each has one seat.'),
  name: z.string().max(100).optional().describe('Of the account to make; without it nothing is made.'),
});

export const claim = z
  .strictObject({
    object: z.literal('claim'),
    invitation: z.string().describe('What it is for.'),
    claimed_by: z.string().nullable().describe('The account that this browser made by it.'),
    value: z.string().startsWith('hk-').nullable().describe('The secret of its key, shown this once.'),
    open_until: z.int().describe('Until when it can be claimed.'),
    budgets: budgets.describe('Of the key that it makes.'),
    plan: plan.nullable().describe('Of the account; null: there is no such plan any more.'),
  })
  .register(components, { id: 'Claim' });

const session = z
  .strictObject({
    user: z.string().startsWith('hk-'),
    admin: z.string().startsWith('hk-admin-').optional().describe("Of the machine's owner only."),
  })
  .describe('The secrets of keys that expire after 12 hours.')
  .register(components, { id: 'Session' });

const signInWays = z
  .strictObject({
    object: z.literal('sign_in'),
    provider: z
      .strictObject({ name: z.string().min(1), address: z.string().describe('Where the sign-in begins.') })
      .nullable()
      .describe('null: there is none, only keys and links.'),
  })
  .register(components, { id: 'SignInWays' });

const endedSession = z
  .strictObject({
    object: z.literal('session'),
    ended: z.boolean().describe('false: the key is of no session, and still works.'),
  })
  .register(components, { id: 'EndedSession' });

export const providerQuery = z.strictObject({
  anew: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: the provider asks who it is, even if it knows.'),
});

const toThePage = {
  302: { description: 'To the page or, where a sign-in begins, to the provider.' },
} as const;

export const pageOperations = operationsOf(['Service', 'anyone'], {
  getPage: {
    route: 'GET /',
    summary: 'The page for people',
    description:
      'Clients that take any text get a few lines about the server, those that want JSON `not_found`.',
    answer: bytes(['text/html', 'text/plain'], 'The page.'),
    responses: notModified,
    errors: ['not_found'],
  },
  getPageIcon: {
    route: 'GET /icon.svg',
    summary: "The page's icon",
    answer: bytes(['image/svg+xml'], 'The file.'),
    responses: notModified,
    errors: ['not_found'],
  },
  getPreview: {
    route: 'GET /page/preview',
    summary: 'An empty frame in which the page shows HTML that a model wrote',
    description: 'Its content security policy lets nothing in or out but a message of the page.',
    answer: bytes(['text/html'], 'The frame.'),
    responses: notModified,
  },
  getPageAsset: {
    route: 'GET /assets/{file}',
    summary: "The page's scripts, styles, fonts and pictures",
    description: 'Their names change with their content, so clients may keep them for ever.',
    pathParameters: { file: 'Its name.' },
    answer: bytes(
      ['text/javascript', 'text/css', 'font/woff2', 'image/png', 'application/manifest+json'],
      'The file.',
    ),
    responses: notModified,
    errors: ['not_found'],
  },
  signIn: {
    route: 'POST /page/session',
    summary: 'Exchange a one-time code for a session',
    description:
      'The code of the link that `hearth serve` prints on a terminal. It works once, within ten minutes.',
    body: { schema: signInRequest, example: { code: 'mYg3…' } },
    answer: json(session, 'The session.'),
    errors: ['invalid_sign_in_code', 'storage_unavailable'],
  },
  endSession: {
    route: 'DELETE /page/session',
    summary: 'Sign out',
    description: 'The key that asks opens nothing any more, if it is of a session.',
    answer: json(endedSession, 'Whether it was.'),
    errors: ['missing_api_key', 'invalid_api_key', 'storage_unavailable'],
  },
  listSignInWays: {
    route: 'GET /page/session',
    summary: 'How people may sign in to the page',
    answer: json(signInWays, 'Beside keys and links.'),
  },
  beginProviderSignIn: {
    route: 'GET /page/oidc',
    summary: "Send a browser to the identity provider of the setting 'oidc'",
    query: providerQuery,
    responses: toThePage,
    errors: ['not_found'],
  },
  finishProviderSignIn: {
    route: 'GET /page/oidc/callback',
    summary: 'Take a browser back from the identity provider',
    description: "By the authorization code flow of OpenID Connect; the query is the provider's.",
    query: z.looseObject({}),
    responses: toThePage,
    errors: ['not_found', 'storage_unavailable'],
  },
  claimInvitation: {
    route: 'POST /page/claim',
    summary: 'Take a seat of an invitation',
    description: 'It makes an account of that name and a key. A browser has one seat.',
    body: { schema: claimRequest, example: { code: 'mYg3…', browser: '9f86d081884c7d65', name: 'Anna' } },
    answer: json(claim, 'What the browser has.'),
    errors: ['invalid_invitation', 'rate_limit_exceeded', 'storage_unavailable'],
  },
});
