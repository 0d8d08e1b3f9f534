/**
 * Kills a real server again and again while it computes a batch over several tiny models, and checks that each line has
 * exactly one result and one charge. Exits with 1 when anything is not as it should be.
 *
 *   node scripts/load/batches.ts [--lines 2000] [--models 3] [--kills 10] [--longest-ms 3000]
 */
import { parseArgs } from 'node:util';
import { runKilledBatch } from './batches/killed-batch.ts';

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '2000' },
    models: { type: 'string', default: '3' },
    kills: { type: 'string', default: '10' },
    'longest-ms': { type: 'string', default: '3000' },
  },
});

const { batch, interrupted, problems } = await runKilledBatch({
  lines: Number(values.lines),
  models: Number(values.models),
  kills: Number(values.kills),
  longestMs: Number(values['longest-ms']),
});
console.log(
  `${values.lines} lines over ${values.models} models, ${values.kills} kills: ${batch.status}, ` +
    `${JSON.stringify(batch.request_counts)}; ${interrupted} lines were in flight, and computed again`,
);
for (const problem of problems) console.error(`PROBLEM: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
