import type { Handler } from 'hono';
import { AppError } from '../../errors/errors.ts';
import type { AppEnv } from '../env.ts';
import { respondUnlessKnown, toStaticFile } from './static-file.ts';
import { findDocsFile } from './files.ts';
import { contentSecurityPolicy, page } from './page.ts';

const pageFile = toStaticFile(page, 'text/html; charset=utf-8');

/** GET /docs: the reference of the API, a page from which requests can be sent. */
export const docsPage: Handler<AppEnv> = (c) => {
  c.header('content-security-policy', contentSecurityPolicy);
  c.header('referrer-policy', 'no-referrer');
  return respondUnlessKnown(c, pageFile);
};

/** GET /docs/{file}: the page's scripts and styles. */
export const docsFile: Handler<AppEnv> = (c) => {
  const file = findDocsFile(c.req.param('file') ?? '');
  if (file === undefined)
    throw new AppError('not_found', 'The reference page has no such file. It is at /docs.');
  return respondUnlessKnown(c, file);
};
