/**
 * Tries random operations on limits, budgets, units and notices in several time zones beside a slow, plain model.
 * Prints the counts of answers; exits with 1 at the first difference, with the command that shows it again.
 *
 *   node scripts/fuzz/limits.ts [--operations 10000] [--seed NUMBER]
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { tryOperations, zones } from '../../test/unit/limits/limits-world.ts';

const { values } = parseArgs({
  options: { operations: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));

for (const [index, [zone, startMs]] of zones.entries()) {
  const beganMs = performance.now();
  try {
    const { answers, notices } = tryOperations(zone, startMs, Number(values.operations), seed + index);
    const seconds = ((performance.now() - beganMs) / 1000).toFixed(0);
    console.log(
      `${zone}: ${values.operations} operations, ${JSON.stringify(answers)}, ${notices} notices: equal, ${seconds} s`,
    );
  } catch (error) {
    console.error(error);
    console.error(`again: node scripts/fuzz/limits.ts --operations ${values.operations} --seed ${seed}`);
    process.exit(1);
  }
}
