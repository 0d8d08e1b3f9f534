import type { ShippedPart } from '../../../src/cli/about/shipped-parts.ts';
import { copiedPackages } from '../copy-packages/copied-packages.ts';
import { readJson, textsIn } from './licence-texts.ts';

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly license?: string; readonly dev?: boolean }>
  >;
}

/** Every package that npm installs with hearth, those for other platforms included, and those that lie inside it. */
export function installedParts(): ShippedPart[] {
  const { packages } = readJson('package-lock.json') as Lockfile;
  const copied = copiedPackages();
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder.startsWith('node_modules/') && (dev !== true || copied.has(folder)))
    .map(([folder, { version = '', license = '' }]) => ({
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      within: 'package',
      text: textsIn(folder),
    }));
}
