import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { toStaticFile, type StaticFile } from '../docs/static-file.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Beside this module in the built package; in `dist` when hearth runs from source, where `web` has the sources. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/web/' : '../../web/',
  import.meta.url,
);

/** A file of the page as it is, and compressed with Brotli for those who take that. */
export interface PageFile {
  readonly plain: StaticFile;
  readonly brotli: StaticFile | undefined;
}

const read = new Map<string, PageFile>();

/** The file of that name in the built page, such as `assets/index-3f2a.js`; undefined: there is none. */
export function findPageFile(name: string): PageFile | undefined {
  const known = read.get(name);
  if (known !== undefined) return known;
  const mediaType = mediaTypes[extname(name)];
  if (mediaType === undefined || !/^(?:assets\/)?[\w-][\w.-]*$/.test(name)) return undefined;
  const url = new URL(name, folder);
  if (!existsSync(url)) return undefined;
  const compressed = new URL(`${name}.br`, folder);
  const toFile = (from: URL) => toStaticFile(new Uint8Array(readFileSync(from)), mediaType);
  const file = { plain: toFile(url), brotli: existsSync(compressed) ? toFile(compressed) : undefined };
  read.set(name, file);
  return file;
}
