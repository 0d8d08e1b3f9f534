import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { packageDir, prebuiltAddonFile, unpackedDir, type Addon } from './addon.ts';
import { levelsOf, thisMachine, type Machine } from './processor-levels.ts';

/** Folder of the addons that a clone brings, compressed, for machines without a compiler. */
const packedDir = join(packageDir, 'src/engine/addons/prebuilt');

/** Where a clone has the addon that was made of these sources. */
export const packedAddonFile = (addon: Addon, arch: string, level: string): string =>
  `${prebuiltAddonFile(addon, arch, level, packedDir)}.br`;

/** Writes the addon in `file` to `target`, compressed. */
export function packAddon(file: string, target: string): void {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeWhole(target, brotliCompressSync(readFileSync(file), { params }));
}

/** Path of the best of the clone's addons for the machine, unpacked; undefined where none is of these sources. */
export function unpackAddon(addon: Addon, machine: Machine = thisMachine()): string | undefined {
  const level = levelsOf(machine).find((name) => existsSync(packedAddonFile(addon, machine.arch, name)));
  if (level === undefined) return undefined;
  const target = prebuiltAddonFile(addon, machine.arch, level, unpackedDir);
  writeWhole(target, brotliDecompressSync(readFileSync(packedAddonFile(addon, machine.arch, level))));
  removeOthers(addon, target);
  return target;
}

/** Whether the clone has this addon packed for the architecture, but of other sources than these. */
export function isPackedStale(addon: Addon, arch: string): boolean {
  const ofTheseSources = packedAddonFile(addon, arch, '').replace(/\.node\.br$/, '');
  const folder = dirname(ofTheseSources);
  if (!existsSync(folder)) return false;
  const files = readdirSync(folder).filter((file) => file.startsWith(`${addon.name}-`));
  return files.length > 0 && !files.some((file) => file.startsWith(basename(ofTheseSources)));
}

/** Removes other files of the addon from the folder of `kept`. A process that has loaded one of them keeps it. */
export function removeOthers({ name }: Addon, kept: string): void {
  for (const file of readdirSync(dirname(kept)))
    if (file.startsWith(`${name}-`) && file !== basename(kept)) rmSync(join(dirname(kept), file));
}

/** Writes a file in one step, since another installation or the server may read it at the same time. */
function writeWhole(target: string, content: Buffer): void {
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, target);
}
