import type { Handler } from 'hono';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppEnv } from '../env.ts';
import { respondUnlessKnown } from './static-file.ts';
import { findDocsFile, findPage } from './files.ts';

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
