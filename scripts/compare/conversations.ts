/**
 * The cost of a conversation whose template leaves earlier thoughts out, for random models of all kinds of memory, beside
 * llama.cpp's server and another checkout of hearth: five turns, the last answer once more, and the second message edited.
 * Prints how many prompt tokens were computed, how long the first word of the fifth turn took (the median of all rounds,
 * which the servers take in turns), and by how much the memory of the process is larger than with a context of 512 tokens.
 *
 *   node scripts/compare/conversations.ts [--llama-server FILE] [--before CHECKOUT] [--context 32768] [--parallel 4]
 *        [--rounds 5] [--threads 2] [ARCHITECTURE…]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServer } from '../../test/support/server/start-server.ts';
import { streamChat, type BenchMessage, type ChatResult } from '../bench/server/chat-request.ts';
import type { Target } from '../bench/server/target.ts';
import { processRssBytes } from '../bench/figures/proc.ts';
import { quantile } from '../../src/cli/bench/statistics.ts';
import { writeTinyModel, type TinyModelOptions } from '../make/tiny-model/write-tiny-model.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'llama-server': { type: 'string' },
    before: { type: 'string' },
    context: { type: 'string', default: '32768' },
    parallel: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    threads: { type: 'string', default: '2' },
  },
});
const [context, parallel, rounds, threads] = [
  values.context,
  values.parallel,
  values.rounds,
  values.threads,
].map(Number) as [number, number, number, number];
const smallContext = 512;
const answerTokens = 24;
/** Unasked, hearth closes the thought that a template begins, and llama-server leaves it open. */
const thinking = { reasoning_enabled: true };

/** One of each kind of memory, with all kinds of layers. */
const models: readonly [NonNullable<TinyModelOptions['architecture']>, layers: number][] = [
  ['llama', 6],
  ['granitemoe', 6],
  ['gemma3', 12],
  ['gemma4', 12],
  ['gpt-oss', 6],
  ['lfm2', 6],
  ['granitehybrid', 6],
  ['qwen35', 6],
  ['mamba', 6],
];
/** ChatML that begins each answer with a thought, and leaves the thoughts of earlier turns out. */
const chatTemplate = [
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}",
  "{{ m.content.split('</think>')[-1] if m.role == 'assistant' else m.content }}{{ '<|im_end|>\\n' }}{% endfor %}",
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}",
].join('');

interface Server extends AsyncDisposable {
  readonly target: Target & { readonly pid: number };
}
type Start = (file: string, contextTokens: number) => Promise<Server>;

const startHearth =
  (checkout = '.'): Start =>
  async (file, contextTokens) => {
    const model = { id: 'm', source: file, context: contextTokens, parallel, threads };
    const server = await startServer({
      modelsDirs: [],
      config: { demo: false, models: [model] },
      program: resolve(checkout, 'src/cli.ts'),
    });
    const { baseUrl, apiKey, pid } = server;
    return {
      target: { name: checkout, baseUrl, model: 'm', apiKey, pid },
      [Symbol.asyncDispose]: async () => void (await server.stop()),
    };
  };

const startLlama =
  (program: string): Start =>
  async (file, contextTokens) => {
    const port = await freePort();
    const size = ['-c', String(contextTokens * parallel), '-np', String(parallel), '-t', String(threads)];
    const child = spawn(program, ['-m', file, ...size, '--port', String(port)], { stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    while (!(await fetch(`${url}/health`).catch(() => undefined))?.ok) await delay(100);
    const target = {
      name: 'llama-server',
      baseUrl: `${url}/v1`,
      model: 'm',
      apiKey: undefined,
      pid: child.pid ?? 0,
    };
    return {
      target,
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL');
        await once(child, 'close');
      },
    };
  };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const words = 'the sea was calm and small boats came home late with fish for an old town by a hill'.split(
  ' ',
);
const textOf = (seed: number): string =>
  Array.from({ length: 110 }, (_, at) => words[(at * (seed + 2) + seed * 5) % words.length]).join(' ');

/** The messages of `count` turns, the last of them not answered. */
const turns = (seed: number, count: number): BenchMessage[] =>
  Array.from({ length: 2 * count - 1 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: textOf(seed * 100 + at),
  }));

