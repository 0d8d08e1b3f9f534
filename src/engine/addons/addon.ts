import { createHash, type Hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { levelsOf, thisMachine, type Machine } from './processor-levels.ts';
import { processorFeatures } from './processor.ts';

/** The package's folder: src and dist lie equally deep in it. */
export const packageDir = fileURLToPath(new URL('../../../', import.meta.url));

/** Folder of the sources that all addons share, in the package's folder. */
const sharedSourceDir = 'src/engine/addons/native';

/** An addon that a release brings, or that an installation compiles for the machine that it is on. */
export interface Addon {
  /** Begins the names of its files. */
  readonly name: string;
  /** Folder of its own sources, in the package's folder. */
  readonly sourceDir: string;
  /** The npm package that carries its libraries and sources. */
  readonly library: string;
  /** Ways to make it in which no release makes it; the name of such a file ends in its way. */
  readonly specialVariants?: readonly string[];
  /** It is no module of Node.js: another addon loads it, and it cannot be tried by itself. */
  readonly isPlainLibrary?: boolean;
}

/** Folder of an npm package that is installed; `from` is a file of the package that depends on it. */
export function dependencyDir(name: string, from: string = import.meta.url): string {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  const found = folders
    .map((folder) => join(folder, name))
    .find((dir) => existsSync(join(dir, 'package.json')));
  if (found === undefined) throw new Error(`the npm package ${name} is not installed`);
  return found;
}

/** Hash of all that the addon is made of and made for. `cpuInfo` is as `processorFeatures` takes it. */
export const addonKey = (addon: Addon, cpuInfo?: string): string =>
  hashOf(addon).update(processorFeatures(cpuInfo)).digest('hex').slice(0, 16);

/** The hash of the sources and the library that the addon is made of. */
function hashOf({ sourceDir, library, isPlainLibrary = false }: Addon): Hash {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(dependencyDir(library), 'package.json')));
  for (const folder of [...(isPlainLibrary ? [] : [sharedSourceDir]), sourceDir].map((dir) =>
    join(packageDir, dir),
  ))
    for (const name of filesIn(folder)) hash.update(readFileSync(join(folder, name)));
  return hash;
}

/** The sources in a folder and the folders in it, in the same order on every machine. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:cc|h|txt)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();

/** Where installations put addons. */
export const installedDir = join(packageDir, 'build');

/** Where the installation puts the addon of `key`, made in the way `variant`. */
export const installedAddonFile = (addon: Addon, key: string, variant = ''): string =>
  join(installedDir, `${addon.name}-${key}${isSpecial(addon, variant) ? `-${variant}` : ''}.node`);

/** Whether no release makes the addon in the way `variant`. */
export const isSpecial = ({ specialVariants = [] }: Addon, variant: string): boolean =>
  specialVariants.includes(variant);

/** Where a release has its addons. */
const releasedDir = join(packageDir, 'dist/prebuilt');

/** Where an installation puts those that a clone has packed. */
export const unpackedDir = join(installedDir, 'prebuilt');

/** Where the addon that was made of these sources lies in `dir`, for Linux on processors of an architecture and level. */
export const prebuiltAddonFile = (addon: Addon, arch: string, level: string, dir = releasedDir): string =>
  join(dir, `linux-${arch}`, `${addon.name}-${hashOf(addon).digest('hex').slice(0, 16)}-${level}.node`);

/** The best of a release's addons for the machine, or a clone's; undefined where none fits. */
export const findPrebuilt = (addon: Addon, machine: Machine = thisMachine()): string | undefined =>
  levelsOf(machine)
    .flatMap((level) =>
      [releasedDir, unpackedDir].map((dir) => prebuiltAddonFile(addon, machine.arch, level, dir)),
    )
    .find((file) => existsSync(file));

/** The addon for this machine and these sources, rather compiled here than prebuilt; undefined where there is none. */
export function findAddon(addon: Addon): string | undefined {
  const key = addonKey(addon);
  const files = ['', ...(addon.specialVariants ?? [])].map((variant) =>
    installedAddonFile(addon, key, variant),
  );
  return files.find((file) => existsSync(file)) ?? findPrebuilt(addon);
}

/** Where an addon that was found comes from. */
export const addonOrigin = (file: string): string =>
  [releasedDir, unpackedDir].some((dir) => file.startsWith(dir + sep))
    ? 'prebuilt'
    : 'built for this machine';

/** The message for an addon that is not there. */
export const notBuilt = 'not built';

/** The message for an addon that does not load, with the first line of `reason`. */
export function doesNotLoad(reason: string): string {
  const [line = ''] = reason.split('\n');
  return `built, but does not load (${line.slice(0, 200)})`;
}

/** The remedy where an addon is not built, or does not load; its command works in the current folder. */
export function addonRemedy(): string {
  if (process.platform === 'win32')
    return 'addons are made for Linux and macOS; on Windows run hearth in WSL';
  const script = join(packageDir, 'scripts/build/addons.mjs');
  if (!existsSync(script)) return 'build the image of hearth on a machine with this processor';
  return `install cmake, git and a C++ compiler, then run: ${buildCommand(script)}`;
}

/** In an installed package npm would look for the script in the current folder, and hide its output. */
function buildCommand(script: string): string {
  const isClone = existsSync(join(packageDir, 'src/cli.ts'));
  if (!isClone) return `node "${script}"`;
  return relative(packageDir, process.cwd()) === ''
    ? 'npm run build:addons'
    : `npm --prefix "${resolve(packageDir)}" run build:addons`;
}
