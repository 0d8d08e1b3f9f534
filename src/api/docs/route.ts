import type { Handler } from 'hono';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppEnv } from '../env.ts';
import { respondUnlessKnown, toStaticFile, type StaticFile } from './static-file.ts';
import { z } from 'zod';
import { errorBody } from '../openapi/error-body.ts';
import { components } from '../openapi/json-schema.ts';
import { bytes, json, notModified, operationsOf } from '../openapi/operation.ts';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The files of swagger-ui-dist that the page uses, with their media types; others are not served. */
export const vendoredFiles: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]);

/** The page's own files, beside the page itself. */
const ownFiles: ReadonlyMap<string, string> = new Map([
  ['start.js', 'text/javascript; charset=utf-8'],
  ['theme.js', 'text/javascript; charset=utf-8'],
  ['handbook.js', 'text/javascript; charset=utf-8'],
  ['docs.css', 'text/css; charset=utf-8'],
  ['reference.css', 'text/css; charset=utf-8'],
  ['handbook.css', 'text/css; charset=utf-8'],
]);

/** What the build puts beside the pages: the colours and the letters of hearth's page, and what is searched. */
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

/** The page at `/docs`. Its links are relative, because a proxy may serve it below another path. */
const findPage = (): StaticFile => read('page.html', 'text/html; charset=utf-8', toOwnPath);

/** A page of the manual by its name, such as settings, or a file that the pages use; undefined: there is none. */
function findDocsFile(name: string): StaticFile | undefined {
  if (/^[a-z-]+$/.test(name)) return findBuilt(name, `${name}.html`, 'text/html; charset=utf-8');
  const sharedType = sharedFiles.get(name);
  if (sharedType !== undefined) return findBuilt(name, name, sharedType);
  const ownType = ownFiles.get(name);
  if (ownType !== undefined) return read(name, ownType, toOwnPath);
  const mediaType = vendoredFiles.get(name);
  return mediaType === undefined ? undefined : read(name, mediaType, toVendoredPath);
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

/** The path of a file of swagger-ui-dist: beside this module in the built package, else in node_modules. */
function toVendoredPath(name: string): string {
  const built = new URL(`swagger-ui/${name}`, import.meta.url);
  return fileURLToPath(existsSync(built) ? built : import.meta.resolve(`swagger-ui-dist/${name}`));
}

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
    answer: bytes(
      ['text/html', 'text/css', 'text/javascript', 'font/woff2', 'application/json'],
      'The page or file.',
    ),
    responses: {
      ...notModified,
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

/** GET /docs: the reference of the API, a page from which requests can be sent. */
export const docsPage: Handler<AppEnv> = (c) => {
  restrict(c);
  return respondUnlessKnown(c, findPage());
};

/** GET /docs/{file}: a page of the manual, or a script or style of the pages. */
export const docsFile: Handler<AppEnv> = (c) => {
  const file = findDocsFile(c.req.param('file') ?? '');
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
