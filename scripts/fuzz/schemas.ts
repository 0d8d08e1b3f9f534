/**
 * Compiles random schemas and ones made to be expensive in a process of its own, each under a limit of CPU time, and
 * checks with Ajv the texts of the grammars. Prints their outcomes, how long they took and which took longest. Exits
 * with 1 if one was not answered in time, crashed the compiler or led to an invalid document.
 *
 *   node scripts/fuzz/schemas.ts [--minutes 1] [--seed 1] [--limit-ms 1000]
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../../test/support/grammar/gbnf-sampler.ts';
import { quantile } from '../../src/cli/bench/statistics.ts';
import { nextCase, type FuzzCase } from './schemas/cases.ts';
import { SchemaJudge, type Verdict } from '../compare/judge-schemas/schema-judge.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    'limit-ms': { type: 'string', default: '1000' },
  },
});
const limitMs = Number(values['limit-ms']);
/** On a busy machine the CPU time of a process is a part of the time that passes. */
const patienceMs = 10 * limitMs;
interface Report extends FuzzCase {
  readonly compileMs: number;
  readonly parseMs: number;
  readonly steps: number;
  readonly result: string;
}

const reports: Report[] = [];
const failures: { readonly why: string; readonly fuzzCase: FuzzCase }[] = [];
let unjudged = 0;

function note(fuzzCase: FuzzCase, { about, ended }: Verdict): void {
  for (const judgement of about) {
    if (judgement.kind === 'invalid')
      failures.push({ why: `invalid by ${judgement.by}: ${judgement.text}`, fuzzCase });
    if (judgement.kind !== 'compiled' && judgement.kind !== 'refused') continue;
    const parseMs = judgement.kind === 'compiled' ? judgement.parseMs : 0;
    const result = judgement.kind === 'compiled' ? 'compiled' : judgement.code;
    reports.push({ ...fuzzCase, compileMs: judgement.compileMs, parseMs, steps: judgement.steps, result });
    if (judgement.compileMs + parseMs > limitMs)
      failures.push({ why: `${Math.round(judgement.compileMs)} + ${Math.round(parseMs)} ms`, fuzzCase });
    if (result === 'crash' && judgement.kind === 'refused')
      failures.push({ why: `crash: ${judgement.message}`, fuzzCase });
  }
  // Once a schema is compiled, only the validator takes long, which runs patterns as it likes.
  if (ended !== 'done' && about.length > 0) unjudged += 1;
  else if (ended !== 'done') failures.push({ why: ended, fuzzCase });
}

const random = seededRandom(Number(values.seed));
const until = performance.now() + Number(values.minutes) * 60_000;
const judge = new SchemaJudge(patienceMs);
while (performance.now() < until) {
  const fuzzCase = nextCase(random);
  note(fuzzCase, await judge.judge({ schema: fuzzCase.schema, samples: 5, instances: [] }));
}
judge.close();

const results = new Map<string, number>();
for (const { result } of reports) results.set(result, (results.get(result) ?? 0) + 1);
console.log(`${reports.length} schemas:`, Object.fromEntries(results));
console.log(`${unjudged} compiled ones took the validator too long`);
const times = (name: string, all: readonly number[]) =>
  console.log(
    name,
    ...[0.5, 0.95, 1].map((part) => `p${100 * part} ${(quantile(all, part) ?? 0).toFixed(1)} ms`),
  );
times(
  'compiling, all:',
  reports.map((report) => report.compileMs),
);
times(
  'compiling, random:',
  reports.filter(({ family }) => family === 'random').map(({ compileMs }) => compileMs),
);
times(
  'parsing by llama.cpp:',
  reports.filter(({ result }) => result === 'compiled').map(({ parseMs }) => parseMs),
);
console.log('slowest:');
for (const { family, compileMs, parseMs, steps, result, schema } of reports
  .toSorted((a, b) => b.compileMs - a.compileMs)
  .slice(0, 10))
  console.log(
    `  ${compileMs.toFixed(0)} ms, ${steps} steps, ${parseMs.toFixed(0)} ms to parse: ${family}, ${result},`,
    JSON.stringify(schema).slice(0, 100),
  );
console.log(`${failures.length} failures`);
for (const { why, fuzzCase } of failures.slice(0, 20))
  console.log(`  ${fuzzCase.family}, ${why}\n    ${JSON.stringify(fuzzCase.schema).slice(0, 600)}`);
if (failures.length > 0) process.exitCode = 1;
