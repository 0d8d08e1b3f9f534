import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeChat, openClient, postChat } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import {
  beginStream,
  endStream,
  sendJson,
  startHostileUpstream,
  writeChunk,
} from '../../support/upstream/hostile-upstream.ts';
import { chatLine, createBatch, toJsonl } from '../../support/server/batches.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';
import { readMetrics } from '../../support/watch/metrics.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';
import { startInFront, upstreamKeyVariable, upstreamModel } from '../../support/upstream/upstream-fixture.ts';

const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };

/** Two servers that say which of them answers, and refuse to as long as they are told to. */
async function startPair(stack: AsyncDisposableStack) {
  /** `together`: the number of requests that must be there before any is answered. */
  const state = { isBroken: false, running: 0, most: 0, together: 0, gate: Promise.withResolvers<void>() };
  const servers = await Promise.all(
    ['first', 'second'].map(async (name) =>
      stack.use(
        await startHostileUpstream({
          who: async (response) => {
            state.running++;
            state.most = Math.max(state.most, state.running);
            if (state.running >= state.together) state.gate.resolve();
            await state.gate.promise;
            await new Promise((resolve) => setTimeout(resolve, 30));
            state.running--;
            if (state.isBroken && name === 'first') {
              sendJson(response, 500, {});
              return;
            }
            beginStream(response);
            writeChunk(response, { content: name });
            endStream(response, usage);
          },
        }),
      ),
    ),
  );
  return { state, urls: servers.map(({ url }) => url), servers };
}

describe('a model with two addresses', () => {
  const stack = new AsyncDisposableStack();
  let pair: Awaited<ReturnType<typeof startPair>>;
  let front: RunningServer;
  beforeAll(async () => {
    pair = await startPair(stack);
    front = await startInFront([
      upstreamModel('who', pair.urls),
      upstreamModel('narrow', pair.urls, { model: 'who', concurrency: 2 }),
      // Nothing listens there.
      upstreamModel('away', 'http://127.0.0.1:1/v1', { label: 'Attic' }),
    ]);
    stack.defer(async () => void (await front.stop()));
  });
  afterAll(() => stack.disposeAsync());

  const ask = async (content: string, model = 'who') =>
    (await completeChat(openClient(front), model, content)).choices[0]?.message.content;

  it('shares work, and keeps a conversation where its beginning was', async () => {
    pair.state.together = 8;
    const names = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(`question ${index}`)));
    expect(names.filter((name) => name === 'first').length).toBe(4);
    for (const [index, name] of names.entries()) expect(await ask(`question ${index}`)).toBe(name);
  });

  it('lets no more requests through than it may, and no request is lost', async () => {
    pair.state.most = 0;
    const names = await Promise.all(
      Array.from({ length: 9 }, (_, index) => ask(`narrow ${index}`, 'narrow')),
    );
    expect(names).toHaveLength(9);
    expect(pair.state.most).toBe(2);
  });

  it('gets no lines of batches while it is away, of which the batch tells', async () => {
    const client = openClient(front);
    const lines = [1, 2, 3].map((line) => chatLine(`${line}`, 'away', 'Hi'));
    const batch = await createBatch(client, toJsonl(lines));
    const waitOf = async () => (await client.batches.retrieve(batch.id)) as { hearth?: object | null };
    await expect
      .poll(async () => (await waitOf()).hearth)
      .toMatchObject({ waiting_code: 'model_unavailable', waiting_server: 'Attic' });
    const tried = async () =>
      (await readMetrics(front)).get('hearth_batch_lines_total{outcome="again"}') ?? 0;
    expect(await tried()).toBe(0);
    expect(ledgerOf(front).filter(({ modelId }) => modelId === 'away')).toEqual([]);
    await client.batches.cancel(batch.id);
  });

  it('tries the other address before the first byte, and gives the first one a rest', async () => {
    pair.state.isBroken = true;
    for (let index = 0; index < 6; index++) expect(await ask(`broken ${index}`)).toBe('second');
    const metrics = await readMetrics(front);
    const errors = metrics.get(`hearth_upstream_errors_total{model="who",address="${pair.urls[0]}"}`);
    expect(errors).toBe(3);
    expect(metrics.get(`hearth_upstream_up{model="who",address="${pair.urls[0]}"}`)).toBe(0);
    pair.state.isBroken = false;
    await expect
      .poll(
        async () =>
          (await readMetrics(front)).get(`hearth_upstream_up{model="who",address="${pair.urls[0]}"}`),
        {
          timeout: 15_000,
        },
      )
      .toBe(1);
  });
});

it('is listed as failing from an answer that was none until the next one', async () => {
  await using stack = new AsyncDisposableStack();
  let isBroken = true;
  const server = stack.use(
    await startHostileUpstream({
      who: (response) => {
        if (isBroken) return sendJson(response, 500, {});
        beginStream(response);
        writeChunk(response, { content: 'back' });
        endStream(response, usage);
      },
    }),
  );
  const front = await startInFront([upstreamModel('who', server.url)]);
  stack.defer(async () => void (await front.stop()));
  const client = openClient(front);
  const isFailing = async () =>
    ((await client.models.retrieve('who')) as { last_answer_failed?: boolean }).last_answer_failed;
  expect(await isFailing()).toBe(false);
  await expect(completeChat(client, 'who', 'Hello')).rejects.toThrow();
  expect(await isFailing()).toBe(true);
  isBroken = false;
  await completeChat(client, 'who', 'Hello');
  expect(await isFailing()).toBe(false);
});

