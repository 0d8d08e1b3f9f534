import { describe, expect, it } from 'vitest';
import { completeChat, postChat, streamChat, toErrorAnswer } from '../support/chat-client.ts';
import { useChatServer } from '../support/chat-fixture.ts';
import { sharedModel } from '../support/shared-models.ts';
import { tinyModel } from '../support/tiny-model.ts';

const realHostile = sharedModel('hostile-aborts-on-load.gguf');
const brokenIds = ['aborts', ...(realHostile === undefined ? [] : ['hostile'])];

const chat = useChatServer({
  models: async () => ({
    aborts: await tinyModel({ defect: 'no-byte-tokens' }),
    truncated: await tinyModel({ defect: 'truncated' }),
    stranger: await tinyModel({ defect: 'not-gguf' }),
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
    expect(chat().server.stderr()).toContain(model);
  });

  it.for(['truncated', 'stranger'])(
    'is not even offered where its header gives it away: %s',
    async (model) => {
      const answer = await toErrorAnswer(await postChat(chat().server, { model, messages }));
      expect(answer).toMatchObject({ status: 404, error: { code: 'model_not_found' } });
      expect(chat().server.stderr()).toContain(`${model}.gguf`);
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
