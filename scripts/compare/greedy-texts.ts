/**
 * Has llama.cpp's own server write greedy texts, and writes them down for test/e2e/generation/greedy-texts.test.ts. A text ends
 * before the first token whose lead is so small that another processor's rounding could change it.
 *
 *   node scripts/compare/greedy-texts.ts --server /path/to/llama-server
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  greedyModels,
  recordFile,
  sha256Of,
  type GreedyRecord,
  type GreedyText,
} from '../../test/support/engine/greedy-texts.ts';

const leastLead = 0.05;
const fewestTokens = 12;
const textsPerModel = 3;
const prompts = [
  'Once upon a time there was a little girl',
  'The quick brown fox',
  'Grüße aus Köln, 東京 und Привет!',
  'def add(a, b):\n    return a + b\n\n',
  'It was a dark and stormy night; the rain fell in torrents, except at occasional intervals.',
  '1 2 3 4 5 6 7',
  'Dear Sir or Madam,',
  'Question: what is the sea? Answer:',
  '{"name": "Anna", "age": 31}',
  'Lily and Tom like to play in the park. They have a big ball. The ball is red.',
];

interface TokenChoice {
  readonly bytes: readonly number[];
  readonly logprob: number;
  readonly top_logprobs: readonly { readonly logprob: number }[];
}

const { values } = parseArgs({ options: { server: { type: 'string' } } });
if (values.server === undefined) throw new Error('--server is missing');

const records: GreedyRecord[] = [];
for (const [model, path] of await greedyModels()) {
  const texts = await recordTexts(values.server, path);
  console.log(model, texts.map(({ logprobs }) => logprobs.length).join(' '));
  if (texts.length < textsPerModel) throw new Error(`${model} writes too few texts that are clear enough`);
  records.push({ model, sha256: await sha256Of(path), texts });
}
await writeFile(recordFile, `${JSON.stringify(records, undefined, 2)}\n`);

async function recordTexts(program: string, path: string): Promise<readonly GreedyText[]> {
  const port = await freePort();
  const args = ['-m', path, '-c', '512', '-np', '1', '--threads', '1', '--port', String(port)];
  const server = spawn(program, args, { stdio: 'ignore' });
  try {
    const url = `http://127.0.0.1:${port}`;
    while (!(await fetch(`${url}/health`).catch(() => undefined))?.ok) await delay(100);
    const texts: GreedyText[] = [];
    for (const prompt of prompts) {
      const text = await complete(url, prompt);
      if (text.logprobs.length >= fewestTokens) texts.push(text);
      if (texts.length === textsPerModel) break;
    }
    return texts;
  } finally {
    server.kill('SIGKILL');
    await once(server, 'close');
  }
}

async function complete(url: string, prompt: string): Promise<GreedyText> {
  const body = JSON.stringify({ prompt, temperature: 0, n_predict: 40, n_probs: 2, cache_prompt: false });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/completion`, { method: 'POST', headers, body });
  const { completion_probabilities: choices } = (await response.json()) as {
    readonly completion_probabilities: readonly TokenChoice[];
  };
  const unclear = choices.findIndex(({ top_logprobs: [first, second] }) => {
    return (first?.logprob ?? 0) - (second?.logprob ?? 0) < leastLead;
  });
  let clear = choices.slice(0, unclear < 0 ? choices.length : unclear);
  let text = textOf(clear);
  for (; text === undefined; text = textOf(clear)) clear = clear.slice(0, -1);
  return { prompt, text, logprobs: clear.map(({ logprob }) => Number(logprob.toFixed(3))) };
}

/** Undefined: they end inside a character. */
function textOf(choices: readonly TokenChoice[]): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(Uint8Array.from(choices.flatMap(({ bytes }) => bytes)));
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
