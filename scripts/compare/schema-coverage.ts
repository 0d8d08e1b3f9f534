/**
 * Compiles all schemas in a folder as requests do, and prints for each of its folders how many are taken as they are,
 * how long they take, and whether the texts that their grammars allow are valid by two validators; then why the others
 * are refused. Where the files come with instances, the grammars are asked about those. Exits with 1 if an invalid
 * document was written or accepted.
 *
 *   node scripts/compare/schema-coverage.ts FOLDER [--samples 10] [--every 1] [--examples 1]
 */
import { parseArgs } from 'node:util';
import { quantile } from '../../src/cli/bench/statistics.ts';
import { SchemaJudge } from './judge-schemas/schema-judge.ts';
import { casesIn } from './schema-coverage/cases.ts';
import { Tally } from './schema-coverage/tally.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    samples: { type: 'string', default: '10' },
    every: { type: 'string', default: '1' },
    examples: { type: 'string', default: '1' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Usage: FOLDER [--samples 10] [--every 1] [--examples 1]');
const [samples, every, examples] = [values.samples, values.every, values.examples].map(Number);

/** More than a request gets: here the validators take their time as well. */
const judge = new SchemaJudge(30_000);
const all = new Tally('all');
const groups = new Map<string, Tally>();
let at = 0;
for (const one of casesIn(folder)) {
  if (at++ % (every ?? 1) !== 0) continue;
  const group = groups.get(one.group) ?? new Tally(one.group);
  groups.set(one.group, group);
  const { schema, equivalent = schema, instances } = one;
  const verdict = await judge.judge({ schema, equivalent, samples: samples ?? 0, instances });
  for (const tally of [group, all]) tally.add(one.name, verdict);
}
judge.close();

const rows = groups.size > 1 ? [...groups.values(), all] : [all];
const ms = (times: readonly number[], part: number) => (quantile(times, part) ?? 0).toFixed(1);
console.table(
  rows.map((row) => ({
    schemas: row.name,
    count: row.schemas,
    'taken %': ((100 * row.compiled) / row.schemas).toFixed(1),
    'with ignored': row.withIgnored,
    'p50 ms': ms(row.times, 0.5),
    'p95 ms': ms(row.times, 0.95),
    'max ms': ms(row.times, 1),
    written: row.written,
    invalid: row.invalid.length,
    'valid accepted': `${row.validAccepted} / ${row.validAsked}`,
    'invalid accepted': `${row.invalidAccepted.length} / ${row.invalidAsked}`,
  })),
);
const refused = all.schemas - all.compiled;
console.log(`\n${refused} refused:`);
for (const [reason, names] of [...all.reasons].toSorted(([, a], [, b]) => b.length - a.length))
  console.log(`${String(names.length).padStart(6)}  ${reason}`, names.slice(0, examples));
const failures = [...all.invalid, ...all.invalidAccepted];
console.log(`\n${failures.length} invalid documents written or accepted`);
for (const failure of failures.slice(0, 50)) console.log(`  ${failure}`);
if (failures.length > 0) process.exitCode = 1;
