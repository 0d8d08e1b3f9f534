/**
 * Mends package-lock.json where npm does not say enough, or too much. Run it after a change of dependencies and their
 * installation. It adds:
 *
 * - The optional packages of other platforms that the registry which npm asked did not have: without them `npm ci`
 *   refuses the lock. Running it again where the registry has more adds their checksums.
 * - `gypfile: false` of packages that bring their own builds: npm reads of an installation with a lock no other
 *   description, and would have node-gyp compile them, which takes Python and a compiler.
 *
 * It removes `engines` of optional packages: an npm on Node 22.11 or older would leave out the binaries that the page's
 * build and the linters load, without a word, though they run on the Node that the clone brings.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Entry {
  name?: string;
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  gypfile?: boolean;
  engines?: unknown;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}

const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  overrides?: Record<string, Record<string, string>>;
};

let added = 0;
for (const [path, { name, dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  const overrides = manifest.overrides?.[name ?? nameOf(path)] ?? {};
  for (const [dependency, declared] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${dependency}`;
    if (lock.packages[`${path}/${place}`] !== undefined) continue;
    const present = lock.packages[place];
    if (present?.integrity !== undefined) continue;
    const entry = describe(dependency, overrides[dependency] ?? declared);
    if (entry === undefined || (present !== undefined && entry.integrity === undefined)) continue;
    lock.packages[place] = { ...entry, ...(dev === true && { dev }), optional: true };
    added += 1;
  }
}
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path !== '' && entry.hasInstallScript === true && bringsItsBuilds(path)) entry.gypfile = false;
  if (entry.optional === true) delete entry.engines;
}
const packages = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
console.log(`${added} packages added to package-lock.json`);

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function bringsItsBuilds(path: string): boolean {
  const manifestFile = new URL(`../../${path}/package.json`, import.meta.url);
  if (!existsSync(manifestFile)) return false;
  return (JSON.parse(readFileSync(manifestFile, 'utf8')) as Entry).gypfile === false;
}

/** The lock's entry for a package of one exact version, which may be an alias; undefined for a range of versions. */
function describe(dependency: string, spec: string): Entry | undefined {
  const [, aliased, version = spec] = /^npm:(@?[^@]+)@(.+)$/.exec(spec) ?? [];
  if (!/^\d+\.\d+\.\d+/.test(version)) return undefined;
  const name = aliased ?? dependency;
  // The platforms of a package do not change between versions, its checksum does.
  const [found] = [...ask(`${name}@${version}`), ...ask(`${name}@<${version}`)];
  if (found === undefined) throw new Error(`the registry knows no version of ${name} up to ${version}`);
  const { version: foundVersion, integrity, ...platform } = found;
  return {
    ...(aliased !== undefined && { name }),
    version,
    ...(foundVersion === version && { integrity }),
    ...platform,
  };
}

/** The registry's entries for the versions that `spec` names, the newest first. */
function ask(spec: string): Entry[] {
  const fields = ['version', 'dist.integrity', 'os', 'cpu', 'libc', 'license'];
  let answer: string;
  try {
    answer = execFileSync('npm', ['view', spec, ...fields, '--json'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return [];
  }
  if (answer.trim() === '') return [];
  const found = [JSON.parse(answer) as Record<string, unknown> | Record<string, unknown>[]].flat();
  return found
    .toReversed()
    .map(({ 'dist.integrity': integrity, ...rest }) => ({ integrity, ...rest }) as Entry);
}
