/**
 * Tries the properties of test/unit and test/http with other values than CI does, again and again. Exits with 1 at the
 * first that fails, and prints how to see it again.
 *
 *   node scripts/fuzz/properties.ts [--minutes 5] [--seed NUMBER]
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
});
const files = globSync('test/{unit,http}/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes('support/properties.ts'),
);
const endMs = performance.now() + Number(values.minutes) * 60_000;
let rounds = 0;
do {
  const seed = values.seed ?? String(randomInt(2 ** 31));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...files],
    { env: { ...process.env, HEARTH_TEST_SEED: seed }, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  rounds += 1;
  if (status !== 0) {
    console.log(stdout, stderr);
    console.log(`failed; again: node scripts/fuzz/properties.ts --seed ${seed}`);
    process.exit(1);
  }
} while (values.seed === undefined && performance.now() < endMs);
console.log(`${files.length} files of properties held, ${rounds} times`);
