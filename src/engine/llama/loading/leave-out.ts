import { registerHooks } from 'node:module';

/** Ends of the addresses of node-llama-cpp's files that are replaced, and what with. */
const replacements: Readonly<Record<string, (url: string) => string>> = {
  // A trial of the binary in a further process takes half a second of processor time at each start. Here each model is
  // tried in a process of its own anyway. Binaries for GPUs are tried as before, because a driver may crash.
  '/node-llama-cpp/dist/bindings/utils/testBindingBinary.js': (url) =>
    `export const testBindingBinary = async (file, folder, gpu, ...rest) =>
      gpu === false || (await import(${JSON.stringify(`${url}?whole`)})).testBindingBinary(file, folder, gpu, ...rest);`,
  // Hearth downloads models by itself. These are 88 of the library's 510 modules.
  '/node-llama-cpp/dist/utils/createModelDownloader.js': () =>
    `export let createModelDownloader, combineModelDownloaders, ModelDownloader, CombinedModelDownloader;`,
};

let isDone = false;

/**
 * Has node-llama-cpp load without what costs time at each start and is not needed here. To be called before it is
 * imported; the library has no option for it, and where its files have other names they are loaded as they are.
 */
export function leaveOutOfLibrary(): void {
  if (isDone) return;
  isDone = true;
  let left = Object.keys(replacements).length;
  const hooks = registerHooks({
    load(url, context, load) {
      const end = Object.keys(replacements).find((name) => url.endsWith(name));
      const source = end === undefined ? undefined : replacements[end]?.(url);
      if (source === undefined) return load(url, context);
      if (--left === 0) hooks.deregister();
      return { format: 'module', shortCircuit: true, source };
    },
  });
}
