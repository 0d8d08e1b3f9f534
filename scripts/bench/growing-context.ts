/**
 * The figures of a context that grows: memory after the load and after an idle time, a prompt far longer than an equal
 * part of the context beside four chats, the time of all moves of a conversation that grows, and four requests with one
 * prefix. With --llama-server the last two stand beside its one pool with as many cells as hearth may grow to. Linux.
 *
 *   node scripts/bench/growing-context.ts [--llama-server FILE] [--idle-minutes 4]
 */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServer } from '../../test/support/server/start-server.ts';
import { tinyModel } from '../../test/support/models/tiny-model.ts';
import { RandomStream } from '../make/random-stream.ts';
import { processRssBytes } from './figures/proc.ts';
import { streamChat, type BenchMessage } from './server/chat-request.ts';
import { calibratePromptWriter } from './server/prompt-writer.ts';
import type { Target } from './server/target.ts';

const { values } = parseArgs({
  options: { 'llama-server': { type: 'string' }, 'idle-minutes': { type: 'string', default: '4' } },
});

const shape = { hiddenSize: 256, headCount: 4, headCountKv: 4, feedForwardSize: 512, layers: 8 };
const parallel = 4;
const trainedTokens = 32_768;
/** Keys and values of all layers, two bytes a number. */
const cellBytes = 2 * 2 * shape.layers * shape.hiddenSize;
/** With these each of the four slots got 5,120 tokens where a quarter of the memory was parted equally among them. */
const memoryBytes = 4 * parallel * 5120 * cellBytes;

await using stack = new AsyncDisposableStack();
const source = await tinyModel({ ...shape, contextTokens: trainedTokens, endOfTurnGain: 0 });
const server = await startServer({
  modelsDirs: [],
  config: {
    demo: false,
    memory: `${memoryBytes}`,
    models: [{ id: 'bench', source, parallel, threads: 2 }],
  },
});
stack.defer(async () => void (await server.stop()));
const { baseUrl, apiKey, pid } = server;
const hearth: Target = { name: 'hearth', baseUrl, model: 'bench', apiKey, pid };
const random = new RandomStream(1);
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
const rss = () => processRssBytes(pid) ?? Number.NaN;

const withoutModel = rss();
const writer = await calibratePromptWriter(hearth);
const leastBytes = statSync(source).size + parallel * 2048 * cellBytes;
console.log(`memory for models: ${mib(memoryBytes)}, ${cellBytes} bytes a token`);
console.log(
  `after the load: ${mib(rss() - withoutModel)} more; weights and 4 × 2,048 cells have ${mib(leastBytes)}`,
);

/** Tokens of the prompt and of the answer, and when its first one came. */
async function ask(target: Target, content: string, answerTokens: number) {
  const { error, promptTokens, completionTokens, cachedTokens, timeToFirstTokenMs } = await streamChat(
    target,
    [{ role: 'user', content }],
    answerTokens,
  );
  return {
    error,
    promptTokens,
    completionTokens,
    cachedTokens,
    firstMs: Math.round(timeToFirstTokenMs ?? 0),
  };
}

const moves = () =>
  server
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"context changed"'))
    .map((line) => JSON.parse(line) as { cells: number; isUnified: boolean; elapsedMs: number });

console.log('a prompt of 19,000 tokens beside four chats of 1,000:');
console.table(
  await Promise.all([
    ask(hearth, writer.wholePrompt(19_000, random), 64),
    ...[1, 2, 3, 4].map(() => ask(hearth, writer.wholePrompt(1000, random), 200)),
  ]),
);
console.table(moves().map(({ cells, isUnified, elapsedMs }) => ({ cells, isUnified, elapsedMs })));

await sleep(Number(values['idle-minutes']) * 60_000);
console.log(
  `after ${values['idle-minutes']} idle minutes: ${mib(rss() - withoutModel)} more than without the model`,
);

const before = moves().length;
const conversation: BenchMessage[] = [];
let promptMs = 0;
for (const tokens of [1900, 1900, 3800, 7600]) {
  conversation.push({ role: 'user', content: writer.text(tokens, random) });
  const { text, timeToFirstTokenMs, error } = await streamChat(hearth, conversation, 16);
  if (error !== undefined) throw new Error(error);
  conversation.push({ role: 'assistant', content: text });
  promptMs += timeToFirstTokenMs ?? 0;
}
const moved = moves().slice(before);
const movesMs = moved.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
console.log(
  `a conversation that doubles three times: ${moved.length} moves took ${movesMs} ms of ${promptMs.toFixed(0)} ms of prompts: ${((100 * movesMs) / promptMs).toFixed(1)} %`,
);

await compare(hearth);
if (values['llama-server'] !== undefined) {
  // As many cells as hearth may have for one request, in one pool.
  const response = await fetch(`${baseUrl}/models/bench`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { context_window: cells } = (await response.json()) as { context_window: number };
  const port = 18_474;
  const flags = ['-m', source, '-np', `${parallel}`, '-c', `${cells}`, '--kv-unified', '--port', `${port}`];
  const child = spawn(values['llama-server'], flags, { stdio: 'ignore' });
  stack.defer(() => void child.kill());
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(100);
  console.log(`llama-server with one pool of ${cells} cells:`);
  const target: Target = {
    name: 'llama-server',
    baseUrl: `${url}/v1`,
    model: 'bench',
    apiKey: undefined,
    pid: child.pid,
  };
  await compare(target);
}

/** Four requests with one prefix, then four that together need more cells than there are, then a long one alone. */
async function compare(target: Target): Promise<void> {
  const words = new RandomStream(2);
  const askAll = async (contents: readonly string[], answerTokens: number) =>
    console.table(await Promise.all(contents.map((content) => ask(target, content, answerTokens))));
  const four = [1, 2, 3, 4];
  const prefix = writer.text(5000, words);
  console.log(`${target.name}: four requests with one prefix of 5,000 tokens`);
  await askAll(
    four.map(() => `${prefix} ${writer.text(50, words)}`),
    64,
  );
  console.log(`${target.name}: four prompts of 11,000 tokens and answers of 400, then one prompt of 31,000`);
  await askAll(
    four.map(() => writer.text(11_000, words)),
    400,
  );
  await askAll([writer.text(31_000, words)], 16);
}
