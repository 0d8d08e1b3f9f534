import { setTimeout as sleep } from 'node:timers/promises';
import { RandomStream } from '../../make/random-stream.ts';
import { streamChat } from '../server/chat-request.ts';
import { turnOrder } from '../server/compare.ts';
import { quantile, spread } from '../../../src/cli/bench/statistics.ts';
import { batchWhen, chatLine, createBatch, toJsonl } from '../../../test/support/server/batches.ts';
import { ofLength, startBenchServer, type BenchServer, type BenchServerOptions } from './bench-server.ts';

export interface WordsOptions {
  /** Of the prompts that clients send. */
  readonly promptTokens: readonly number[];
  /** Times that each side has its turn. */
  readonly rounds: number;
  /** Of each client in a turn. */
  readonly requests: number;
  readonly clients: number;
}

interface Times {
  readonly firstMs: number[];
  readonly gapsMs: number[];
}

const answerTokens = 12;
/** Clients rest in between, so that the batch has slots again. */
const restMs = { least: 50, most: 250 };
/** Lines of the batch per request of a client: they keep the server busy for longer than the requests take. */
const batchLinesPerRequest = 100;
const batchPromptTokens = 120;
const batchAnswerTokens = 64;

/** Prints first words and gaps of clients beside a batch over those without one, in all rounds and as the median of them. */
export async function measureWords(serverOptions: BenchServerOptions, options: WordsOptions): Promise<void> {
  await using bench = await startBenchServer(serverOptions);
  const random = new RandomStream(1);
  for (const promptTokens of options.promptTokens) {
    const rounds: { readonly alone: Times; readonly beside: Times }[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const times = { alone: noTimes(), beside: noTimes() };
      for (const side of turnOrder(['alone', 'beside'] as const, round)) {
        const end =
          side === 'beside'
            ? await runBatch(bench, options.requests * batchLinesPerRequest, random)
            : undefined;
        await Promise.all(
          Array.from({ length: options.clients }, () =>
            askNowAndThen(bench, promptTokens, options.requests, random, times[side]),
          ),
        );
        await end?.();
      }
      rounds.push(times);
    }
    report(promptTokens, rounds);
  }
}

const noTimes = (): Times => ({ firstMs: [], gapsMs: [] });

/** Begins a batch that does not end by itself, and returns a function that ends it. */
async function runBatch({ client, target, writer }: BenchServer, count: number, random: RandomStream) {
  const lines = Array.from({ length: count }, (_, index) => {
    const content = writer.wholePrompt(batchPromptTokens, random);
    return chatLine(`line-${index}`, target.model, content, ofLength(batchAnswerTokens));
  });
  const batch = await createBatch(client, toJsonl(lines));
  // Before that all lines are in their prompts.
  await batchWhen(client, batch, ({ request_counts: counts }) => (counts?.completed ?? 0) > 0);
  return async () => {
    await client.batches.cancel(batch.id);
    await batchWhen(client, batch);
  };
}

async function askNowAndThen(
  { target, writer }: BenchServer,
  promptTokens: number,
  requests: number,
  random: RandomStream,
  { firstMs, gapsMs }: Times,
): Promise<void> {
  for (let request = 0; request < requests; request++) {
    await sleep(restMs.least + random.uniform() * (restMs.most - restMs.least));
    const content = writer.wholePrompt(promptTokens, random);
    const result = await streamChat(target, [{ role: 'user', content }], answerTokens);
    if (result.error !== undefined || result.timeToFirstTokenMs === undefined)
      throw new Error(result.error ?? 'no text');
    firstMs.push(result.timeToFirstTokenMs);
    gapsMs.push(...result.gapsMs);
  }
}

function report(promptTokens: number, rounds: readonly Record<'alone' | 'beside', Times>[]): void {
  console.log(`prompts of ${promptTokens} tokens, without a batch and beside one`);
  for (const [name, kind] of [
    ['first words', 'firstMs'],
    ['gaps', 'gapsMs'],
  ] as const)
    for (const share of [0.5, 0.95]) {
      const at = (times: readonly Times[]) =>
        quantile(
          times.flatMap((one) => one[kind]),
          share,
        ) ?? Number.NaN;
      const [alone, beside] = [at(rounds.map((one) => one.alone)), at(rounds.map((one) => one.beside))];
      const ofRounds = spread(rounds.map((round) => at([round.beside]) / at([round.alone])));
      console.log(
        `  ${name.padEnd(11)} p${share * 100}  ${alone.toFixed(1)} ms, ${beside.toFixed(1)} ms: ${(beside / alone).toFixed(3)}; ` +
          `of rounds ${ofRounds?.median.toFixed(3)} [${ofRounds?.min.toFixed(3)}–${ofRounds?.max.toFixed(3)}]`,
      );
    }
}
