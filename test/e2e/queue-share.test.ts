import { randomUUID } from 'node:crypto';
import { APIError } from 'openai';
import { expect, it } from 'vitest';
import { completeChat, openClient } from '../support/chat-client.ts';
import { delayOf, watchHealth } from '../support/health-watch.ts';
import { useLimitedServer } from '../support/limits-fixture.ts';

const parallel = 2;
const limited = useLimitedServer({}, { parallel });

// Again where the machine was too busy to tell.
it('300 long streams of one key shut nobody else out', { retry: 2 }, async () => {
  const { server, createKey } = limited();
  const clientOf = (name: string) =>
    openClient({ ...server, apiKey: createKey(`${name} ${randomUUID()}`, 'unlimited').secret });
  const [busy, quiet] = [clientOf('busy'), clientOf('quiet')];
  await completeChat(quiet, 'tiny', 'Hi', { max_tokens: 1 });
  const leaving = new AbortController();
  const refusals: APIError[] = [];
  const stream = async () => {
    try {
      const story = { model: 'tiny', messages: [{ role: 'user', content: 'A story' }] } as const;
      const long = { max_tokens: 600, ignore_eos: true, stream: true } as const;
      const events = await busy.chat.completions.create(
        { ...story, ...long, messages: [...story.messages] },
        { signal: leaving.signal },
      );
      for await (const _ of events);
    } catch (error) {
      if (error instanceof APIError && error.status !== undefined) refusals.push(error);
      else if (!leaving.signal.aborted) throw error;
    }
  };
  let streams: Promise<unknown> = Promise.resolve();
  const times = await watchHealth(server, async () => {
    streams = Promise.all(Array.from({ length: 300 }, stream));
    // Some have slots and 256 wait.
    await expect
      .poll(() => refusals.length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(300 - 256 - parallel);
    const before = refusals.length;
    const asking = Array.from({ length: 4 }, () => completeChat(quiet, 'tiny', 'Hi', { max_tokens: 1 }));
    for (const { usage } of await Promise.all(asking)) expect(usage?.completion_tokens).toBe(1);
    // Each took the place of one that came last, or one that had become free.
    expect(refusals.length).toBeLessThanOrEqual(before + asking.length);
  });
  leaving.abort();
  await streams;
  expect(delayOf(times)).toBeLessThan(300);
  for (const { status, code, headers } of refusals) {
    expect([status, code]).toEqual([503, 'server_overloaded']);
    expect(Number(headers?.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
});
