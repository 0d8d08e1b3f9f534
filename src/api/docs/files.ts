import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toStaticFile } from './static-file.ts';
import type { StaticFile } from './static-file.ts';
import { pageStyle, startScript } from './page.ts';

/**
 * The files of swagger-ui-dist that the page uses, with their media types. Other files of that package are not served.
 */
export const vendoredFiles: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

const files = new Map<string, StaticFile>([
  ['start.js', toStaticFile(startScript, 'text/javascript; charset=utf-8')],
  ['page.css', toStaticFile(pageStyle, 'text/css; charset=utf-8')],
]);

/** The page's file of that name, or undefined. It is read from disk on the first request. */
export function findDocsFile(name: string): StaticFile | undefined {
  const known = files.get(name);
  if (known !== undefined) return known;
  const mediaType = vendoredFiles.get(name);
  if (mediaType === undefined) return undefined;
  // Read synchronously, because this happens once, and asynchronous reads wait for the audio decoder in libuv's thread
  // pool.
  const file = toStaticFile(new Uint8Array(readFileSync(toVendoredPath(name))), mediaType);
  files.set(name, file);
  return file;
}

/**
 * The path of a file of swagger-ui-dist: beside this module in the built package, in node_modules when hearth runs
 * from source.
 */
function toVendoredPath(name: string): string {
  const built = new URL(`swagger-ui/${name}`, import.meta.url);
  return fileURLToPath(existsSync(built) ? built : import.meta.resolve(`swagger-ui-dist/${name}`));
}
