import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { fontSubsets } from '../../scripts/build/font-subsets.ts';

const outDir = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** In bytes. A larger file is loaded on demand, and the best compression would take seconds of each installation. */
const largeFile = 1_000_000;

/** Puts a compressed copy beside every text file, so that the server compresses nothing while it serves. */
const compressed: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  writeBundle() {
    for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:html|js|css|svg)$/.test(name)) continue;
      const path = join(outDir, name);
      const content = readFileSync(path);
      const quality = content.length > largeFile ? 9 : 11;
      writeFileSync(
        `${path}.br`,
        brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
      );
    }
  },
};

/** KaTeX's style sheet has each font in three formats; every browser that the page runs in reads the first. */
const firstFormatOnly: Plugin = {
  name: 'first-format-only',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('katex.min.css')
      ? code.replaceAll(/,url\([^)]+\.(?:woff|ttf)\) format\("\w+"\)/g, '')
      : undefined,
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
    rolldownOptions: {
      // Advice for whoever works on this build, printed in everybody's installation.
      checks: { pluginTimings: false },
      // The files of the first visit are one: each of a dozen would cost a kilobyte of headers.
      output: {
        codeSplitting: {
          groups: [
            { name: 'page', test: /src\/web\/(?:app|main)\.tsx$/ },
            {
              name: 'rows',
              test: /src\/web\/(?:ui\/(?:progress|tables\/(?:row-filter|no-match|figure-row|show-made))|state\/rights)/,
            },
            { name: 'notice-mark', test: /src\/web\/now\/(?:notice-mark|standing)/ },
          ],
        },
        // It has the names of seventy other files, and random letters cannot be compressed.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  // Workers are loaded as modules, and packages in them may ask for import.meta.
  worker: { format: 'es' },
  plugins: [firstFormatOnly, fontSubsets, compressed],
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/admin', '/page', '/docs', '/openapi.json', '/healthz'].map((path) => [path, hearth]),
    ),
  },
});
