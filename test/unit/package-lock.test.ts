import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly engines?: unknown;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Entry>> };

/** Whether the lock has the package that `name` means to the package at `path`. */
function isLocked(path: string, name: string): boolean {
  for (let from = path; from !== ''; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
    if (packages[`${from}/node_modules/${name}`] !== undefined) return true;
  return packages[`node_modules/${name}`] !== undefined;
}

it('the lock has all packages of all platforms, without which npm ci refuses it (scripts/build/complete-lock.ts)', () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(path, name))
      .map((name) => `${name}, for ${path}`),
  );
  expect(missing).toEqual([]);
});

it('the lock names no registry, and has the checksum of every package that is not optional', () => {
  expect(text).not.toContain('"resolved"');
  const unchecked = Object.entries(packages).filter(
    ([path, { integrity, optional }]) => path !== '' && integrity === undefined && optional !== true,
  );
  expect(unchecked).toEqual([]);
});

it('the lock has no version of Node by which an old npm leaves out a binary', () => {
  const bound = Object.entries(packages).filter(
    ([, { optional, engines }]) => optional && engines !== undefined,
  );
  expect(bound.map(([path]) => path)).toEqual([]);
});
