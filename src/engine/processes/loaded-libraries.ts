import { readFileSync } from 'node:fs';

/** Files of all libraries that this process has loaded. */
export function loadedLibraries(): readonly string[] {
  const { report, platform } = process;
  if (platform === 'linux')
    return readFileSync('/proc/self/maps', 'utf8')
      .split('\n')
      .flatMap((line) => (line.includes('/') ? line.slice(line.indexOf('/')) : []));
  // Otherwise the report would look up the host names of all connections. It waits for all threads of the process.
  Reflect.set(report, 'excludeNetwork', true);
  return (report.getReport() as unknown as { readonly sharedObjects: readonly string[] }).sharedObjects;
}
