import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** It comes without types. */
const subsetFont = createRequire(import.meta.url)('subset-font') as (
  font: Buffer,
  text: string,
  options: object,
) => Promise<Buffer>;

const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const folder = join(packages, '.cache/fonts');

/** Kerning, and figures of equal width. */
const keepFeatures = ['kern', 'tnum'];

const faces = /url\('([^']+\.woff2)'\)([^}]*font-weight: (\d+) (\d+);[^}]*unicode-range:([^;]+);)/g;

/**
 * Has each `@font-face` of a style sheet load only the letters and weights that it names: of the file of a font that
 * can have any weight, the letters of its `unicode-range` in weights of its `font-weight`. A letter that no text on the
 * page has costs nothing.
 */
export const fontSubsets: Plugin = {
  name: 'font-subsets',
  enforce: 'pre',
  async transform(code, id) {
    if (!id.endsWith('base.css')) return undefined;
    let subset = code;
    for (const [whole, file = '', rest = '', min, max, ranges = ''] of code.matchAll(faces)) {
      const font = readFileSync(join(packages, file));
      const variationAxes = { wght: { min: Number(min), max: Number(max), default: Number(min) } };
      const made = await subsetFont(font, lettersOf(ranges), { variationAxes, keepFeatures });
      mkdirSync(folder, { recursive: true });
      const path = join(folder, `${ranges.trim().split(/\W+/)[1]}-${basename(file)}`);
      writeFileSync(path, made);
      subset = subset.replace(whole, () => `url('${path}')${rest}`);
    }
    return subset;
  },
};

/** All letters of ranges such as `U+0000-00FF, U+0131`. */
function lettersOf(ranges: string): string {
  return ranges
    .split(',')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .trim()
        .slice(2)
        .split('-')
        .map((code) => parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
    })
    .join('');
}