interface Cost {
  readonly promptTokens: number;
  readonly computedTokens: number;
  readonly fifthTurnMs: number;
}

const chat = (target: Target, messages: readonly BenchMessage[]): Promise<ChatResult> =>
  streamChat(target, messages, answerTokens, undefined, thinking);

async function converse({ target }: Server, seed: number): Promise<Cost> {
  const edited: BenchMessage[] = [
    ...turns(seed, 5).slice(0, 2),
    { role: 'user', content: textOf(seed + 77) },
  ];
  const conversation = [...[1, 2, 3, 4, 5, 5].map((count) => turns(seed, count)), edited];
  const results: ChatResult[] = [];
  for (const messages of conversation) results.push(await chat(target, messages));
  for (const { error } of results) if (error !== undefined) throw new Error(`${target.name}: ${error}`);
  const total = (of: (result: ChatResult) => number) => results.reduce((sum, result) => sum + of(result), 0);
  return {
    promptTokens: total(({ promptTokens }) => promptTokens),
    computedTokens: total(({ promptTokens, cachedTokens }) => promptTokens - cachedTokens),
    fifthTurnMs: results[4]?.timeToFirstTokenMs ?? Number.NaN,
  };
}

const residentMebibytes = ({ target: { pid } }: Server): number =>
  (processRssBytes(pid) ?? Number.NaN) / 2 ** 20;

async function mebibytesWith(start: Start, file: string, contextTokens: number): Promise<number> {
  await using server = await start(file, contextTokens);
  await chat(server.target, [{ role: 'user', content: 'hi' }]);
  return residentMebibytes(server);
}

async function compareWith(file: string, name: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const servers: Server[] = [];
  const larger: number[] = [];
  for (const start of Object.values(starts)) {
    const smallMebibytes = await mebibytesWith(start, file, smallContext);
    const server = stack.use(await start(file, context));
    servers.push(server);
    await chat(server.target, [{ role: 'user', content: 'hi' }]);
    larger.push(residentMebibytes(server) - smallMebibytes);
  }
  const costs: Cost[][] = servers.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < servers.length; turn++) {
      const at = (turn + round) % servers.length;
      const server = servers[at];
      if (server !== undefined) costs[at]?.push(await converse(server, round + 1));
    }
  for (const [at, label] of Object.keys(starts).entries()) {
    const [first] = costs[at] ?? [];
    const ms =
      quantile(
        (costs[at] ?? []).map(({ fifthTurnMs }) => fifthTurnMs),
        0.5,
      ) ?? Number.NaN;
    const computed = `${first?.computedTokens} of ${first?.promptTokens}`.padStart(14);
    const mebibytes = (larger[at] ?? 0).toFixed(0).padStart(8);
    const firstWordMs = ms.toFixed(1).padStart(10);
    console.log(`${name.padEnd(14)}${label.padEnd(14)}${computed}${firstWordMs} ms${mebibytes} MiB`);
  }
}

const starts: Readonly<Record<string, Start>> = {
  hearth: startHearth(),
  ...(values.before !== undefined && { before: startHearth(values.before) }),
  ...(values['llama-server'] !== undefined && { 'llama-server': startLlama(values['llama-server']) }),
};
const folder = mkdtempSync(join(tmpdir(), 'hearth-conversations-'));
try {
  for (const [architecture, layers] of models) {
    if (positionals.length > 0 && !positionals.includes(architecture)) continue;
    const file = join(folder, `${architecture}.gguf`);
    const sizes = { layers, hiddenSize: 256, headCount: 8, headCountKv: 4, feedForwardSize: 512 };
    const made = { ...sizes, chatTemplate, contextTokens: 40_960, seed: 3, asciiOnly: true };
    await writeTinyModel(file, { architecture, ...made });
    await compareWith(file, architecture);
    rmSync(file);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
