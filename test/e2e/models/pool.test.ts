import { copyFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  completeChat,
  openClient,
  postChat,
  textOf,
  toErrorAnswer,
} from '../../support/server/chat-client.ts';
import { batchWhen, chatLine, createBatch, toJsonl } from '../../support/server/batches.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { makeKey } from '../../support/server/make-accounts.ts';
import { startServer, type RunningServer, type ServerConfig } from '../../support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';

interface Status {
  readonly id: string;
  readonly state: string;
  readonly memory: { readonly ram_bytes: number } | null;
  readonly context_window: number | null;
  readonly requests: number;
  readonly unloads_at: number | null;
}

/** Alike, save for their settings. */
const ids = ['a', 'b', 'c'];
const messages = [{ role: 'user' as const, content: 'Hello' }];

const stack = new AsyncDisposableStack();
let modelsDir: string;
beforeAll(async () => {
  const path = await tinyModel({ endOfTurnGain: 0, contextTokens: 65_536 });
  modelsDir = await createModelsDir(Object.fromEntries([...ids, 'auto', 'huge'].map((id) => [id, path])));
  stack.defer(() => rm(modelsDir, { recursive: true, force: true }));
});
afterAll(() => stack.disposeAsync());

/** A server with the models, three of them with `settings`, and the answers of its admin API. */
async function start(config: ServerConfig = {}, settings: object = {}) {
  const models = ids.map((id) => ({ id, ...oneThread, context: 1024, ...settings }));
  const server = await startServer({
    modelsDirs: [modelsDir],
    config: { models, cacheMemory: 0, ...config },
  });
  stack.defer(async () => void (await server.stop()));
  const { secret } = makeKey(server, 'local', { kind: 'admin' });
  const admin = async <Answer>(path: string, method = 'GET'): Promise<Answer> => {
    const url = new URL(`/admin/v1/models${path}`, server.baseUrl);
    const response = await fetch(url, { method, headers: { authorization: `Bearer ${secret}` } });
    return (await response.json()) as Answer;
  };
  const statuses = async () => (await admin<{ data: readonly Status[] }>('')).data;
  return {
    server,
    client: openClient(server),
    admin,
    statusOf: async (id: string) => (await statuses()).find((status) => status.id === id),
    states: async () => Object.fromEntries((await statuses()).map(({ id, state }) => [id, state])),
  };
}

const ask = (server: RunningServer, model: string, options: object = {}) =>
  postChat(server, { model, messages, max_tokens: 4, ...options });

let roomy: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  roomy = await start();
});

describe('with room for all', () => {
  it('tells which models are in memory, what they take and what they hold', async () => {
    expect(await roomy.states()).toMatchObject({ a: 'available', b: 'available', c: 'available' });
    await completeChat(roomy.client, 'a', 'Hello', { max_tokens: 2 });
    expect(await roomy.statusOf('a')).toMatchObject({
      state: 'loaded',
      memory: { ram_bytes: expect.any(Number) },
      context_window: 1024,
      requests: 0,
    });
  });

  it('loads and unloads when the operator says so', async () => {
    expect(await roomy.admin('/b/load', 'POST')).toMatchObject({ id: 'b', state: 'loaded' });
    await roomy.admin('/b/unload', 'POST');
    await expect.poll(async () => (await roomy.statusOf('b'))?.state).toBe('available');
  });

  it('unloads a model in use when its last answer has ended', async () => {
    const answer = await ask(roomy.server, 'b', { max_tokens: 600, stream: true });
    expect(await roomy.admin('/b/unload', 'POST')).toMatchObject({ state: 'unloading', requests: 1 });
    expect(await answer.text()).toMatch(/"finish_reason":"length".*\n\ndata: \[DONE\]\n\n$/s);
    await expect.poll(async () => (await roomy.statusOf('b'))?.state).toBe('available');
    expect((await ask(roomy.server, 'b')).status).toBe(200);
  });

  it('goes on answering while the file of the model is cut and another one is copied over it', async () => {
    const options = { max_tokens: 300, temperature: 0, ignore_eos: true };
    const whole = await completeChat(roomy.client, 'b', 'A story', options);
    const file = join(modelsDir, 'c.gguf');
    await completeChat(roomy.client, 'c', 'Hello', { max_tokens: 1 });
    const stream = await roomy.client.chat.completions.create({
      ...options,
      model: 'c',
      messages: [{ role: 'user', content: 'A story' }],
      stream: true,
    });
    let text = '';
    for await (const { choices } of stream) {
      if (text === '') {
        await truncate(file, 0);
        await copyFile(await tinyModel({ seed: 2, endOfTurnGain: 0, contextTokens: 65_536 }), file);
      }
      text += choices[0]?.delta.content ?? '';
    }
    expect(text).toBe(textOf(whole));
    // Within seconds the new file is noticed, and loaded for the next request.
    const ofNewFile = async () => textOf(await completeChat(roomy.client, 'c', 'A story', options));
    await expect.poll(ofNewFile, { timeout: 150_000, interval: 1000 }).not.toBe(text);
  }, 180_000);

  it.each([
    ['5m', 300],
    [90, 90],
  ])('keeps a model as long as the request says: %s', async (keepAlive, seconds) => {
    expect((await ask(roomy.server, 'c', { keep_alive: keepAlive })).status).toBe(200);
    const { unloads_at: unloadsAt = 0 } = (await roomy.statusOf('c')) ?? {};
    expect(Math.abs((unloadsAt ?? 0) - Date.now() / 1000 - seconds)).toBeLessThan(30);
  });

  it('keeps it for ever, or not at all, where the request says so', async () => {
    await ask(roomy.server, 'c', { keep_alive: -1 });
    expect(await roomy.statusOf('c')).toMatchObject({ state: 'loaded', unloads_at: null });
    await ask(roomy.server, 'c', { keep_alive: 0 });
    await expect.poll(async () => (await roomy.statusOf('c'))?.state).toBe('available');
  });
});

