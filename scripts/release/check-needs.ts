import { execFileSync } from 'node:child_process';

/**
 * The newest of each library that an addon may need: the needs of llama.cpp's libraries in node-llama-cpp's package.
 * Debian 12, Ubuntu 22.04 and Fedora 36 have them.
 */
const newest: Readonly<Record<string, string>> = { GLIBC: '2.34', GLIBCXX: '3.4.30', CXXABI: '1.3.13' };

const libraries = /^(?:lib(?:c|m|dl|pthread|stdc\+\+|gcc_s)\.so\.\d|ld-linux-[\w-]+\.so\.\d)$/;

/** Throws where the addon in `file` needs more than that. `objdump`: the one for its architecture. */
export function checkNeeds(objdump: string, file: string): void {
  const told = execFileSync(objdump, ['-p', '-T', file], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const needed = [...told.matchAll(/^\s*NEEDED\s+(\S+)$/gm)].map(([, name = '']) => name);
  const strange = needed.filter((name) => !libraries.test(name));
  for (const [, name = '', version = ''] of told.matchAll(/\b(GLIBC|GLIBCXX|CXXABI)_([\d.]+)/g))
    if (isNewer(version, newest[name] ?? '')) strange.push(`${name} ${version}`);
  if (strange.length > 0) throw new Error(`${file} needs ${[...new Set(strange)].join(', ')}`);
}

function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}
