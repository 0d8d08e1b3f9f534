import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pageName, renderPage } from './docs/render-page.ts';

// Makes HTML of the pages in docs, which the server offers below /docs.
const source = new URL('../../docs/', import.meta.url);
const target = new URL('../../dist/docs/', import.meta.url);
rmSync(fileURLToPath(target), { recursive: true, force: true });
mkdirSync(fileURLToPath(target), { recursive: true });
const read = (file: string) => readFileSync(new URL(file, source), 'utf8');
const index = read('README.md');
for (const file of readdirSync(source)) {
  const name = pageName(file);
  if (name !== undefined) writeFileSync(new URL(`${name}.html`, target), renderPage(read(file), index));
}
// What these pages share with hearth's own.
copyFileSync(new URL('../../src/web/styles/palette.css', import.meta.url), new URL('palette.css', target));
const font = import.meta.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2');
copyFileSync(new URL(font), new URL('figtree.woff2', target));
