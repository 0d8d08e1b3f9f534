/**
 * Puts real load on the model pool of a real server: clients that ask five models at random under a budget that holds
 * two of them. Exits with 1 when a request fails, a model answers that was not in memory, the memory goes beyond the
 * budget, or another model is evicted than the one that was not used for longest.
 *
 *   node scripts/load/pool.ts [--seconds 120] [--clients 16] [--models 5]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rm } from 'node:fs/promises';
import { startServer, type RunningServer } from '../../test/support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../test/support/models/tiny-model.ts';
import { processRssBytes } from '../bench/figures/proc.ts';
import { quantile } from '../../src/cli/bench/statistics.ts';
import { ask, type Served } from './pool/client.ts';
import { readPoolHistory } from './pool/server-log.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    clients: { type: 'string', default: '16' },
    models: { type: 'string', default: '5' },
  },
});
const ids = Array.from({ length: Number(values.models) }, (_, index) => `model-${index}`);
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

await using stack = new AsyncDisposableStack();
/** Small files with large caches: quick to load, and easy to see in the memory of the process. */
const files = await Promise.all(
  ids.map(async (id, seed) => {
    const shape = { hiddenSize: 256, headCountKv: 4, feedForwardSize: 512, layers: 8, contextTokens: 8192 };
    return [id, await tinyModel({ ...shape, seed, endOfTurnGain: 0 })] as const;
  }),
);
const modelsDir = await createModelsDir(Object.fromEntries(files));
stack.defer(() => rm(modelsDir, { recursive: true, force: true }));

async function start(memory: string): Promise<RunningServer> {
  const models = ids.map((id) => ({ id, threads: 1, context: 2048, parallel: 8 }));
  const server = await startServer({
    modelsDirs: [modelsDir],
    config: { models, memory, loadTimeout: '5m' },
  });
  stack.defer(async () => void (await server.stop()));
  return server;
}

const trial = await start('8GiB');
await ask(trial, ids[0] ?? '', 1);
const { largestBytes } = readPoolHistory(trial.stderr());
await trial.stop();
// An eighth of it is for the caches of idle conversations: the rest holds two models, and not three.
const budgetBytes = Math.ceil(largestBytes * 2.6);

const server = await start(`${budgetBytes}`);
// The program's own memory is read once it has loaded and unloaded each model.
for (const id of ids) await ask(server, id, 1, { keep_alive: 0 });
while (readPoolHistory(server.stderr()).stays.some(({ untilMs }) => untilMs === Number.POSITIVE_INFINITY))
  await sleep(50);
const idleBytes = processRssBytes(server.pid) ?? Number.NaN;
const served: Served[] = [];
const endMs = Date.now() + Number(values.seconds) * 1000;
let peakBytes = 0;
const over = new AbortController();
async function client(): Promise<void> {
  while (Date.now() < endMs) {
    const modelId = ids[Math.floor(Math.random() * ids.length)] ?? '';
    served.push(await ask(server, modelId, 4 + Math.floor(Math.random() * 28)));
  }
}
async function watch(): Promise<void> {
  while (!over.signal.aborted) {
    peakBytes = Math.max(peakBytes, processRssBytes(server.pid) ?? 0);
    await sleep(50);
  }
}
const watching = watch();
await Promise.all(Array.from({ length: Number(values.clients) }, client));
over.abort();
await watching;

const { stays, evictions, wrongEvictions } = readPoolHistory(server.stderr());
const failures = served.flatMap(({ modelId, failure }) =>
  failure === undefined ? [] : [`${modelId}: ${failure}`],
);
const unserved = served.filter(
  ({ modelId, firstTokenMs, endedMs, failure }) =>
    failure === undefined &&
    !stays.some((stay) => stay.modelId === modelId && stay.fromMs <= firstTokenMs && endedMs <= stay.untilMs),
);
const grownBytes = peakBytes - idleBytes;
const waits = served.map(({ sentMs, firstTokenMs }) => firstTokenMs - sentMs);
console.log(
  `${served.length} requests by ${values.clients} clients in ${values.seconds} s to ${ids.length} models of ` +
    `${mib(largestBytes)} under ${mib(budgetBytes)}: ${evictions} evictions, ${stays.length} loads`,
);
console.log(
  `first token after ${((quantile(waits, 0.5) ?? 0) / 1000).toFixed(1)} s (p50), ` +
    `${((quantile(waits, 1) ?? 0) / 1000).toFixed(1)} s (most)`,
);
console.log(`memory: ${mib(idleBytes)} without models, at most ${mib(grownBytes)} more with them`);
tell('requests failed', failures);
tell(
  'answers by a model that was not in memory',
  unserved.map(({ modelId }) => modelId),
);
tell('evictions out of order', wrongEvictions);
tell('over budget', grownBytes <= budgetBytes ? [] : [mib(grownBytes)]);
if (evictions === 0) tell('no eviction', ['the load was too light']);

function tell(what: string, problems: readonly string[]): void {
  console.log(`${problems.length} ${what}`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
