import type { ShippedPart } from '../../../src/cli/about/shipped-parts.ts';
import { readJson, textsIn } from './licence-texts.ts';

/** As vite writes it. */
interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly identifier: string | null;
  readonly text: string | null;
}

/** Packages whose code is in the built page, and the reference page's, which is copied. */
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
  const folder = 'node_modules/swagger-ui-dist';
  const { version, license } = readJson(`${folder}/package.json`) as { version: string; license: string };
  const reference = { name: 'swagger-ui-dist', version, licence: license, within: 'reference page' };
  return [...bundled, { ...reference, text: textsIn(folder) }];
}
