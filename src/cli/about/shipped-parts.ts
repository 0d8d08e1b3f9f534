import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Something that comes with hearth, and the terms that it comes under. */
export interface ShippedPart {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** Where it is: a package that npm installs or that is in dist, a part of such a package, the page, hearth itself. */
  readonly within: string;
  /** The licence and the notices that came with it; null: it brings none, or is not installed on this machine. */
  readonly text: string | null;
}

/** Where the build puts the list; src and dist lie equally deep in the package. */
export const licencesFile = fileURLToPath(new URL('../../../dist/licences.json', import.meta.url));

/** Everything that comes with hearth; undefined: the list was not built. */
export function readShippedParts(): readonly ShippedPart[] | undefined {
  if (!existsSync(licencesFile)) return undefined;
  return JSON.parse(readFileSync(licencesFile, 'utf8')) as ShippedPart[];
}
