import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cacheDir = fileURLToPath(new URL('../../.cache/old-node/', import.meta.url));

/** Releases of Node that machines still have, each with the npm that came with it. */
export const oldReleases = [
  { node: '18.20.8', npm: '10.8.2' },
  { node: '20.11.1', npm: '10.2.4' },
  { node: '22.11.0', npm: '10.9.0' },
] as const;

/** Path of the program of an old Node, fetched by npm on the first call and kept in test/.cache. */
export async function oldNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  return join(await fetchPackage(name, version), 'bin/node');
}

/** Path of the script of an old npm; as `oldNode`. */
export const oldNpm = async (version: string): Promise<string> =>
  join(await fetchPackage('npm', version), 'bin/npm-cli.js');

/** Folder of one version of a package without dependencies. */
async function fetchPackage(name: string, version: string): Promise<string> {
  const prefix = join(cacheDir, `${name}-${version}`);
  const folder = join(prefix, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  mkdirSync(prefix, { recursive: true });
  const flags = [`--prefix=${prefix}`, '--force', '--ignore-scripts', '--prefer-offline', '--no-audit'];
  await run('npm', ['install', ...flags, `${name}@${version}`], { cwd: prefix });
  return folder;
}
