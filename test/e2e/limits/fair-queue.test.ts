import { expect, it } from 'vitest';
import { completeChat, openClient } from '../../support/server/chat-client.ts';
import { useLimitedServer } from '../../support/server/limits-fixture.ts';

const parallel = 2;
const limited = useLimitedServer({}, { parallel });

it('64 requests of one key make another wait for no more than one of them', async () => {
  const { server, createKey, requestsOf } = limited();
  const [busyKey, quietKey] = [createKey('busy', 'unlimited'), createKey('quiet', 'unlimited')];
  const busy = openClient({ ...server, apiKey: busyKey.secret });
  const quiet = openClient({ ...server, apiKey: quietKey.secret });
  let done = 0;
  const all = Array.from({ length: 64 }, async (_, index) => {
    // Of different lengths: with equal ones two end at once, and two more while the other request is still being read.
    const options = { max_tokens: 110 + 80 * (index % 2), ignore_eos: true };
    await completeChat(busy, 'tiny', 'A story', options);
    done += 1;
  });
  await expect.poll(() => done).toBeGreaterThanOrEqual(2);
  await completeChat(quiet, 'tiny', 'Hi', { max_tokens: 1 });
  expect(done).toBeLessThan(64);
  await Promise.all(all);
  // By the server's clock: on a busy machine the client hears of several ends at once.
  await expect.poll(() => [requestsOf(busyKey).length, requestsOf(quietKey).length]).toEqual([64, 1]);
  const [waiting = 0, answered = 0] = requestsOf(quietKey).map(toSpan)[0] ?? [];
  const between = requestsOf(busyKey).filter((line) => {
    const [, endedAtMs] = toSpan(line);
    return endedAtMs > waiting && endedAtMs <= answered;
  });
  // One ends and makes room; the others that run beside may end while this one is computed and sent.
  expect(between.length).toBeLessThanOrEqual(1 + parallel);
});

/** When the request of a line of the access log came and when it ended, Unix ms. */
function toSpan({ time, durationMs }: Readonly<Record<string, unknown>>): readonly [number, number] {
  const endedAtMs = Date.parse(String(time));
  return [endedAtMs - Number(durationMs), endedAtMs];
}
