import type { ShippedPart } from '../../src/config/licences.ts';
import { readJson, textsIn } from './licence-texts.ts';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

type Packages = Readonly<Record<string, LockedPackage>>;

/** Packages that the build copies into dist, so that npm installs less; see scripts/copy-packages.ts. */
const copiedWithDependencies = 'node_modules/node-llama-cpp';
const copiedAlone = 'node_modules/nodejs-whisper';

/** Every package that npm installs with hearth, those for other platforms included, and those that come in dist. */
export function installedParts(): ShippedPart[] {
  const { packages } = readJson<{ packages: Packages }>('package-lock.json');
  const inDist = new Set<string>();
  addWithDependencies(copiedWithDependencies, packages, inDist);
  inDist.add(copiedAlone);
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder.startsWith('node_modules/') && (dev !== true || inDist.has(folder)))
    .map(([folder, { version = '', license = '' }]) => ({
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      within: inDist.has(folder) ? 'dist' : 'package',
      text: textsIn(folder),
    }));
}

function addWithDependencies(folder: string, packages: Packages, found: Set<string>): void {
  if (found.has(folder)) return;
  found.add(folder);
  for (const name of Object.keys(packages[folder]?.dependencies ?? {}))
    addWithDependencies(resolve(name, folder, packages), packages, found);
}

/** Folder of the package that `name` means to the package in `folder`, as Node looks for it. */
function resolve(name: string, folder: string, packages: Packages): string {
  for (
    let from = folder;
    from !== '';
    from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))
  ) {
    const near = `${from}/node_modules/${name}`;
    if (near in packages) return near;
  }
  return `node_modules/${name}`;
}
