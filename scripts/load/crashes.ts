/**
 * Crashes the processes of isolated models in the middle of load, in every way there is, and checks that their users
 * get: no request without an end, exact charges, other models that go on as before, and a model that is soon there
 * again. Exits with 1 when anything is not as it should be.
 *
 *   node scripts/load/crashes.ts [--crashes 20] [--clients 16] [--hostile FILE that aborts when it is loaded]
 */
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openIsolated } from '../../test/support/server/isolated-server.ts';
import { ledgerOf } from '../../test/support/watch/ledger.ts';
import { sharedModel } from '../../test/support/models/shared-models.ts';
import { startServer } from '../../test/support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../test/support/models/tiny-model.ts';
import { compareCharges } from './crashes/charges.ts';
import { longestPauseMs, streamAnswer, type Seen } from './crashes/client.ts';
import { MemoryGroup, whyNoMemoryGroups } from './crashes/memory-group.ts';

const { values } = parseArgs({
  options: {
    crashes: { type: 'string', default: '20' },
    clients: { type: 'string', default: '16' },
    hostile: { type: 'string', default: sharedModel('hostile-aborts-on-load.gguf') ?? '' },
  },
});
/** Longer than a process must live for its crash not to count towards parking its model. */
const calmMs = 3500;
const mostDisturbedMs = 100;
const mostBackMs = 3000;
const patienceMs = 60_000;
/** Memory that a process may take in addition before it is killed for it. */
const moreMemoryBytes = 2 ** 20;

const ids = ['red', 'green', 'blue'];
const noGroups = whyNoMemoryGroups();
if (noGroups !== undefined) console.log(`no crash for want of memory: ${noGroups}`);
if (values.hostile === '') console.log('no model that aborts while it is loaded: name one with --hostile');
const ways = [
  'SIGKILL',
  'SIGABRT',
  'SIGSTOP',
  ...(noGroups === undefined ? (['memory'] as const) : []),
  ...(values.hostile === '' ? [] : (['hostile'] as const)),
] as const;

await using stack = new AsyncDisposableStack();
/** Small files that take as long per token as those of users do. */
const shape = { hiddenSize: 256, headCountKv: 4, feedForwardSize: 512, layers: 8, contextTokens: 8192 };
const files = await Promise.all(
  ids.map(async (id, seed) => [id, await tinyModel({ ...shape, seed, endOfTurnGain: 0 })] as const),
);
const modelsDir = await createModelsDir({
  ...Object.fromEntries(files),
  ...(values.hostile !== '' && { hostile: values.hostile }),
});
stack.defer(() => rm(modelsDir, { recursive: true, force: true }));
const server = await startServer({
  modelsDirs: [modelsDir],
  config: {
    demo: false,
    isolation: 'process',
    models: ids.map((id) => ({ id, threads: 1, context: 8192, parallel: 8, preload: true })),
  },
});
stack.defer(async () => void (await server.stop()));
const isolated = await openIsolated(server);
const seen: Seen[] = [];
const problems: string[] = [];
const over = new AbortController();

async function client(index: number): Promise<void> {
  while (!over.signal.aborted) {
    const answer = await streamAnswer(
      server,
      ids[index % ids.length] ?? '',
      40 + Math.floor(Math.random() * 200),
    );
    seen.push(answer);
    if (answer.end !== 'whole') await sleep(100);
  }
}

/** The process of a model that is loaded; undefined as long as none is. */
async function pidOf(id: string): Promise<number | undefined> {
  const { state, pid } = await isolated.statusOf(id);
  return state === 'loaded' ? (pid ?? undefined) : undefined;
}

async function until<Value>(look: () => Promise<Value | undefined>, what: string): Promise<Value> {
  const endMs = Date.now() + patienceMs;
  while (Date.now() < endMs) {
    const value = await look();
    if (value !== undefined) return value;
    await sleep(20);
  }
  throw new Error(`${what}: not within ${patienceMs / 1000} s`);
}

