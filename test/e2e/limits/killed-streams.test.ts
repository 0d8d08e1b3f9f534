import { expect, it } from 'vitest';
import { auditBooks } from '../../../scripts/load/limits/books.ts';
import { auditableLimits } from '../../../scripts/load/limits/killed-load.ts';
import { createLimitedServer, loadModelId } from '../../../scripts/load/limits/limited-server.ts';
import { openClient } from '../../support/server/chat-client.ts';

const streams = 6;
/** Of each stream, before the server is killed. */
const leastReadTokens = 300;
/** The most that a crash costs of a stream, as docs/limits.md says. */
const mostLostTokens = 256;

it('kill -9 costs no more of a stream than its last 256 tokens, and charges each request once', async () => {
  await using limited = await createLimitedServer({ large: { limits: auditableLimits } });
  const { secret, id } = limited.createKey('killed', 'large');
  const server = await limited.start();
  const client = openClient({ baseUrl: server.baseUrl, apiKey: secret });
  const question = {
    model: loadModelId,
    messages: [{ role: 'user' as const, content: 'Tell a story' }],
    ignore_eos: true,
  };
  // Charged as it went and at its end, and still one request.
  const whole = await client.chat.completions.create({ ...question, max_tokens: 400 }).asResponse();
  const streamed = await client.chat.completions
    .create({ ...question, stream: true, stream_options: { include_usage: true }, max_tokens: 400 })
    .asResponse();
  for (const answer of [whole, streamed]) await answer.text();
  const rows = () => limited.inspect((store) => [...store.ledger.all()].filter(({ keyId }) => keyId === id));
  await expect.poll(() => rows().map(({ completionTokens }) => completionTokens)).toEqual([400, 400]);

  const read = Array.from({ length: streams }, () => 0);
  const promptTokens = rows()[0]?.promptTokens ?? 0;
  const enough = Promise.withResolvers<void>();
  const answers = read.map(async (_, index) => {
    const stream = await client.chat.completions.create({
      ...question,
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true } as object,
      max_tokens: 480,
    });
    for await (const { usage } of stream) {
      read[index] = usage?.completion_tokens ?? 0;
      if (read.every((tokens) => tokens >= leastReadTokens)) enough.resolve();
    }
  });
  // Its client gets nothing, and so it costs nothing.
  const unstreamed = client.chat.completions.create({ ...question, max_tokens: 480 });
  const ends = Promise.allSettled([...answers, unstreamed]);
  await enough.promise;
  await server.kill();
  expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);

  const next = await limited.start();
  const killed = rows().filter(({ status }) => status === null);
  const charged = killed.filter(({ refunded }) => refunded === 0);
  expect(killed).toHaveLength(streams + 1);
  expect(charged).toHaveLength(streams);
  expect(killed.find(({ refunded }) => refunded === 1)).toMatchObject({
    promptTokens: 0,
    completionTokens: 0,
  });
  const chargedTokens = charged.map(({ completionTokens }) => completionTokens).toSorted((a, b) => a - b);
  for (const [index, tokens] of read.toSorted((a, b) => a - b).entries())
    expect(chargedTokens[index]).toBeGreaterThanOrEqual(tokens - mostLostTokens);
  for (const row of charged) expect(row).toMatchObject({ promptTokens, usageSource: 'counted' });
  expect(limited.inspect(auditBooks)).toEqual([]);
  await next.stop();
  expect(rows()).toHaveLength(2 + streams + 1);
}, 120_000);
