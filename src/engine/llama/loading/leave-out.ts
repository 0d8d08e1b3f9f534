import { registerHooks } from 'node:module';

/** Source that loads the replaced file after all, when it is called. */
const whole = (url: string) => `(await import(${JSON.stringify(`${url}?whole`)}))`;

/** Source of exports that nobody calls here. */
const none = (names: string) => () => `export let ${names};`;

/** Ends of the addresses of node-llama-cpp's files that are replaced, and their new sources. */
const replacements: Readonly<Record<string, (url: string) => string>> = {
  // A trial of the binary in a further process takes half a second of processor time at each start. Here each model is
  // tried in a process of its own anyway. Binaries for GPUs are tried as before, because a driver may crash.
  'bindings/utils/testBindingBinary.js': (url) =>
    `export const testBindingBinary = async (file, folder, gpu, ...rest) =>
      gpu === false || ${whole(url)}.testBindingBinary(file, folder, gpu, ...rest);`,
  // Hearth downloads models by itself, and only ever opens binaries that are installed. Together with their packages
  // for git, cmake, locks and progress on a terminal, these are more than 200 of the library's 540 modules.
  'utils/createModelDownloader.js': none(
    'createModelDownloader, combineModelDownloaders, ModelDownloader, CombinedModelDownloader',
  ),
  'bindings/utils/cloneLlamaCppRepo.js': () =>
    `export const getClonedLlamaCppRepoReleaseInfo = async () => null, isLlamaCppRepoCloned = async () => false;
     export let cloneLlamaCppRepo, ensureLlamaCppRepoIsCloned;`,
  'utils/cmake.js': none(
    'hasBuiltinCmake, getCmakePath, downloadCmakeIfNeeded, clearLocalCmake, fixXpackPermissions',
  ),
  'utils/spawnCommand.js': none('spawnCommand, SpawnError'),
  'utils/withLockfile.js': none('withLockfile, lockfileLockScope'),
  'utils/waitForLockfileRelease.js': () => `export const waitForLockfileRelease = async () => undefined;`,
  // Only a machine that may have a GPU is asked for its kinds.
  'bindings/utils/detectAvailableComputeLayers.js': (url) =>
    ['detectAvailableComputeLayers', 'getCudaNvccPaths', 'getWindowsProgramFilesPaths']
      .map((name) => `export const ${name} = async (...of) => ${whole(url)}.${name}(...of);`)
      .join('\n'),
};

let isDone = false;

/**
 * Has node-llama-cpp load without work that costs time at each start and is not needed here. To be called before it is
 * imported; the library has no option for it, and where its files have other names they are loaded as they are.
 */
export function leaveOutOfLibrary(): void {
  if (isDone) return;
  isDone = true;
  let left = Object.keys(replacements).length;
  const hooks = registerHooks({
    load(url, context, load) {
      const [, end = ''] = url.split('/node-llama-cpp/dist/');
      const source = replacements[end]?.(url);
      if (source === undefined) return load(url, context);
      if (--left === 0) hooks.deregister();
      return { format: 'module', shortCircuit: true, source };
    },
  });
}
