import type { ShippedPart } from '../../../src/cli/about/shipped-parts.ts';
import { readJson, textsIn } from './licence-texts.ts';

/** As vite writes it. */
interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly identifier: string | null;
  readonly text: string | null;
}

/** Packages whose files are copied, as they are, with the part of hearth that has them. */
const copied = [
  ['@mermaid-js/tiny', 'page'],
  ['@fontsource-variable/figtree', 'page'],
] as const;

/** Packages whose code is in the built page, and those whose files are copied. */
export function pageParts(): ShippedPart[] {
  const bundled = (readJson('dist/web/.vite/licences.json') as Bundled[]).map(
    ({ name, version, identifier, text }): ShippedPart => ({
      name,
      version,
      licence: identifier ?? '',
      within: 'page',
      text,
    }),
  );
  const whole = copied.map(([name, within]): ShippedPart => {
    const folder = `node_modules/${name}`;
    const { version, license } = readJson(`${folder}/package.json`) as { version: string; license: string };
    return { name, version, licence: license, within, text: textsIn(folder) };
  });
  return [...bundled, ...whole];
}
