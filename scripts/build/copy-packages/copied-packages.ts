import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Packages that the built package carries whole, with their dependencies, save for files that nobody uses. */
export const withDependencies = 'node_modules/node-llama-cpp';

/** The package of which the built package carries some sources. */
export const sourcesOnly = 'node_modules/nodejs-whisper';

/** Folders of all packages of which something is in dist/node_modules, relative to the repository. */
export function copiedPackages(): ReadonlySet<string> {
  const folders = new Set([sourcesOnly]);
  const add = (folder: string): void => {
    if (folders.has(folder)) return;
    folders.add(folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) add(find(name, folder));
  };
  add(withDependencies);
  return folders;
}

/** Folder of the package that `name` means to the package in `folder`. */
function find(name: string, folder: string): string {
  for (let from = folder; ; from = dirname(from)) {
    const found = from === '.' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
    if (existsSync(join(root, found, 'package.json'))) return found;
    if (from === '.') throw new Error(`${name}, which ${folder} needs, is not installed`);
  }
}
