import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toStaticFile } from './static-file.ts';
import type { StaticFile } from './static-file.ts';
import { pageStyle, startScript } from './page.ts';

/** What the page takes from swagger-ui-dist, by media type. Nothing else of that package can be asked for. */
export const vendoredFiles: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

const files = new Map<string, StaticFile>([
  ['start.js', toStaticFile(startScript, 'text/javascript; charset=utf-8')],
  ['page.css', toStaticFile(pageStyle, 'text/css; charset=utf-8')],
]);

/** The page's file of that name, read when it is asked for first; undefined where there is none. */
export function findDocsFile(name: string): StaticFile | undefined {
  const known = files.get(name);
  if (known !== undefined) return known;
  const mediaType = vendoredFiles.get(name);
  if (mediaType === undefined) return undefined;
  // Synchronous, since it is once: asynchronous reads wait for the decoder in the libuv pool.
  const file = toStaticFile(new Uint8Array(readFileSync(toVendoredPath(name))), mediaType);
  files.set(name, file);
  return file;
}

/** Beside this module in the built package, in node_modules where hearth runs from source. */
function toVendoredPath(name: string): string {
  const built = new URL(`swagger-ui/${name}`, import.meta.url);
  return fileURLToPath(existsSync(built) ? built : import.meta.resolve(`swagger-ui-dist/${name}`));
}
