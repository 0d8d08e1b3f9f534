import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dependencyDir, packageDir } from '../../src/engine/addons/addon.ts';
import { stepperAddon } from '../../src/engine/llama/native/builds/stepper-addon.ts';

const sources = join(packageDir, stepperAddon.sourceDir, 'runtime');

/**
 * Throws where one of node-llama-cpp's packages of libraries for Linux that are installed lacks a function of llama.cpp
 * that the stepper looks up, or that one of the compiled addons in `files` finds there when it is loaded.
 */
export function checkSymbols(files: readonly string[]): void {
  const text = ['llama-api.h', 'llama-api.cc']
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .join('');
  const looked = [...text.matchAll(/\beach\((\w+)\)|\bfind\(library, "(\w+)"/g)].map(
    ([, name, other = '']) => name ?? other,
  );
  const left = files.flatMap((file) =>
    symbolsOf(file, true).filter((name) => /^(?:llama|ggml|gguf)_/.test(name)),
  );
  for (const folder of libraryFolders()) {
    const libraries = readdirSync(folder).filter((name) => name.endsWith('.so'));
    const found = new Set(libraries.flatMap((name) => symbolsOf(join(folder, name), false)));
    const missing = [...new Set([...looked, ...left])].filter((name) => !found.has(name));
    if (missing.length > 0) throw new Error(`the libraries in ${folder} have no ${missing.join(', ')}`);
    console.log(`${folder}: all ${looked.length + left.length} functions of llama.cpp are there`);
  }
}

function libraryFolders(): string[] {
  const packages = join(dirname(dependencyDir(stepperAddon.library)), '@node-llama-cpp');
  return readdirSync(packages)
    .map((name) => join(packages, name, 'bins', name))
    .filter((folder) => folder.includes('linux-') && existsSync(folder));
}

/** Names of the functions in a library that it has, or that others must have. */
function symbolsOf(file: string, isMissing: boolean): string[] {
  const told = execFileSync('nm', ['-D', isMissing ? '--undefined-only' : '--defined-only', file], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return told.split('\n').map((line) => line.split(' ').at(-1) ?? '');
}
