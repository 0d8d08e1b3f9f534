import { basename } from 'node:path';

const addonName = 'llama-addon.node';
let known: string | undefined;

/** The file of llama.cpp's addon that this process has loaded. Throws where it has loaded none. */
export function loadedAddonFile(): string {
  return (known ??= findLoadedFile());
}

function findLoadedFile(): string {
  const { report } = process;
  // Otherwise the report would look up the host names of all connections.
  Reflect.set(report, 'excludeNetwork', true);
  const { sharedObjects } = report.getReport() as unknown as { readonly sharedObjects: readonly string[] };
  const file = sharedObjects.find((path) => basename(path) === addonName);
  if (file === undefined) throw new Error(`${addonName} is not loaded`);
  return file;
}
