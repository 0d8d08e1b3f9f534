/**
 * Puts into dist/node_modules the files that hearth needs of two packages that would bring far more as dependencies:
 * node-llama-cpp brings llama.cpp's history and its builds for GPUs, nodejs-whisper the sources of many programs. Node
 * finds packages there before those of whoever installs hearth.
 */
import { cpSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedSources, unpackSources } from '../../src/engine/llama/native/builds/stepper-build.ts';
import { copiedPackages, sourcesOnly, withDependencies } from './copy-packages/copied-packages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = join(root, 'dist');

/** Declarations of types, source maps and descriptions of packages. Licences stay. */
const unused = /\.d\.[cm]?ts$|\.map$|\/(?:readme|changelog|history)[^/]*$|\/\.[^/]+$/i;

/** Files that only serve to compile llama.cpp and to start projects with it. */
const llamaUnused = /^\/(?:llama\/(?:gitRelease\.bundle|xpack|toolchains|profiles)|templates)(?:\/|$)/;

/** Sources of the addon over whisper.cpp, for the processor and for the GPUs that whisper-build.ts knows. */
const whisperUsed = new RegExp(
  String.raw`^/(?:package\.json|LICENSE|cpp/whisper\.cpp/(?:LICENSE|CMakeLists\.txt|(?:cmake|include|src|ggml)/.*))$`,
);
const whisperUnused = /\/ggml\/src\/ggml-(?!(?:cpu|cuda|metal|vulkan|blas)\/)[^/]+\//;

rmSync(join(target, 'node_modules'), { recursive: true, force: true });
for (const folder of copiedPackages())
  copyPackage(
    folder,
    folder === sourcesOnly
      ? (path) => whisperUsed.test(path) && !whisperUnused.test(path)
      : (path) => !unused.test(path) && !llamaUnused.test(path),
  );

// The sources of the stepper and libmtmd come in place of llama.cpp's history, which holds them packed.
const sources = join(target, withDependencies, packedSources);
unpackSources(sources);
rmSync(join(sources, '.git'), { recursive: true });

/** Copies the files whose path, with a slash in front, is used; packages inside the package are another matter. */
function copyPackage(folder: string, isUsed: (path: string) => boolean): void {
  const from = join(root, folder);
  cpSync(from, join(target, folder), {
    recursive: true,
    filter(source) {
      const path = `/${relative(from, source).replaceAll('\\', '/')}`;
      return statSync(source).isDirectory() ? path !== '/node_modules' : isUsed(path);
    },
  });
}
