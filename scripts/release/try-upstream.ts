import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import OpenAI from 'openai';
import { WorkerNetwork } from './try-upstream/worker-network.ts';
import { startServer, type RunningServer } from '../../test/support/server/start-server.ts';

const help = `Has hearth serve a model that llama.cpp's own server runs: alone, and over two machines.

Usage: node scripts/release/try-upstream.ts LLAMA-SERVER --model FILE [--rpc]

  LLAMA-SERVER  the program llama-server; with --rpc, ggml-rpc-server (or rpc-server) lies beside it
  --model FILE  a GGUF chat model
  --rpc         the model's layers are computed by two workers, each in a network namespace of its own, which are
                made and removed again (needs root and iproute2)

Prints what it runs and what came back. The exit status is 1 where an answer through hearth is not the server's own.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    rpc: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [llamaServer] = positionals;
if (values.help || llamaServer === undefined || values.model === undefined) process.stdout.write(help);
else await tryUpstream(llamaServer, values.model, values.rpc);

async function tryUpstream(program: string, model: string, withWorkers: boolean): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'hearth-try-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const workers = withWorkers ? startWorkers(program, stack) : [];
  const upstream = await startLlamaServer(program, model, workers, stack);
  print(`llama-server answers at ${upstream}`);
  for (const { pid, address } of workers) print(`worker ${address} holds ${residentMegabytes(pid)} MB`);
  const hearth = await startHearth(upstream, stack);
  await compare(upstream, hearth);
  await leaveEarly(upstream, hearth);
  for (const { pid, address } of workers) print(`worker ${address} holds ${residentMegabytes(pid)} MB`);
}

interface Worker {
  readonly address: string;
  readonly pid: number;
}

/** Two workers, each behind an address of its own, as two machines are. */
function startWorkers(server: string, stack: AsyncDisposableStack): readonly Worker[] {
  const names = ['ggml-rpc-server', 'rpc-server'].map((name) => join(dirname(server), name));
  const program = names.find((name) => existsSync(name));
  if (program === undefined) throw new Error(`there is no ${names.join(' or ')}`);
  const network = stack.use(new WorkerNetwork(2));
  return network.namespaces.map(({ name, address }) => {
    const args = ['netns', 'exec', name, program, '--host', address, '--port', '50052'];
    print(`ip ${args.join(' ')}`);
    const child = spawn('ip', args, { stdio: 'ignore' });
    stack.defer(() => end(child));
    return { address: `${address}:50052`, pid: child.pid ?? 0 };
  });
}

/** The base URL of a llama-server that has loaded the model. */
async function startLlamaServer(
  program: string,
  model: string,
  workers: readonly Worker[],
  stack: AsyncDisposableStack,
): Promise<string> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const rpc =
    workers.length === 0 ? [] : ['--rpc', workers.map(({ address }) => address).join(','), '-ngl', '99'];
  const args = ['-m', model, '--host', '127.0.0.1', '--port', String(port), '-np', '4', ...rpc];
  print(`${program} ${args.join(' ')}`);
  const child = spawn(program, args, { stdio: 'ignore' });
  stack.defer(() => end(child));
  const origin = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 240; attempt++) {
    const isUp = await fetch(`${origin}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return `${origin}/v1`;
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('llama-server does not answer');
}

async function startHearth(url: string, stack: AsyncDisposableStack): Promise<RunningServer> {
  const hearth = await startServer({
    modelsDirs: [],
    config: { demo: false, models: [{ id: 'llama', upstream: { url, concurrency: 4 } }] },
  });
  stack.defer(async () => void (await hearth.stop()));
  return hearth;
}

/** Asks the server and hearth for the same, and sets the exit status where the answers differ. */
async function compare(upstream: string, hearth: RunningServer): Promise<void> {
  const direct = new OpenAI({ baseURL: upstream, apiKey: 'none' });
  const through = new OpenAI({ baseURL: hearth.baseUrl, apiKey: hearth.apiKey });
  const ask = async (client: OpenAI) => {
    const startedAtMs = performance.now();
    const answer = await client.chat.completions.create({
      model: 'llama',
      messages: [{ role: 'user', content: 'Tell me a story.' }],
      temperature: 0,
      max_tokens: 64,
    });
    const ms = Math.round(performance.now() - startedAtMs);
    return { text: answer.choices[0]?.message.content ?? '', usage: answer.usage, ms };
  };
  await ask(direct);
  const [own, hearths] = [await ask(direct), await ask(through)];
  const isSame =
    own.text === hearths.text && own.usage?.completion_tokens === hearths.usage?.completion_tokens;
  print(`direct ${own.ms} ms, through hearth ${hearths.ms} ms, ${hearths.usage?.completion_tokens} tokens`);
  print(isSame ? 'the answers are the same' : `the answers differ:\n${own.text}\n${hearths.text}`);
  if (!isSame) process.exitCode = 1;
}

/** A client that leaves must free the server's slot. */
async function leaveEarly(upstream: string, hearth: RunningServer): Promise<void> {
  const leaver = new AbortController();
  const response = await fetch(`${hearth.baseUrl}/chat/completions`, {
    method: 'POST',
    signal: leaver.signal,
    headers: { authorization: `Bearer ${hearth.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'llama',
      messages: [{ role: 'user', content: 'Never stop.' }],
      stream: true,
      ignore_eos: true,
    }),
  });
  await response.body?.getReader().read();
  const leftAtMs = performance.now();
  leaver.abort();
  const slotsUrl = upstream.replace(/\/v1$/, '/slots');
  for (let attempt = 0; attempt < 100; attempt++) {
    const slots = (await (await fetch(slotsUrl)).json()) as readonly { readonly is_processing: boolean }[];
    if (!slots.some((slot) => slot.is_processing)) {
      print(`the slot of a client that left was free after ${Math.round(performance.now() - leftAtMs)} ms`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  print('the slot of a client that left is still busy');
  process.exitCode = 1;
}

/** Ends a process and waits for its end. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Main memory of the process, or of its child where it is `ip netns exec`, which becomes the program. */
function residentMegabytes(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  const pageBytes = Number(spawnSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }).stdout);
  return Math.round((pages * pageBytes) / 1e6);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
