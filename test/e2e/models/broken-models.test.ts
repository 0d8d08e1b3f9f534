import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completeChat, postChat, streamChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { sharedModel } from '../../support/models/shared-models.ts';
import { createModelsDir, tinyEncoder, tinyModel } from '../../support/models/tiny-model.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';

const realHostile = sharedModel('hostile-aborts-on-load.gguf');
const brokenIds = ['aborts', ...(realHostile === undefined ? [] : ['hostile'])];

const chat = useChatServer({
  models: async () => ({
    aborts: await tinyModel({ defect: 'no-byte-tokens' }),
    truncated: await tinyModel({ defect: 'truncated' }),
    stranger: await tinyModel({ defect: 'not-gguf' }),
    'no-numbers': await tinyModel({ defect: 'no-numbers' }),
    'no-numbers-after-z': await tinyModel({ defect: 'no-numbers-after-z' }),
    'zero-vectors': await tinyEncoder({ computes: 'zeros' }),
    'no-vectors': await tinyEncoder({ computes: 'no-numbers' }),
    'no-scores': await tinyEncoder({ computes: 'no-numbers', ranks: true }),
    'long-control-text': await tinyModel({ controlTexts: ['a'.repeat(5_000)] }),
    'endless-control-text': await tinyModel({ controlTexts: ['<|'.repeat(100_000)] }),
    ...(realHostile === undefined ? {} : { hostile: realHostile }),
  }),
});
const messages = [{ role: 'user', content: 'Hello' }];

describe('a model file that cannot be loaded', () => {
  it.for(brokenIds)('gives 503 model_load_failed: %s', async (model) => {
    for (const stream of [false, true]) {
      const answer = await toErrorAnswer(await postChat(chat().server, { model, messages, stream }));
      expect(answer).toMatchObject({
        status: 503,
        error: { type: 'server_error', code: 'model_load_failed' },
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await expect.poll(() => chat().server.stderr()).toContain(model);
  });

  it.for(['truncated', 'stranger'])(
    'is not even offered where its header gives it away: %s',
    async (model) => {
      const answer = await toErrorAnswer(await postChat(chat().server, { model, messages }));
      expect(answer).toMatchObject({ status: 404, error: { code: 'model_not_found' } });
      await expect.poll(() => chat().server.stderr()).toContain(`${model}.gguf`);
    },
  );

  it('of weights that are no numbers is told at load', async () => {
    const answer = await toErrorAnswer(await postChat(chat().server, { model: 'no-numbers', messages }));
    expect(answer).toMatchObject({ status: 503, error: { code: 'model_load_failed' } });
    expect(answer.error.message).toContain('computes no numbers');
    const notices = await hearthCli<readonly object[]>(chat().server, 'notices');
    expect(notices).toContainEqual(
      expect.objectContaining({
        kind: 'model.failed',
        message: expect.stringMatching(/^The model 'no-numbers' .*computes no numbers/) as string,
      }),
    );
  });

  it.for(['long-control-text', 'endless-control-text'])(
    'is refused while others are served: %s',
    async (model) => {
      const { result, delayMs } = await watchHealth(chat().server, async () =>
        toErrorAnswer(await postChat(chat().server, { model, messages })),
      );
      expect(result).toMatchObject({ status: 503, error: { code: 'model_load_failed' } });
      expect(result.error.message).toContain('the longest that can be served');
      expect(delayMs).toBeLessThan(300);
    },
  );

  it('leaves running answers of other models alone', async () => {
    const options = { max_tokens: 400, temperature: 0, ignore_eos: true };
    const alone = await streamChat(chat().client, 'tiny', 'A story', options);
    const [beside] = await Promise.all([
      streamChat(chat().client, 'tiny', 'A story', options),
      ...brokenIds.map((model) => postChat(chat().server, { model, messages })),
    ]);
    expect(beside.text).toBe(alone.text);
  });

  it('is remembered: the next refusal comes at once', async () => {
    const startedAtMs = performance.now();
    expect((await postChat(chat().server, { model: 'aborts', messages })).status).toBe(503);
    expect(performance.now() - startedAtMs).toBeLessThan(500);
    await completeChat(chat().client, 'tiny', 'Hello', { max_tokens: 2 });
  });
});

it('a model file that cannot be loaded is still told to have failed after the next start', async () => {
  const modelsDir = await createModelsDir({ aborts: await tinyModel({ defect: 'no-byte-tokens' }) });
  const dataDir = mkdtempSync(join(tmpdir(), 'hearth-broken-'));
  const state = async ({ baseUrl, apiKey }: RunningServer) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const answer = await fetch(`${baseUrl}/models/aborts`, { headers });
    return ((await answer.json()) as { state: string }).state;
  };
  try {
    const options = { modelsDirs: [modelsDir], dataDir, config: { demo: false } };
    const first = await startServer(options);
    expect(await state(first)).toBe('available');
    expect((await postChat(first, { model: 'aborts', messages })).status).toBe(503);
    await first.stop();
    const next = await startServer(options);
    expect(await state(next)).toBe('failed');
    await next.stop();
  } finally {
    for (const folder of [modelsDir, dataDir]) rmSync(folder, { recursive: true });
  }
});

describe('a model that computes no numbers from some prompts', () => {
  const ask = (content: string) =>
    postChat(chat().server, {
      model: 'no-numbers-after-z',
      messages: [{ role: 'user', content }],
      max_tokens: 4,
    });

  it('answers the others, and has clients not try again', async () => {
    expect((await ask('Hello')).status).toBe(200);
    const answer = await toErrorAnswer(await ask('Zoo'));
    expect(answer).toMatchObject({ status: 503, error: { code: 'model_broken' } });
    expect(answer.error.message).toContain('asking again does not help');
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect((await ask('Hello')).status).toBe(200);
  });
});

describe('a model whose weights compute', () => {
  const post = (path: string, body: object) =>
    fetch(`${chat().server.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${chat().server.apiKey}` },
      body: JSON.stringify(body),
    });

  it.for([
    ['a vector of length 0', '/embeddings', { model: 'zero-vectors', input: 'Hello' }],
    ['a vector of length NaN', '/embeddings', { model: 'no-vectors', input: 'Hello' }],
    ['a score of NaN', '/rerank', { model: 'no-scores', query: 'Hello', documents: ['Hello'] }],
  ] as const)('%s is told to be broken', async ([what, path, body]) => {
    const answer = await toErrorAnswer(await post(path, body));
    expect(answer).toMatchObject({ status: 503, error: { code: 'model_broken' } });
    expect(answer.error.message).toContain(what);
    expect(answer.headers.get('x-should-retry')).toBe('false');
  });
});
