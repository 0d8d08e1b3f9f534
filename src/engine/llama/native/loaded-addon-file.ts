import { basename } from 'node:path';
import { loadedLibraries } from '../../processes/loaded-libraries.ts';

const addonName = 'llama-addon.node';
let known: string | undefined;

/** The file of llama.cpp's addon that this process has loaded. Throws where it has loaded none. */
export function loadedAddonFile(): string {
  return (known ??= findLoadedFile());
}

function findLoadedFile(): string {
  const file = loadedLibraries().find((path) => basename(path) === addonName);
  if (file === undefined) throw new Error(`${addonName} is not loaded`);
  return file;
}
