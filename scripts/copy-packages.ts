/**
 * Puts into dist/node_modules what hearth needs of two packages that would bring far more as dependencies:
 * node-llama-cpp brings llama.cpp's history and its builds for GPUs, nodejs-whisper the sources of many programs.
 * Node finds packages there before those of whoever installs hearth.
 */
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = join(root, 'dist');

/** What declares types, maps to sources or describes a package. Licences stay. */
const unused = /\.d\.[cm]?ts$|\.map$|\/(?:readme|changelog|history)[^/]*$|\/\.[^/]+$/i;

/** What is only needed to compile llama.cpp and to start projects with it. */
const llamaUnused = /^\/(?:llama\/(?:gitRelease\.bundle|xpack|toolchains|profiles)|templates)(?:\/|$)/;

/** What the addon over whisper.cpp is compiled from, for the processor and for the GPUs that build-addon.ts knows. */
const whisperUsed = new RegExp(
  String.raw`^/(?:package\.json|LICENSE|cpp/whisper\.cpp/(?:LICENSE|CMakeLists\.txt|(?:cmake|include|src|ggml)/.*))$`,
);
const whisperUnused = /\/ggml\/src\/ggml-(?!(?:cpu|cuda|metal|vulkan|blas)\/)[^/]+\//;

rmSync(join(target, 'node_modules'), { recursive: true, force: true });
copyWithDependencies('node_modules/node-llama-cpp', new Set());
copyPackage('node_modules/nodejs-whisper', (path) => whisperUsed.test(path) && !whisperUnused.test(path));

/** `folder` is relative to the repository, and the package keeps its place below dist. */
function copyWithDependencies(folder: string, copied: Set<string>): void {
  if (copied.has(folder)) return;
  copied.add(folder);
  copyPackage(folder, (path) => !unused.test(path) && !llamaUnused.test(path));
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) copyWithDependencies(find(name, folder), copied);
}

/** Folder of the package that `name` means to the package in `folder`. */
function find(name: string, folder: string): string {
  for (let from = folder; from !== '.'; from = dirname(from)) {
    const found = join(from, 'node_modules', name);
    if (existsSync(join(root, found, 'package.json'))) return found;
  }
  const found = join('node_modules', name);
  if (existsSync(join(root, found, 'package.json'))) return found;
  throw new Error(`${name}, which ${folder} needs, is not installed`);
}

/** Copies the files whose path, with a slash in front, is used; packages inside the package are another matter. */
function copyPackage(folder: string, isUsed: (path: string) => boolean): void {
  const from = join(root, folder);
  cpSync(from, join(target, folder), {
    recursive: true,
    filter(source) {
      const path = `/${relative(from, source).replaceAll('\\', '/')}`;
      if (statSync(source).isDirectory()) return !/^\/node_modules$/.test(path);
      return isUsed(path);
    },
  });
}
