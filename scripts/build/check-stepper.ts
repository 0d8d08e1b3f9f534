/**
 * Builds the stepper with a compiler's checks of memory (AddressSanitizer) and of threads (ThreadSanitizer), and runs
 * the tests of its room with each build. Linux with GCC or Clang.
 *
 *   node scripts/build/check-stepper.ts [address] [thread]
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cmakeSettingsOf, runTool } from '../../src/engine/addons/build-addon.ts';
import { stepperBuild } from '../../src/engine/llama/native/builds/stepper-build.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const checks = {
  address: { library: 'libasan.so', options: { ASAN_OPTIONS: 'detect_leaks=0' } },
  thread: { library: 'libtsan.so', options: { TSAN_OPTIONS: 'ignore_noninstrumented_modules=1' } },
} as const;

const asked = process.argv.slice(2);
for (const [name, { library, options }] of Object.entries(checks)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'hearth-check-'));
  try {
    console.log(`-fsanitize=${name}`);
    const file = build(folder, name);
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', 'test/unit/engine/llama'],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, ...options, CI: 'true', HEARTH_STEPPER: file, LD_PRELOAD: pathOf(library) },
      },
    );
    if (status !== 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(folder: string, check: string): string {
  const parts = join(folder, 'parts');
  mkdirSync(parts);
  const flags = `-fsanitize=${check} -fno-omit-frame-pointer -g`;
  const settings = [...cmakeSettingsOf(stepperBuild(), parts), `-DCMAKE_CXX_FLAGS=${flags}`];
  const out = join(folder, 'out');
  runTool('cmake', ['-S', join(root, stepperBuild().addon.sourceDir), '-B', out, ...settings]);
  runTool('cmake', ['--build', out, '--parallel', String(availableParallelism())]);
  return join(out, 'hearth_stepper.node');
}

/** The compiler's own copy: the checks must be loaded before anything else. */
function pathOf(library: string): string {
  return spawnSync('c++', [`-print-file-name=${library}`], { encoding: 'utf8' }).stdout.trim();
}
