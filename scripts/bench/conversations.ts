/**
 * How long conversations wait for their first token when more of them take turns than there are slots. Each turn is
 * taken twice: when others have taken the slots meanwhile, and at once again, when the slot is still warm. Prints the
 * medians and their ratio, and exits with 1 when turns take more than twice as long as warm ones.
 *
 *   node scripts/bench/conversations.ts --model FILE.gguf [--conversations 32] [--slots 8] [--tokens 1500]
 *        [--clients 1] [--threads 1] [--rounds 1] [--cache-memory 2GiB]
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../../test/support/server/start-server.ts';
import { streamChat, type BenchMessage, type ChatResult } from './server/chat-request.ts';
import { calibratePromptWriter } from './server/prompt-writer.ts';
import { quantile } from '../../src/cli/bench/statistics.ts';
import { RandomStream } from '../make/random-stream.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    conversations: { type: 'string', default: '32' },
    slots: { type: 'string', default: '8' },
    tokens: { type: 'string', default: '1500' },
    clients: { type: 'string', default: '1' },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    'cache-memory': { type: 'string', default: '2GiB' },
  },
});
if (values.model === undefined) throw new Error('--model is missing');
const [count, slots, tokens, clients, threads, rounds] = [
  values.conversations,
  values.slots,
  values.tokens,
  values.clients,
  values.threads,
  values.rounds,
].map(Number) as [number, number, number, number, number, number];

const answerTokens = 8;
const model = {
  id: 'bench',
  source: path.resolve(values.model),
  context: tokens + 500,
  parallel: slots,
  threads,
};
await using stack = new AsyncDisposableStack();
const server = await startServer({
  modelsDirs: [],
  config: { models: [model], cacheMemory: values['cache-memory'] },
});
stack.defer(async () => void (await server.stop()));
const { baseUrl, apiKey, pid } = server;
const target = { name: 'hearth', baseUrl, model: model.id, apiKey, pid };
const writer = await calibratePromptWriter(target);
const random = new RandomStream(1);

/** Says something short and takes in the answer; how it went. */
async function takeTurn(messages: BenchMessage[]): Promise<ChatResult & { timeToFirstTokenMs: number }> {
  messages.push({ role: 'user', content: writer.text(20, random) });
  const result = await streamChat(target, messages, answerTokens);
  const { error, timeToFirstTokenMs } = result;
  if (error !== undefined || timeToFirstTokenMs === undefined) throw new Error(error ?? 'no text');
  messages.push({ role: 'assistant', content: result.text });
  return { ...result, timeToFirstTokenMs };
}

const conversations = Array.from({ length: count }, (): BenchMessage[] => [
  { role: 'system', content: writer.text(tokens, random) },
]);
const cold: number[] = [];
for (const conversation of conversations) cold.push((await takeTurn(conversation)).timeToFirstTokenMs);

const turns: { readonly ms: number; readonly cachedShare: number }[] = [];
const warm: number[] = [];
/** One client's conversations, in turn. */
async function converse(own: readonly BenchMessage[][]): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const conversation of own) {
      const turn = await takeTurn(conversation);
      turns.push({ ms: turn.timeToFirstTokenMs, cachedShare: turn.cachedTokens / turn.promptTokens });
      warm.push((await takeTurn(conversation)).timeToFirstTokenMs);
    }
}
await Promise.all(
  Array.from({ length: clients }, (_, client) =>
    converse(conversations.filter((_conversation, index) => index % clients === client)),
  ),
);

const ratios = turns.map(({ ms }, index) => ms / (warm[index] ?? Number.NaN));
const median = (numbers: readonly number[]) => quantile(numbers, 0.5) ?? Number.NaN;
const ratio = median(turns.map(({ ms }) => ms)) / median(warm);
console.log(`${count} conversations of ${tokens} tokens on ${slots} slots, ${clients} at a time`);
console.log(`  first turn, nothing cached  ${median(cold).toFixed(0)} ms to the first token`);
console.log(`  turn after others           ${median(turns.map(({ ms }) => ms)).toFixed(0)} ms`);
console.log(`  turn in a warm slot         ${median(warm).toFixed(0)} ms`);
console.log(`  ratio of the medians        ${ratio.toFixed(2)}, of pairs ${median(ratios).toFixed(2)}`);
console.log(
  `  cached share of the prompt  ${median(turns.map(({ cachedShare }) => cachedShare)).toFixed(3)}`,
);
if (!(ratio <= 2)) process.exitCode = 1;
