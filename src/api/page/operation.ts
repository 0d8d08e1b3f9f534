import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import type { Operation } from '../openapi/operation.ts';
import { createParameterParser } from '../request/validate.ts';

const signIn = z
  .object({
    code: z.string().min(1).max(100).meta({ description: 'As in the link that the server printed.' }),
  })
  .register(components, { id: 'SignIn' });

const session = z
  .strictObject({ user: z.string().startsWith('hk-'), admin: z.string().startsWith('hk-admin-') })
  .meta({ description: 'The secrets of two keys that expire after 12 hours.' })
  .register(components, { id: 'Session' });

export const parseSignIn = createParameterParser(signIn);

export const pageOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/',
    id: 'getPage',
    tag: 'Service',
    summary: 'The page for people',
    description:
      'Clients that take any text get a few lines about the server, those that want JSON `not_found`.',
    access: 'anyone',
    responses: {
      200: { description: 'The page.', content: { 'text/html': null, 'text/plain': null } },
      304: { description: 'It is as the client has it.' },
    },
    errors: ['not_found'],
  },
  {
    method: 'GET',
    path: '/icon.svg',
    id: 'getPageIcon',
    tag: 'Service',
    summary: "The page's icon",
    access: 'anyone',
    responses: {
      200: { description: 'The file.', content: { 'image/svg+xml': null } },
      304: { description: 'It is as the client has it.' },
    },
    errors: ['not_found'],
  },
  {
    method: 'GET',
    path: '/page/preview',
    id: 'getPreview',
    tag: 'Service',
    summary: 'An empty frame in which the page shows HTML that a model wrote',
    description: 'Its content security policy lets nothing in or out but a message of the page.',
    access: 'anyone',
    responses: {
      200: { description: 'The frame.', content: { 'text/html': null } },
      304: { description: 'It is as the client has it.' },
    },
    errors: [],
  },
  {
    method: 'GET',
    path: '/assets/{file}',
    id: 'getPageAsset',
    tag: 'Service',
    summary: "The page's scripts, styles and fonts",
    description: 'Their names change with their content, so clients may keep them for ever.',
    access: 'anyone',
    pathParameters: { file: 'Its name.' },
    responses: {
      200: {
        description: 'The file.',
        content: {
          'text/javascript': null,
          'text/css': null,
          'font/woff2': null,
          'application/manifest+json': null,
        },
      },
      304: { description: 'It is as the client has it.' },
    },
    errors: ['not_found'],
  },
  {
    method: 'POST',
    path: '/page/session',
    id: 'signIn',
    tag: 'Service',
    summary: 'Exchange a one-time code for a session',
    description:
      'The code of the link that `hearth serve` prints on a terminal. It works once, within ten minutes.',
    access: 'anyone',
    body: { schema: signIn, example: { code: 'mYg3…' } },
    responses: { 200: { description: 'The session.', content: { 'application/json': session } } },
    errors: ['invalid_sign_in_code', 'storage_unavailable'],
  },
];
