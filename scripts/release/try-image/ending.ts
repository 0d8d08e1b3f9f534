import { equal, ok } from 'node:assert/strict';
import OpenAI from 'openai';
import type { Container } from './container.ts';

/**
 * One client for each slot of the demo, with answers of different lengths, so that some are always being written.
 * On the busiest machine they end within shutdownGrace.
 */
const answerTokens = [20, 40, 80, 160];

/** Throws where answers that are being written when the container is stopped are cut off, or where it ends badly. */
export async function stopsAfterAnswers(container: Container, apiKey: string): Promise<void> {
  const client = new OpenAI({ baseURL: `${await container.address()}/v1`, apiKey, maxRetries: 0 });
  const asking = Promise.all(answerTokens.map((tokens) => askUntilRefused(client, tokens)));
  await Promise.all([asking, container.stop()]);
  const clients = await asking;
  const firstRefusedAt = Math.min(...clients.map(({ refusedAt }) => refusedAt));
  const lastEndedAt = Math.max(...clients.map(({ endedAt }) => endedAt));
  ok(lastEndedAt > firstRefusedAt, 'no answer was being written any more when the signal came');
  equal(await container.inspect('.State.ExitCode'), '0');
}

/** When the client's last answer ended, and when the next was refused. Throws where an answer that began is cut off. */
async function askUntilRefused(
  client: OpenAI,
  tokens: number,
): Promise<{ endedAt: number; refusedAt: number }> {
  for (let endedAt = 0; ;) {
    const answer = await beginAnswer(client, tokens);
    if (answer === undefined) return { endedAt, refusedAt: performance.now() };
    equal(await answer.end(), tokens);
    endedAt = performance.now();
  }
}

/** An answer whose first words have come; `end` reads the rest and gives the number of its tokens. */
async function beginAnswer(
  client: OpenAI,
  tokens: number,
): Promise<{ end: () => Promise<number | undefined> } | undefined> {
  // The client's types know no ignore_eos.
  const request = {
    model: 'hearth-demo',
    messages: [{ role: 'user' as const, content: 'Hello' }],
    max_tokens: tokens,
    ignore_eos: true,
    stream: true as const,
    stream_options: { include_usage: true },
  };
  let stream: AsyncIterator<OpenAI.ChatCompletionChunk>;
  try {
    const answer = await client.chat.completions.create(request);
    stream = answer[Symbol.asyncIterator]();
    for (let text = ''; text === '';)
      text = ((await stream.next()).value as OpenAI.ChatCompletionChunk).choices[0]?.delta.content ?? '';
  } catch {
    return undefined;
  }
  const end = async () => {
    let count: number | undefined;
    for (let piece = await stream.next(); piece.done !== true; piece = await stream.next())
      count = piece.value.usage?.completion_tokens ?? count;
    return count;
  };
  return { end };
}
