import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { packageDir } from '../../src/engine/addons/addon.ts';
import { prebuiltAddons } from './build-prebuilt.ts';

/** Files that the package must have, and paths that it may not. */
const wanted = ['LICENSE', 'dist/cli.js', 'dist/licences.json', 'dist/sbom.cdx.json', 'dist/web/index.html'];
const unwanted =
  /^(?:test|node_modules|\.git)\/|^dist\/prebuilt\/.*\/build-|(?:^|\/)(?:\.env|hearth\.yaml|[^/]*\.(?:db|pem|key|log))$/;

/** Throws where the package in `tarball` lacks something, or has files that do not belong there. */
export function checkTarball(tarball: string): void {
  const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const files = listed
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  const addons = prebuiltAddons().map(({ file }) => relative(packageDir, file));
  const missing = [...wanted, ...addons].filter((path) => !files.includes(path));
  if (missing.length > 0) throw new Error(`${tarball} lacks ${missing.join(', ')}`);
  const strange = files.filter((path) => unwanted.test(path));
  if (strange.length > 0) throw new Error(`${tarball} has ${strange.join(', ')}`);
}
