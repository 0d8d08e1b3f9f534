import type { Handler } from 'hono';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppEnv } from '../env.ts';
import { respondWithPage } from '../page/route.ts';
import { respondUnlessKnown, toStaticFile, type StaticFile } from './static-file.ts';
import { z } from 'zod';
import { errorBody } from '../openapi/error-body.ts';
import { components } from '../openapi/json-schema.ts';
import { bytes, json, notModified, operationsOf } from '../openapi/operation.ts';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files of this folder that all pages of the manual use. */
const ownFiles: ReadonlyMap<string, string> = new Map([
  ['theme.js', 'text/javascript; charset=utf-8'],
  ['handbook.js', 'text/javascript; charset=utf-8'],
  ['docs.css', 'text/css; charset=utf-8'],
  ['handbook.css', 'text/css; charset=utf-8'],
]);

/** Files that the build puts beside the pages: the colours and the letters of hearth's page, and the texts for the search. */
const sharedFiles: ReadonlyMap<string, string> = new Map([
  ['palette.css', 'text/css; charset=utf-8'],
  ['figtree.woff2', 'font/woff2'],
  ['search.json', 'application/json'],
]);

/** Where the pages of `docs` are as HTML: `dist/docs`, also when hearth runs from source. */
const manualFolder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/docs/' : '../../docs/',
  import.meta.url,
);

const files = new Map<string, StaticFile>();

/** A page of the manual by its name, such as settings, or a file that the pages use; undefined: there is none. */
function findDocsFile(name: string): StaticFile | undefined {
  if (/^[a-z-]+$/.test(name)) return findBuilt(name, `${name}.html`, 'text/html; charset=utf-8');
  const sharedType = sharedFiles.get(name);
  if (sharedType !== undefined) return findBuilt(name, name, sharedType);
  const ownType = ownFiles.get(name);
  return ownType === undefined ? undefined : read(name, ownType, toOwnPath);
}

function findBuilt(name: string, file: string, mediaType: string): StaticFile | undefined {
  const path = fileURLToPath(new URL(file, manualFolder));
  return existsSync(path) ? read(name, mediaType, () => path) : undefined;
}

/** The file, read once and synchronously: asynchronous reads wait for the audio decoder in libuv's thread pool. */
function read(name: string, mediaType: string, toPath: (name: string) => string): StaticFile {
  const file = files.get(name) ?? toStaticFile(new Uint8Array(readFileSync(toPath(name))), mediaType);
  files.set(name, file);
  return file;
}

const toOwnPath = (name: string) => fileURLToPath(new URL(`page/${name}`, import.meta.url));

const document = z
  .looseObject({ openapi: z.literal('3.1.1') })
  .register(components, { id: 'OpenApiDocument' });

const toPages = { 302: { description: 'To the list of the pages.' } } as const;

export const docsOperations = operationsOf(['Service', 'anyone'], {
  getOpenApiDocument: {
    route: 'GET /openapi.json',
    summary: 'This document',
    description: 'With a key, and on this machine, its examples name models that are there.',
    answer: json(document, 'OpenAPI 3.1.'),
    responses: notModified,
  },
  findHandbook: {
    route: 'GET /handbook',
    summary: 'The way to the handbook',
    responses: toPages,
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
    answer: bytes(
      ['text/html', 'text/css', 'text/javascript', 'font/woff2', 'application/json'],
      'The page or file.',
    ),
    responses: {
      ...notModified,
      ...toPages,
      404: { description: 'There is none.', content: { 'text/html': null, 'application/json': errorBody } },
    },
  },
});

/** The pages load nothing from other servers, send nothing to them, and cannot be framed by other pages. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** GET /docs: the reference of the API, from which requests can be sent: hearth's own page, which shows it there. */
export const docsPage: Handler<AppEnv> = (c) => respondWithPage(c);

/** GET /docs/{file}: a page of the manual, or a script or style of the pages. */
export const docsFile: Handler<AppEnv> = (c) => {
  const name = c.req.param('file') ?? '';
  // As people guess it.
  if (name === 'handbook') return c.redirect('pages');
  const file = findDocsFile(name);
  if (file === undefined) {
    const missing = findDocsFile('missing');
    const isBuilt = missing !== undefined;
    if (isBuilt && c.req.header('accept')?.includes('text/html') === true) {
      restrict(c);
      return c.html(new TextDecoder().decode(missing.body as Uint8Array), 404);
    }
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
