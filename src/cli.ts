#!/usr/bin/env node
/**
 * Prepares the process and loads the program. It imports nothing before that: an old Node would end at the first import
 * that it does not know, before it could say which one is needed, and both steps have no effect later.
 */
// llama.cpp computes in libuv's pool, which gets one thread: with two, the jobs of a step compete for the cores, and
// eight streams were a fifth slower. The price is that streams pause while another model loads.
process.env['UV_THREADPOOL_SIZE'] ??= '1';

// As package.json's `engines` has it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if ((major === 22 && minor >= 21) || (major === 24 && minor >= 5) || major > 24) {
  await keepCompiledCode();
  await import('./cli/program.ts');
} else {
  process.stderr.write(
    `hearth needs Node 22.21 or newer of 22, or 24.5 or newer; this is ${process.version}. In a clone use "npm start", which brings its own.\n`,
  );
  process.exitCode = 1;
}

/**
 * Has Node keep the code of hearth and its packages as compiled, for this process and those that it starts: a start
 * from sources takes 1.7 s of processor time instead of 3.1 s. Where the folder cannot be written, nothing is kept.
 */
async function keepCompiledCode(): Promise<void> {
  const [{ enableCompileCache }, { homedir }, { default: path }] = await Promise.all([
    import('node:module'),
    import('node:os'),
    import('node:path'),
  ]);
  const cacheHome = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  process.env['NODE_COMPILE_CACHE'] ??= path.join(cacheHome, 'hearth', 'compiled');
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}
