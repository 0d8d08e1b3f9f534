import { rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

const directories = process.argv.slice(2);
if (directories.length === 0) {
  process.stderr.write('Usage: node scripts/build/clean.ts DIR…\nRemoves folders below the current one.\n');
  process.exitCode = 1;
}
for (const directory of directories) {
  const path = resolve(directory);
  const fromHere = relative(process.cwd(), path);
  // A slip such as `clean.ts /` or `clean.ts ..` must not cost anything.
  if (fromHere === '' || fromHere.startsWith('..')) throw new Error(`${directory} is not below this folder`);
  await rm(path, { recursive: true, force: true });
}