describe('two hearths behind one', { timeout: 120_000 }, () => {
  const stack = new AsyncDisposableStack();
  let modelsDir: string;
  let behind: RunningServer[];
  let front: RunningServer;
  const apiKey = `hk-behind-${'0123456789'.repeat(4)}`;
  const startOne = (args: readonly string[] = []) =>
    startServer({
      modelsDirs: [modelsDir],
      apiKey,
      args,
      config: { demo: false, models: [{ id: 'tiny', preload: true, parallel: 8, ...oneThread }] },
    });
  beforeAll(async () => {
    modelsDir = await createModelsDir({ tiny: await tinyModel({ contextTokens: 4096, endOfTurnGain: 0 }) });
    const keyFile = join(modelsDir, 'key.txt');
    await writeFile(keyFile, `${apiKey}\n`);
    behind = await Promise.all([startOne(), startOne()]);
    front = await startInFront(
      [
        upstreamModel(
          'tiny',
          behind.map(({ baseUrl }) => baseUrl),
        ),
        upstreamModel('alone', behind[0]?.baseUrl ?? '', { model: 'tiny', apiKey: { file: keyFile } }),
        upstreamModel('other', behind[1]?.baseUrl ?? '', { model: 'tiny', apiKey: { file: keyFile } }),
      ],
      { apiKey },
    );
  });
  stack.defer(async () => {
    await front.stop();
    await Promise.all(behind.map((server) => server.stop()));
    await rm(modelsDir, { recursive: true, force: true });
  });
  afterAll(() => stack.disposeAsync());

  const longAnswer = (index: number) => ({
    model: 'tiny',
    messages: [{ role: 'user', content: `story ${index}` }],
    stream: true,
    max_tokens: 600,
    ignore_eos: true,
  });
  /** Findings of doctor, which exits with 1 because something is wrong. */
  const findings = async () => {
    const failed = (await hearthCli(front, 'doctor').catch((error: unknown) => error)) as { stdout: string };
    return JSON.parse(failed.stdout) as readonly { subject: string; ok: boolean; finding: string }[];
  };

  it('one is killed under load: no request without an end, and the other takes over', async () => {
    const [victim] = behind;
    // Each has begun: the first byte of its answer has come.
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => postChat(front, longAnswer(index))),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await victim?.kill();
    const late = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        completeChat(openClient(front), 'tiny', `late ${index}`, { max_tokens: 4 }),
      ),
    );
    expect(late.every(({ choices }) => choices.length === 1)).toBe(true);
    const texts = await Promise.all(answers.map((response) => response.text()));
    const broken = texts.filter((text) => text.includes('event: error'));
    const whole = texts.filter((text) => text.endsWith('data: [DONE]\n\n'));
    expect(broken.length + whole.length).toBe(12);
    expect(broken.length).toBeGreaterThan(0);
    expect(whole.length).toBeGreaterThan(0);
    for (const text of broken) expect(text).toContain('"code":"upstream_error"');
    const charges = ledgerOf(front).filter(({ modelId }) => modelId === 'tiny');
    expect(charges).toHaveLength(16);
    expect(charges.filter(({ usageSource }) => usageSource === 'reported')).toHaveLength(whole.length + 4);
    for (const { promptTokens } of charges) expect(promptTokens).toBeGreaterThan(0);
  });

  it('a model that has no other address is unavailable, which every view tells', async () => {
    const url = behind[0]?.baseUrl ?? '';
    const refused = await postChat(front, { ...longAnswer(0), model: 'alone' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const message = await expectError(refused, 'model_unavailable', null);
    expect(message).not.toContain('127.0.0.1');
    expect(await completeChat(openClient(front), 'tiny', 'hello', { max_tokens: 2 })).toBeDefined();
    const ready = await fetch(new URL('/readyz', front.baseUrl));
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ready',
      unavailable: [{ model: 'alone', reason: `${url}: it does not answer (ECONNREFUSED)` }],
    });
    const metrics = await readMetrics(front);
    expect(metrics.get(`hearth_upstream_up{model="alone",address="${url}"}`)).toBe(0);
    expect(metrics.get(`hearth_upstream_in_flight{model="tiny",address="${behind[1]?.baseUrl}"}`)).toBe(0);
    const found = (await findings()).filter(({ subject }) => ['tiny', 'alone', 'other'].includes(subject));
    expect(found).toEqual([
      {
        subject: 'alone',
        ok: false,
        finding: `${url}: it does not answer (ECONNREFUSED)`,
        remedy: expect.any(String),
      },
      { subject: 'other', ok: true, finding: expect.stringMatching(/: answers in \d+ ms, 4096 tokens$/) },
      // The variable is the server's alone.
      {
        subject: 'tiny',
        ok: false,
        finding: expect.stringContaining(upstreamKeyVariable),
        remedy: expect.any(String),
      },
    ]);
  });

  it('one that comes back is used again', async () => {
    const port = new URL(behind[0]?.baseUrl ?? '').port;
    behind[0] = await startOne(['--port', port]);
    const isUp = async () =>
      (await postChat(front, { ...longAnswer(0), model: 'alone', max_tokens: 1 })).status;
    await expect.poll(isUp, { timeout: 45_000, interval: 500 }).toBe(200);
    expect(await (await fetch(new URL('/readyz', front.baseUrl))).json()).toEqual({ status: 'ready' });
  });
});
