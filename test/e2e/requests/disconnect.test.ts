import { describe, expect, it } from 'vitest';
import { completeChat, postChat, textOf } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

// One slot: whoever comes second waits for the first to be gone.
const chat = useChatServer({
  models: async () => ({ long: await tinyModel({ contextTokens: 32_768, layers: 4 }) }),
  settings: { long: { context: 32_768, parallel: 1 } },
});
/** The longest wait for a slot that a client left: a step of the loop and some noise of the machine. */
const freeWithinMs = 1000;

describe('a client that goes away', () => {
  it('while it gets its answer frees its slot at once', async () => {
    await completeChat(chat().client, 'long', 'Hello', { max_tokens: 2 });
    const leaver = new AbortController();
    const response = await postChat(chat().server, endless('Hello'), requestOf(leaver));
    const reader = response.body?.getReader();
    await reader?.read();
    leaver.abort();
    await expectFreeSlot();
  });

  it('during a long prefill frees its slot at once', async () => {
    const leaver = new AbortController();
    const asked = postChat(
      chat().server,
      endless('the old house by the sea '.repeat(2200)),
      requestOf(leaver),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    leaver.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await expectFreeSlot();
  });

  it('while it waits leaves the one who is served alone', async () => {
    const options = { max_tokens: 300, temperature: 0, ignore_eos: true };
    const expected = textOf(await completeChat(chat().client, 'long', 'A story', options));
    const served = completeChat(chat().client, 'long', 'A story', options);
    const leaver = new AbortController();
    const asked = postChat(chat().server, endless('Hello'), requestOf(leaver));
    setTimeout(() => leaver.abort(), 50);
    await Promise.allSettled([asked]);
    expect(textOf(await served)).toBe(expected);
    await expectFreeSlot();
  });
});

function endless(content: string): object {
  return {
    model: 'long',
    messages: [{ role: 'user', content }],
    stream: true,
    ignore_eos: true,
    max_tokens: 30_000,
  };
}

function requestOf(leaver: AbortController): RequestInit {
  return { signal: leaver.signal };
}

async function expectFreeSlot(): Promise<void> {
  const startedAtMs = performance.now();
  await completeChat(chat().client, 'long', 'Hello', { max_tokens: 2 });
  expect(performance.now() - startedAtMs).toBeLessThan(freeWithinMs);
}
