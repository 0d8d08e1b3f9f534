/**
 * Compares the tokens that 10,000 requests with random sampling parameters draw within steps and, through node-llama-cpp
 * alone, after them. The exit code is 1 where they are not of the same distribution, four standard deviations away.
 *
 *   node scripts/compare/draws.ts [--kinds 100] [--seeds 100]
 */
import { parseArgs } from 'node:util';
import { compareDraws } from '../../test/support/engine/compare-draws.ts';
import { openNativeFixture } from '../../test/support/models/native-model.ts';

const { values } = parseArgs({
  options: { kinds: { type: 'string', default: '100' }, seeds: { type: 'string', default: '100' } },
});

await using fixture = await openNativeFixture();
if (fixture.native.stepper === undefined) throw new Error('the stepper is not built: npm run build:addons');
const { requests, differing, squares, freedom } = await compareDraws(
  fixture,
  Number(values.kinds),
  Number(values.seeds),
);
const deviations = (squares - freedom) / Math.sqrt(2 * freedom);
console.log(`${requests} requests on each path`);
console.log(`${differing} of them drew another token by the same seed`);
console.log(
  `chi-square ${squares.toFixed(1)} for ${freedom} degrees of freedom: ${deviations.toFixed(2)} deviations`,
);
process.exitCode = deviations < 4 ? 0 : 1;
