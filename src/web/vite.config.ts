import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const outDir = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** Puts a compressed copy beside every text file, so that the server compresses nothing while it serves. */
const compressed: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  writeBundle() {
    for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:html|js|css|svg)$/.test(name)) continue;
      const path = join(outDir, name);
      writeFileSync(
        `${path}.br`,
        brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      );
    }
  },
};

/** The running hearth that the development server asks. */
const hearth = process.env['HEARTH_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, because a proxy may serve the page below another path.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: '.vite/licences.json' },
  },
  plugins: [compressed],
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/admin', '/page', '/docs', '/openapi.json', '/healthz'].map((path) => [path, hearth]),
    ),
  },
});
