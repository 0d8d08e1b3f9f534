import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toStaticFile, type StaticFile } from './static-file.ts';

/**
 * The files of swagger-ui-dist that the page uses, with their media types. Other files of that package are not served.
 */
export const vendoredFiles: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

/** The page's own files, beside the page itself. */
const ownFiles: ReadonlyMap<string, string> = new Map([
  ['start.js', 'text/javascript; charset=utf-8'],
  ['page.css', 'text/css; charset=utf-8'],
  ['manual.css', 'text/css; charset=utf-8'],
]);

/** Where the pages of `docs` are as HTML: `dist/docs`, also when hearth runs from source. */
const manualFolder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/docs/' : '../../docs/',
  import.meta.url,
);

const files = new Map<string, StaticFile>();

/** The page at `/docs`. Its links are relative, because a proxy may serve it below another path. */
export const findPage = (): StaticFile => read('page.html', 'text/html; charset=utf-8', toOwnPath);

/** A page of the manual by its name, such as settings, or a file that the pages use; undefined: there is none. */
export function findDocsFile(name: string): StaticFile | undefined {
  if (/^[a-z-]+$/.test(name)) return findManualPage(name);
  const ownType = ownFiles.get(name);
  if (ownType !== undefined) return read(name, ownType, toOwnPath);
  const mediaType = vendoredFiles.get(name);
  return mediaType === undefined ? undefined : read(name, mediaType, toVendoredPath);
}

function findManualPage(name: string): StaticFile | undefined {
  const path = fileURLToPath(new URL(`${name}.html`, manualFolder));
  return existsSync(path) ? read(name, 'text/html; charset=utf-8', () => path) : undefined;
}

/**
 * The file, read on the first request: synchronously, because this happens once, and asynchronous reads wait for the
 * audio decoder in libuv's thread pool.
 */
function read(name: string, mediaType: string, toPath: (name: string) => string): StaticFile {
  const file = files.get(name) ?? toStaticFile(new Uint8Array(readFileSync(toPath(name))), mediaType);
  files.set(name, file);
  return file;
}

const toOwnPath = (name: string) => fileURLToPath(new URL(`page/${name}`, import.meta.url));

/**
 * The path of a file of swagger-ui-dist: beside this module in the built package, in node_modules when hearth runs
 * from source.
 */
function toVendoredPath(name: string): string {
  const built = new URL(`swagger-ui/${name}`, import.meta.url);
  return fileURLToPath(existsSync(built) ? built : import.meta.resolve(`swagger-ui-dist/${name}`));
}
