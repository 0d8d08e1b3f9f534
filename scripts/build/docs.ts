import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pageName, partsOf, renderPage } from './docs/render-page.ts';

// Makes HTML of the pages in docs, which the server offers below /docs.
const source = new URL('../../docs/', import.meta.url);
const target = new URL('../../dist/docs/', import.meta.url);
rmSync(fileURLToPath(target), { recursive: true, force: true });
mkdirSync(fileURLToPath(target), { recursive: true });
const read = (file: string) => readFileSync(new URL(file, source), 'utf8');
const index = read('README.md');
const pages = readdirSync(source).flatMap((file) => {
  const name = pageName(file);
  return name === undefined ? [] : [{ name, markdown: read(file) }];
});
const missing =
  '# No such page\n\nThe handbook has no page at this address. Look it up above, or begin with [all pages](README.md).\n';
for (const { name, markdown } of [...pages, { name: 'missing', markdown: missing }])
  writeFileSync(new URL(`${name}.html`, target), renderPage(markdown, index));
const parts = pages.flatMap(({ name, markdown }) => partsOf(markdown, name));
writeFileSync(new URL('search.json', target), JSON.stringify(parts));
// Files that these pages share with hearth's own.
copyFileSync(new URL('../../src/web/styles/palette.css', import.meta.url), new URL('palette.css', target));
const font = import.meta.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2');
copyFileSync(new URL(font), new URL('figtree.woff2', target));
