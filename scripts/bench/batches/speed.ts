import { performance } from 'node:perf_hooks';
import { RandomStream } from '../../make/random-stream.ts';
import type { BenchMessage } from '../server/chat-request.ts';
import { turnOrder } from '../server/compare.ts';
import { spread } from '../../../src/cli/bench/statistics.ts';
import { batchWhen, chatLine, createBatch, toJsonl } from '../../../test/support/server/batches.ts';
import { ofLength, startBenchServer, type BenchServer, type BenchServerOptions } from './bench-server.ts';

export interface SpeedOptions {
  /** Length of the beginning that a quarter of the requests share; 0: they share none. */
  readonly sharedTokens: readonly number[];
  readonly lines: number;
  /** Times that each side has its turn. */
  readonly rounds: number;
}

const clients = 8;
const beginnings = 4;
const ownTokens = 60;
const answerTokens = 24;

/** Prints how many requests per second a batch answers, over those that eight clients send. */
export async function measureSpeed(serverOptions: BenchServerOptions, options: SpeedOptions): Promise<void> {
  await using bench = await startBenchServer(serverOptions);
  const random = new RandomStream(2);
  for (const sharedTokens of options.sharedTokens) {
    const ratios: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const perSecond = { clients: Number.NaN, batch: Number.NaN };
      for (const side of turnOrder(['clients', 'batch'] as const, round)) {
        // Prompts of its own, so that neither finds results of the other.
        const conversations = toConversations(bench, sharedTokens, options.lines, random);
        const startedAtMs = performance.now();
        await (side === 'batch' ? runBatch : runClients)(bench, conversations);
        perSecond[side] = options.lines / ((performance.now() - startedAtMs) / 1000);
      }
      const ratio = perSecond.batch / perSecond.clients;
      ratios.push(ratio);
      console.log(
        `${options.lines} requests, ${sharedTokens} tokens shared by a quarter: ${clients} clients ` +
          `${perSecond.clients.toFixed(2)} per second, a batch ${perSecond.batch.toFixed(2)}: ${ratio.toFixed(3)}`,
      );
    }
    const { median, min, max } = spread(ratios) ?? {};
    console.log(`  batch over clients: ${median?.toFixed(3)} [${min?.toFixed(3)}–${max?.toFixed(3)}]`);
  }
}

function toConversations(
  { writer }: BenchServer,
  sharedTokens: number,
  count: number,
  random: RandomStream,
): BenchMessage[][] {
  const systems = Array.from({ length: beginnings }, () => writer.text(sharedTokens, random));
  return Array.from({ length: count }, (): BenchMessage[] => {
    const user: BenchMessage = { role: 'user', content: writer.text(ownTokens, random) };
    const content = systems[Math.floor(random.uniform() * beginnings)] ?? '';
    return sharedTokens === 0 ? [user] : [{ role: 'system', content }, user];
  });
}

async function runClients({ client, target }: BenchServer, conversations: readonly BenchMessage[][]) {
  const queue = conversations.values();
  const work = async () => {
    for (const messages of queue)
      await client.chat.completions.create({ model: target.model, messages, ...ofLength(answerTokens) });
  };
  await Promise.all(Array.from({ length: clients }, work));
}

/** From the upload until all results can be had. */
async function runBatch({ client, target }: BenchServer, conversations: readonly BenchMessage[][]) {
  const lines = conversations.map((messages, index) =>
    chatLine(`line-${index}`, target.model, '', { messages, ...ofLength(answerTokens) }),
  );
  const batch = await batchWhen(client, await createBatch(client, toJsonl(lines)));
  if (batch.request_counts?.completed !== lines.length) throw new Error(JSON.stringify(batch));
}
