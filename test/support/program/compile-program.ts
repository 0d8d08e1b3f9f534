/**
 * Once before all tests of a whole run: joins the 1,600 modules of the program, and those of processes that it starts
 * often, to a few files. A run starts some hundred servers and hundreds of commands and such processes, and a third of
 * the processor time of a start goes to finding modules one by one. `use-compiled.mjs` has Node take these files in
 * place of the sources.
 */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** What Node imports first to run the program as compiled. */
    readonly compiledProgram: string | undefined;
  }
}

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const outDir = join(repository, 'build/program');
/** Programs by their sources, without `src/` and `.ts`. */
const programs = [
  'cli/program',
  'engine/isolation/model-program',
  'engine/model-check/load-check-child',
  'engine/sandbox/sandbox-program',
];
/** They have native code, or look for files beside their own. */
const external = [
  '@hyzyla/pdfium',
  '@libav.js/variant-obsolete',
  '@silvia-odwyer/photon-node',
  'better-sqlite3',
  'node-llama-cpp',
  'pino',
  'unpdf',
];

const sourceOf = (program: string) => join(repository, `src/${program}.ts`);
const compiledOf = (program: string) => join(outDir, `${program.replaceAll('/', '-')}.mjs`);

/** Has each module know itself by the place of its source, and start the compiled programs. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    const started = code.replaceAll(
      /programBeside\(import\.meta\.url, '([^']+)'\)/g,
      (call, name: string) => {
        const source = join(id, '..', `${name}.ts`);
        const program = programs.find((one) => sourceOf(one) === source);
        return program === undefined ? call : JSON.stringify(compiledOf(program));
      },
    );
    return started.replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href));
  },
};

export async function setup(project: TestProject): Promise<void> {
  await build({
    configFile: false,
    root: repository,
    logLevel: 'error',
    plugins: [ownPlaces],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: relative(repository, outDir),
      target: 'esnext',
      minify: false,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(
          programs.map((program) => [program.replaceAll('/', '-'), sourceOf(program)]),
        ),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  const compiled = Object.fromEntries(
    programs.map((program) => [
      pathToFileURL(sourceOf(program)).href,
      pathToFileURL(compiledOf(program)).href,
    ]),
  );
  writeFileSync(join(outDir, 'compiled.json'), JSON.stringify(compiled));
  project.provide('compiledProgram', new URL('use-compiled.mjs', import.meta.url).href);
}