describe('under a budget', () => {
  let pool: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    const { memory } = (await roomy.statusOf('a')) ?? {};
    const bytes = (memory?.ram_bytes ?? Number.NaN) * 2.5;
    const models = [...ids, 'auto', 'huge'].map((id) => ({ id, ...oneThread, ...contexts[id] }));
    pool = await start({ models, memory: `${Math.ceil(bytes)}` });
  });
  const contexts: Readonly<Record<string, object>> = {
    a: { context: 1024 },
    b: { context: 1024 },
    c: { context: 1024 },
    huge: { context: 65_536 },
  };

  it('evicts what was not used for longest', async () => {
    for (const id of ['a', 'b', 'a', 'c']) expect((await ask(pool.server, id)).status).toBe(200);
    expect(await pool.states()).toMatchObject({ a: 'loaded', b: 'available', c: 'loaded' });
  });

  it('evicts nothing that was used lately for a batch, which says so and loads the model once there is room', async () => {
    const lines = toJsonl([chatLine('one', 'b', 'Hello')]);
    const batch = await createBatch(pool.client, lines);
    const waitsFor = (status: object) =>
      (status as { hearth?: { waiting_for?: string } }).hearth?.waiting_for;
    const waiting = await batchWhen(pool.client, batch, (status) => waitsFor(status) !== undefined);
    expect(waitsFor(waiting)).toMatch(/The model b is not in memory, and others are used\./);
    expect(await pool.states()).toMatchObject({ a: 'loaded', c: 'loaded' });
    await pool.admin('/c/unload', 'POST');
    expect(await batchWhen(pool.client, batch)).toMatchObject({
      request_counts: { completed: 1, failed: 0 },
    });
    expect(await pool.states()).toMatchObject({ a: 'loaded', b: 'loaded' });
  });

  it('serves more models than fit to all who ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 18 }, (_, index) => ask(pool.server, ids[index % 3] ?? '', { max_tokens: 20 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('says with numbers why a model can never fit, and what to do', async () => {
    const answer = await toErrorAnswer(await ask(pool.server, 'huge'));
    expect(answer).toMatchObject({ status: 503, error: { code: 'model_load_failed' } });
    const numbers =
      /needs about \d+ MB, but models may take \d+ MB here\. A context of up to \d+ tokens would fit\. Lower its context/;
    expect(answer.error.message).toMatch(numbers);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(30);
    expect(await pool.statusOf('huge')).toMatchObject({ state: 'failed', error: answer.error.message });
  });

  it('chooses a context that fits where none is set', async () => {
    expect((await ask(pool.server, 'auto')).status).toBe(200);
    const { context_window: contextTokens } = (await pool.statusOf('auto')) ?? {};
    expect(contextTokens).toBeGreaterThanOrEqual(512);
    expect(contextTokens).toBeLessThan(65_536);
    // It is told as the model's context, while it is loaded and after that, and a longer prompt is told it first.
    const told = async () => (await pool.client.models.retrieve('auto')) as unknown as Status;
    expect(await told()).toMatchObject({ context_window: contextTokens });
    const refused = await toErrorAnswer(
      await ask(pool.server, 'auto', { messages: [{ role: 'user', content: 'x y '.repeat(40_000) }] }),
    );
    expect(refused.error.message.match(/\d+/)?.[0]).toBe(String(contextTokens));
    await pool.admin('/auto/unload', 'POST');
    await expect.poll(async () => (await pool.statusOf('auto'))?.state).toBe('available');
    expect(await told()).toMatchObject({ context_window: contextTokens });
  });
});

describe('waiting for a load', () => {
  it('ends after loadTimeout with 503 model_loading, and the load goes on: the server is not ready before', async () => {
    const pool = await start({ loadTimeout: '1ms' }, { preload: true });
    // Those that the server loads by itself go first.
    const answer = await toErrorAnswer(await ask(pool.server, 'c'));
    expect(answer).toMatchObject({ status: 503, error: { code: 'model_loading', type: 'server_error' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const readiness = async () => (await fetch(new URL('/readyz', pool.server.baseUrl))).status;
    await expect.poll(readiness, { timeout: 120_000 }).toBe(200);
    expect(await pool.states()).toMatchObject({ a: 'loaded', b: 'loaded', c: 'loaded' });
    expect(pool.server.stderr() + pool.server.stdout()).not.toContain('preload failed');
    expect((await ask(pool.server, 'c')).status).toBe(200);
  }, 180_000);
});
