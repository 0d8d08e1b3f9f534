import { expect, it } from 'vitest';
import { completeChat, openClient } from '../support/chat-client.ts';
import { useLimitedServer } from '../support/limits-fixture.ts';

const parallel = 2;
const limited = useLimitedServer({}, { parallel });

it('64 requests of one key make another wait for no more than one of them', async () => {
  const { server, createKey } = limited();
  const busy = openClient(server);
  const quiet = openClient({ ...server, apiKey: createKey('quiet', 'unlimited').secret });
  const options = { max_tokens: 150, ignore_eos: true };
  let done = 0;
  const all = Array.from({ length: 64 }, async () => {
    await completeChat(busy, 'tiny', 'A story', options);
    done += 1;
  });
  await expect.poll(() => done, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
  const doneBefore = done;
  await completeChat(quiet, 'tiny', 'Hi', { max_tokens: 1 });
  // One ends and makes room; the others that run beside may end while this one is computed and sent.
  expect(done - doneBefore).toBeLessThanOrEqual(1 + parallel);
  expect(done).toBeLessThan(64);
  await Promise.all(all);
});
