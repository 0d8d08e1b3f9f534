import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { ErrorBody } from '../../../src/errors/errors.ts';
import { completeChat, openClient } from '../../support/server/chat-client.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';
import { useLimitedServer } from '../../support/server/limits-fixture.ts';

const parallel = 2;
const limited = useLimitedServer({}, { parallel });

interface Refusal {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly code: string;
}

const longStory = JSON.stringify({
  model: 'tiny',
  messages: [{ role: 'user', content: 'A story' }],
  max_tokens: 1900,
  ignore_eos: true,
  stream: true,
});

/** Begins a stream on a connection of its own, and tells of it when it is refused; the function given back ends it. */
function beginStream(baseUrl: string, apiKey: string, refuse: (refusal: Refusal) => void): () => void {
  // Not the openai client: 300 of those would take the processor that the server needs.
  const sent = request(new URL('/v1/chat/completions', baseUrl), {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  });
  sent.on('error', () => undefined);
  sent.on('response', (response) => {
    response.on('error', () => undefined);
    const { statusCode: status, headers } = response;
    if (status === 200) response.resume();
    else
      void json(response).then((body) =>
        refuse({ status, retryAfter: headers['retry-after'], code: (body as ErrorBody).error.code }),
      );
  });
  sent.end(longStory);
  return () => void sent.destroy();
}

// Again where the machine was too busy to tell: the first attempt starts processes for templates beside 300 streams, though
// the server's own thread is never at work for more than 0.2 s.
it('300 long streams of one key shut nobody else out', { retry: 5 }, async () => {
  const { server, createKey } = limited();
  const keyOf = (name: string) => createKey(`${name} ${randomUUID()}`, 'unlimited').secret;
  const busyKey = keyOf('busy');
  const quiet = openClient({ ...server, apiKey: keyOf('quiet') });
  await completeChat(quiet, 'tiny', 'Hi', { max_tokens: 1 });
  const refusals: Refusal[] = [];
  let leave: (() => void)[] = [];
  const { delayMs } = await watchHealth(server, async () => {
    leave = Array.from({ length: 300 }, () =>
      beginStream(server.baseUrl, busyKey, (refusal) => void refusals.push(refusal)),
    );
    // Some have slots and 256 wait.
    await expect.poll(() => refusals.length).toBeGreaterThanOrEqual(300 - 256 - parallel);
    const before = refusals.length;
    const asking = Array.from({ length: 4 }, () => completeChat(quiet, 'tiny', 'Hi', { max_tokens: 1 }));
    for (const { usage } of await Promise.all(asking)) expect(usage?.completion_tokens).toBe(1);
    // Each took the place of one that came last, or one that had become free.
    expect(refusals.length).toBeLessThanOrEqual(before + asking.length);
  }).finally(() => {
    for (const end of leave) end();
  });
  expect(delayMs).toBeLessThan(300);
  for (const { status, code, retryAfter } of refusals) {
    expect([status, code]).toEqual([503, 'server_overloaded']);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  }
});
