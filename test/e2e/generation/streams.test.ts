import { describe, expect, it } from 'vitest';
import { completeChat, postChat, textOf } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { makeAccount, makeKey } from '../../support/server/make-accounts.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

// One slot: whoever comes second waits for the first to be gone.
const chat = useChatServer({
  models: async () => ({ long: await tinyModel({ contextTokens: 32_768, layers: 4 }) }),
  settings: { long: { context: 32_768, parallel: 1 } },
});

const question = (extra: object = {}) => ({
  model: 'long',
  messages: [{ role: 'user', content: 'A story' }],
  stream: true,
  temperature: 0,
  ignore_eos: true,
  max_tokens: 400,
  ...extra,
});

/** Headers of a request for a stream of that name. */
const named = (name: string) => ({
  authorization: `Bearer ${chat().server.apiKey}`,
  'content-type': 'application/json',
  'x-conversation-id': name,
});

/** Asks under a name, and leaves after the first events. */
async function askAndLeave(name: string, extra: object = {}): Promise<void> {
  const leaving = new AbortController();
  const response = await postChat(chat().server, question(extra), {
    headers: named(name),
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  await response.body?.getReader().read();
  leaving.abort();
}

const ofStream = (name: string, init: RequestInit = {}, key = chat().server.apiKey) =>
  fetch(`${chat().server.baseUrl}/stream/${name}`, { ...init, headers: { authorization: `Bearer ${key}` } });

const textIn = (events: string): string =>
  [...events.matchAll(/^data: (\{.*)$/gm)]
    .map(([, json]) => JSON.parse(json ?? '') as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');

interface Progress {
  readonly total: number;
  readonly cache: number;
  readonly processed: number;
  readonly time_ms: number;
}

const asked = { model: 'long', stream: true, temperature: 0, return_progress: true };

/** Requests of a prompt, by the routes that tell how far it is. */
const told = {
  '/v1/chat/completions': (content: string) => ({
    ...asked,
    messages: [{ role: 'user', content }],
    max_tokens: 2,
    stream_options: { include_usage: true },
  }),
  '/v1/responses': (input: string) => ({ ...asked, input, max_output_tokens: 2 }),
};

it('a stream of LM Studio’s chat tells the share of its prompt', async () => {
  const response = await fetch(new URL('/api/v1/chat', chat().server.baseUrl), {
    method: 'POST',
    headers: named('lmstudio'),
    body: JSON.stringify({ ...asked, input: 'The tide went out '.repeat(300), max_output_tokens: 2 }),
  });
  const shares = [...(await response.text()).matchAll(/"progress":([\d.]+)/g)].map(([, share]) =>
    Number(share),
  );
  expect(shares.length).toBeGreaterThan(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

describe.each(Object.entries(told))(
  'a stream of %s that is to tell how far its prompt is',
  (path, toBody) => {
    it('does so until all of it is computed, from what the cache has on', async () => {
      const prompt = `${path} told that the sea was calm `.repeat(300);
      const ask = async (extra: object = {}) => {
        const response = await fetch(new URL(path, chat().server.baseUrl), {
          method: 'POST',
          headers: named(`told${path.replaceAll('/', '.')}`),
          body: JSON.stringify({ ...toBody(prompt), ...extra }),
        });
        const events = await response.text();
        const all = [...events.matchAll(/"prompt_progress":(\{[^}]*\})/g)];
        const tokens = Number(/"(?:prompt|input)_tokens":(\d+)/.exec(events)?.[1]);
        return { tokens, all: all.map(([, json]) => JSON.parse(json ?? '') as Progress) };
      };
      for (const isAgain of [false, true]) {
        const { tokens, all } = await ask();
        const [first, last] = [all[0], all.at(-1)];
        expect(first?.processed).toBe(first?.cache);
        expect((first?.cache ?? 0) > 1000).toBe(isAgain);
        expect(last).toMatchObject({ total: tokens, processed: tokens, cache: first?.cache });
        for (const name of ['processed', 'time_ms'] as const) {
          const values = all.map((progress) => progress[name]);
          expect(values).toEqual(values.toSorted((a, b) => a - b));
        }
      }
      expect((await ask({ return_progress: false })).all).toEqual([]);
    });
  },
);

describe('a stream that was named', () => {
  it('goes on without its client, and is read again from any byte on', async () => {
    const options = { temperature: 0, ignore_eos: true, max_tokens: 400 };
    const whole = textOf(await completeChat(chat().client, 'long', 'A story', options));
    await askAndLeave('story');
    const read = await ofStream('story');
    expect(read.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = await read.text();
    expect(textIn(events)).toBe(whole);
    expect(events.endsWith('data: [DONE]\n\n')).toBe(true);
    const rest = await (await ofStream('story?from=1000')).text();
    expect(Buffer.from(rest)).toEqual(Buffer.from(events).subarray(1000));
  });

  it('is found by the keys of its account only that may use its route', async () => {
    await askAndLeave('mine', { max_tokens: 5 });
    makeAccount(chat().server, 'others');
    const { secret: other } = makeKey(chat().server, 'others');
    expect((await ofStream('mine', {}, other)).status).toBe(404);
    expect((await ofStream('mine', { method: 'DELETE' }, other)).status).toBe(404);
    const { secret: files } = makeKey(chat().server, 'local', { scopes: ['files'] });
    expect((await ofStream('mine', {}, files)).status).toBe(403);
    expect((await ofStream('mine', { method: 'DELETE' }, files)).status).toBe(403);
    expect(
      (await ofStream('mine', {}, makeKey(chat().server, 'local', { scopes: ['chat'] }).secret)).status,
    ).toBe(200);
  });

  it('comes to its end for its reader, however many newer ones the account has', async () => {
    const send = (name: string, max_tokens: number) =>
      postChat(chat().server, question({ max_tokens }), { headers: named(name) });
    const oldest = await send('oldest', 2000);
    // They wait for the only slot.
    const newer = Array.from({ length: 17 }, (_, index) => send(`newer-${index}`, 1));
    expect((await oldest.text()).endsWith('data: [DONE]\n\n')).toBe(true);
    for (const response of newer) expect(await (await response).text()).toContain('[DONE]');
  });

  it('is stopped by DELETE, and by a new one of its name', async () => {
    await askAndLeave('endless', { max_tokens: 30_000 });
    expect(await (await ofStream('endless', { method: 'DELETE' })).json()).toEqual({
      id: 'endless',
      object: 'stream',
      deleted: true,
    });
    expect((await ofStream('endless')).status).toBe(404);
    await completeChat(chat().client, 'long', 'Hello', { max_tokens: 2 });
    await askAndLeave('again', { max_tokens: 30_000 });
    await askAndLeave('again', { max_tokens: 5 });
    expect(await (await ofStream('again')).text()).toContain('"finish_reason":"length"');
  });

  it('is read by 32 at a time, and by the next once one of them has left', async () => {
    await askAndLeave('crowded', { max_tokens: 30_000 });
    const leaving = new AbortController();
    // A response that nothing refers to is closed when it is collected, so all are used again below.
    const first = await ofStream('crowded', { signal: leaving.signal });
    const others = await Promise.all(Array.from({ length: 31 }, () => ofStream('crowded')));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await ofStream('crowded');
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: 'server_overloaded' } });
    leaving.abort();
    await expect(first.text()).rejects.toThrow('aborted');
    await expect.poll(async () => (await ofStream('crowded')).status).toBe(200);
    for (const { body } of others) await body?.cancel();
    await ofStream('crowded', { method: 'DELETE' });
  });

  it('is read as often as somebody likes, by readers that go on to its end', async () => {
    await (await postChat(chat().server, question({ max_tokens: 3 }), { headers: named('often') })).text();
    for (let count = 0; count < 40; count += 1) {
      const response = await ofStream('often');
      expect(await response.text()).toContain('[DONE]');
    }
  });

  it('needs a name that can stand in an address, and ends with its error where it does not begin', async () => {
    const refused = await postChat(chat().server, question(), { headers: named('a/b') });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { code: 'invalid_value', param: 'x-conversation-id' },
    });
    const long = await postChat(
      chat().server,
      question({ messages: [{ role: 'user', content: 'word '.repeat(40_000) }] }),
      { headers: named('long') },
    );
    expect(long.status).toBe(400);
    expect(await (await ofStream('long')).text()).toContain('context_length_exceeded');
    expect((await ofStream('story?from=x')).status).toBe(400);
  });
});
