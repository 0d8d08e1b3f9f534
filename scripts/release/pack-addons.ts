/**
 * Writes the addons of a clone for Linux on x86-64 and arm64, compressed: the installation of a machine without a
 * compiler takes them, as long as no source of theirs has changed. Needs the tools of `npm run release`. Commit them
 * once, at the end of a piece of work: each time adds up to 3 MB to every clone for ever.
 *
 *   npm run release:addons
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packAddon } from '../../src/engine/addons/packed-addon.ts';
import { buildPrebuilt, prebuiltAddons } from './build-prebuilt.ts';
import { checkSymbols } from './check-symbols.ts';

const wanted = prebuiltAddons().flatMap((addon) =>
  addon.packed === undefined ? [] : [{ ...addon, packed: addon.packed }],
);
// Their names change with their sources.
const missing = wanted.filter(({ packed }) => !existsSync(packed));
for (const addon of missing) buildPrebuilt(addon);
checkSymbols(missing.map(({ file }) => file));
for (const { file, packed } of missing) packAddon(file, packed);
for (const { packed } of wanted) {
  console.log(`${packed}: ${(statSync(packed).size / 1e6).toFixed(2)} MB`);
}
const kept = new Set(wanted.map(({ packed }) => basename(packed)));
for (const folder of new Set(wanted.map(({ packed }) => dirname(packed))))
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name));
