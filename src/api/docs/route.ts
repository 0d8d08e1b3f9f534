import type { Handler } from 'hono';
import { AppError } from '../../errors/errors.ts';
import type { AppEnv } from '../env.ts';
import { respondUnlessKnown } from './static-file.ts';
import { findDocsFile, findPage } from './files.ts';

/** The page loads nothing from other servers, sends nothing to them, and cannot be framed by other pages. */
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
  c.header('content-security-policy', contentSecurityPolicy);
  c.header('referrer-policy', 'no-referrer');
  return respondUnlessKnown(c, findPage());
};

/** GET /docs/{file}: the page's scripts and styles. */
export const docsFile: Handler<AppEnv> = (c) => {
  const file = findDocsFile(c.req.param('file') ?? '');
  if (file === undefined)
    throw new AppError('not_found', 'The reference page has no such file. It is at /docs.');
  return respondUnlessKnown(c, file);
};
