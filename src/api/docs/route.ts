import type { Handler } from 'hono';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppEnv } from '../env.ts';
import { respondUnlessKnown } from './static-file.ts';
import { findDocsFile, findPage } from './files.ts';
import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import { bytes, json, notModified, operationsOf } from '../openapi/operation.ts';

const document = z
  .looseObject({ openapi: z.literal('3.1.1') })
  .register(components, { id: 'OpenApiDocument' });

export const docsOperations = operationsOf(['Service', 'anyone'], {
  getOpenApiDocument: {
    route: 'GET /openapi.json',
    summary: 'This document',
    description: 'With a key, and on this machine, its examples name models that are there.',
    answer: json(document, 'OpenAPI 3.1.'),
    responses: notModified,
  },
  getDocs: {
    route: 'GET /docs',
    summary: 'This document as a page',
    answer: bytes(['text/html'], 'The page.'),
    responses: notModified,
  },
  getDocsFile: {
    route: 'GET /docs/{file}',
    summary: 'A page of the manual, or a file that the pages use',
    pathParameters: { file: 'Such as `settings`; `pages` lists them.' },
    answer: bytes(['text/html', 'text/css', 'text/javascript', 'image/png'], 'The page or file.'),
    responses: notModified,
    errors: ['not_found'],
  },
});

/** The pages load nothing from other servers, send nothing to them, and cannot be framed by other pages. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** GET /docs: the reference of the API, a page from which requests can be sent. */
export const docsPage: Handler<AppEnv> = (c) => {
  restrict(c);
  return respondUnlessKnown(c, findPage());
};

/** GET /docs/{file}: a page of the manual, or a script or style of the pages. */
export const docsFile: Handler<AppEnv> = (c) => {
  const file = findDocsFile(c.req.param('file') ?? '');
  if (file === undefined) {
    const isBuilt = findDocsFile('pages') !== undefined;
    const remedy = isBuilt
      ? 'Its pages are listed at /docs/pages.'
      : 'Its pages are made by: npm run build:docs.';
    throw new AppError('not_found', `The manual has no such page or file. ${remedy}`);
  }
  restrict(c);
  return respondUnlessKnown(c, file);
};

function restrict(c: AppContext): void {
  c.header('content-security-policy', contentSecurityPolicy);
  c.header('referrer-policy', 'no-referrer');
}
