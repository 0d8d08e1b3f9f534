/**
 * Makes the package that a release publishes, and tests it: the built program with its licences, the addons for Linux,
 * the bill of materials. Takes Linux with git, cmake and Debian's compilers for both architectures: g++ and
 * g++-aarch64-linux-gnu on x64, g++-x86-64-linux-gnu and g++ on arm64.
 *
 *   npm run release [-- FOLDER]        the tarball goes into FOLDER, by default the current one
 */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPrebuilt, prebuiltAddons } from './build-prebuilt.ts';
import { checkSymbols } from './check-symbols.ts';
import { checkTarball } from './check-tarball.ts';

const [folder = '.'] = process.argv.slice(2);
const run = (command: string, ...args: string[]): void =>
  void execFileSync(command, args, { stdio: 'inherit', env: { ...process.env, HEARTH_PACKAGE: tarball } });
const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], { encoding: 'utf8' });
const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
const tarball = join(resolve(folder), filename);

const stale = prebuiltAddons().filter((addon) => addon.packed !== undefined && !existsSync(addon.packed));
if (stale.length > 0)
  throw new Error("the clone's addons are of other sources: run npm run release:addons, and commit them");

run('npm', 'run', 'build');
for (const addon of prebuiltAddons()) {
  console.log(addon.file);
  buildPrebuilt(addon);
}
checkSymbols(prebuiltAddons().map(({ file }) => file));
run('npm', 'run', 'sbom');
run('npm', 'pack', '--ignore-scripts', '--silent', `--pack-destination=${resolve(folder)}`);
checkTarball(tarball);
// The package is installed without a compiler, and has to chat and to transcribe.
run('npm', 'run', 'test:only', '--', 'test/e2e/installation/package.test.ts');
console.log(`${tarball}: ${(statSync(tarball).size / 1e6).toFixed(1)} MB`);
