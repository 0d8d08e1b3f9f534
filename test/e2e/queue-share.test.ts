import { APIError } from 'openai';
import { expect, it } from 'vitest';
import { completeChat, openClient } from '../support/chat-client.ts';
import { watchHealth } from '../support/health-watch.ts';
import { useLimitedServer } from '../support/limits-fixture.ts';

const limited = useLimitedServer({}, { parallel: 2 });

it('300 long streams of one key shut nobody else out', async () => {
  const { server, createKey } = limited();
  const busy = openClient({ ...server, apiKey: createKey('busy', 'unlimited').secret });
  const quiet = openClient({ ...server, apiKey: createKey('quiet', 'unlimited').secret });
  const leaving = new AbortController();
  await completeChat(quiet, 'tiny', 'Hi', { max_tokens: 1 });
  await using health = watchHealth(server);
  const refusals: APIError[] = [];
  const streams = Array.from({ length: 300 }, async () => {
    try {
      const stream = await busy.chat.completions.create(
        {
          model: 'tiny',
          messages: [{ role: 'user', content: 'A story' }],
          stream: true,
          max_tokens: 600,
          ...{ ignore_eos: true },
        },
        { signal: leaving.signal },
      );
      for await (const _ of stream);
    } catch (error) {
      if (error instanceof APIError && error.status !== undefined) refusals.push(error);
      else if (!leaving.signal.aborted) throw error;
    }
  });
  // Two have slots and 256 wait.
  await expect.poll(() => refusals.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(300 - 258);
  const before = refusals.length;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => completeChat(quiet, 'tiny', 'Hi', { max_tokens: 1 })),
  );
  expect(answers.map(({ usage }) => usage?.completion_tokens)).toEqual([1, 1, 1, 1]);
  expect(health.longestMs).toBeLessThan(300);
  leaving.abort();
  await Promise.all(streams);
  // Each of the others took the place of one that came last.
  expect(refusals.length).toBeGreaterThanOrEqual(before);
  expect(refusals.length).toBeLessThanOrEqual(before + answers.length);
  for (const { status, code, headers } of refusals) {
    expect([status, code]).toEqual([503, 'server_overloaded']);
    expect(Number(headers?.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
});