interface Crash {
  readonly way: (typeof ways)[number];
  readonly victim: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

async function crash(way: Crash['way'], victim: string): Promise<Crash> {
  for (const id of ids) await until(() => pidOf(id), `${id} is loaded`);
  await sleep(calmMs);
  const pid = await until(() => pidOf(victim), `${victim} is loaded`);
  const fromMs = Date.now();
  if (way === 'hostile') {
    await isolated.admin('/hostile/unload', 'POST');
    // Another time of change, so that the file is tried anew.
    await utimes(join(modelsDir, 'hostile.gguf'), fromMs / 1000, fromMs / 1000);
    const answer = await streamAnswer(server, 'hostile', 1);
    seen.push(answer);
    if (answer.end !== 'model_load_failed') problems.push(`the file that aborts: ${answer.end}`);
    return { way, victim: 'hostile', fromMs, untilMs: Date.now() };
  }
  using group = way === 'memory' ? new MemoryGroup(moreMemoryBytes) : undefined;
  if (way === 'memory') group?.add(pid);
  else process.kill(pid, way);
  const another = async () => {
    const now = await pidOf(victim);
    return now === pid ? undefined : now;
  };
  await until(another, `${victim} is there again after ${way}`);
  return { way, victim, fromMs, untilMs: Date.now() };
}

const clients = Promise.all(Array.from({ length: Number(values.clients) }, (_, index) => client(index)));
const crashes: Crash[] = [];
for (let index = 0; index < Number(values.crashes); index++) {
  const [way = 'SIGKILL', victim = ''] = [ways[index % ways.length], ids[index % ids.length]];
  console.log(`crash ${index + 1}: ${way}`);
  crashes.push(await crash(way, victim));
}
await sleep(calmMs);
over.abort();
await clients;

interface LogLine {
  readonly time: string;
  readonly msg: string;
  readonly model?: string;
  readonly loadMs?: number;
}
const log = server
  .stderr()
  .split('\n')
  .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
const entryAfter = (msg: string, { victim, fromMs }: Crash) =>
  log.find(({ time, msg: said, model }) => said === msg && model === victim && Date.parse(time) >= fromMs);

for (const one of crashes) {
  const { way, victim, fromMs, untilMs } = one;
  const others = seen.filter(({ modelId }) => modelId !== victim);
  const lengthMs = untilMs - fromMs;
  const beforeMs = longestPauseMs(others, fromMs - Math.max(lengthMs, calmMs), fromMs);
  const duringMs = longestPauseMs(others, fromMs, untilMs);
  const [lost, loaded] = [entryAfter('model lost', one), entryAfter('model loaded', one)];
  const lostMs = lost && Date.parse(lost.time) - fromMs;
  const backMs = lost && loaded && Date.parse(loaded.time) - Date.parse(lost.time) - (loaded.loadMs ?? 0);
  const back =
    backMs === undefined
      ? ''
      : `, noticed after ${lostMs} ms, back ${backMs} ms later plus ${loaded?.loadMs} ms of load`;
  console.log(`${way} ${victim}: longest pause of others ${duringMs} ms, before ${beforeMs} ms${back}`);
  if (duringMs - beforeMs > mostDisturbedMs)
    problems.push(`${way} ${victim} disturbed others: ${duringMs} ms`);
  if (way !== 'hostile' && (backMs === undefined || backMs > mostBackMs))
    problems.push(`${way} ${victim}: back after ${backMs} ms`);
}
const ends = Map.groupBy(seen, ({ end }) => end);
const counts = [...ends].map(([end, answers]) => `${answers.length} ${end}`).join(', ');
console.log(`${seen.length} requests of ${values.clients} clients: ${counts}`);
for (const end of ends.keys())
  if (!['whole', 'model_unavailable', 'model_load_failed'].includes(end))
    problems.push(`requests that ended with ${end}`);
for (const id of [...ids, 'hostile']) problems.push(...compareCharges(id, seen, ledgerOf(server)));
for (const problem of problems) console.error(`PROBLEM: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
