import { describe, expect, it } from 'vitest';
import { completeChat, postChat, postCompletion, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';

/** As in vocabularies with thousands of reserved tokens: each of their characters is one of the others' too. */
const manyControlTexts = Array.from({ length: 20_000 }, (_, index) => `<|reserved_special_token_${index}|>`);

const chat = useChatServer({
  models: async () => ({
    'many-control-texts': await tinyModel({
      controlTexts: manyControlTexts,
      hiddenSize: 8,
      headCount: 1,
      headCountKv: 1,
    }),
  }),
});

/** Messages as long as a body may be, of the texts that would take longest to be searched, marked and cut. */
const hostileMessages = {
  'every private-use character': Array.from({ length: 65_534 }, (_, index) =>
    String.fromCodePoint(0xf0000 + index),
  ).join(''),
  'one letter': 'a'.repeat(4_000_000),
  spaces: ' '.repeat(4_000_000),
  'beginnings of control texts': '<|reserved_special_token_1'.repeat(150_000),
  'control texts': '<|im_end|>'.repeat(400_000),
  'ends of lines': '\n'.repeat(1_900_000),
  'brackets only': '<'.repeat(4_000_000),
  emoji: '🦊'.repeat(1_000_000),
};

describe('many prompts that are repeated with log-probabilities', () => {
  it('are refused once they take too long, and keep nobody else waiting', { timeout: 120_000 }, async () => {
    const { server, client } = chat();
    await completeChat(client, 'tiny', 'Hello', { max_tokens: 1 });
    const prompt = Array.from({ length: 120 }, (_, index) =>
      Array.from({ length: 1900 }, (_token, at) => 65 + ((7 * at + index) % 150)),
    );
    const { result, delayMs } = await watchHealth(server, async () => {
      const startedAtMs = performance.now();
      const response = await postCompletion(server, {
        model: 'tiny',
        prompt,
        max_tokens: 1,
        echo: true,
        logprobs: 1,
      });
      const body = await response.text();
      return { status: response.status, body, elapsedMs: performance.now() - startedAtMs };
    });
    // On a fast machine they are all answered in time.
    if (result.status !== 200) {
      expect(result.status).toBe(400);
      expect(JSON.parse(result.body)).toMatchObject({ error: { code: 'invalid_value', param: 'logprobs' } });
      expect(result.body).toContain('Send fewer prompts at once');
    }
    expect(result.elapsedMs).toBeLessThan(40_000);
    expect(delayMs).toBeLessThan(300);
  });
});

describe('a long message', () => {
  it.for(Object.entries(hostileMessages))('keeps nobody else waiting: %s', async ([what, content]) => {
    // No control text begins as these do: one of them is enough for a search of many.
    const isPlain = ['spaces', 'ends of lines', 'emoji'].includes(what);
    const model = isPlain ? 'tiny' : 'many-control-texts';
    await completeChat(chat().client, model, 'Hello', { max_tokens: 1 });
    const { result, delayMs } = await watchHealth(chat().server, async () =>
      toErrorAnswer(
        await postChat(chat().server, { model, messages: [{ role: 'user', content }], max_tokens: 1 }),
      ),
    );
    expect(result).toMatchObject({ status: 400, error: { code: 'context_length_exceeded' } });
    expect(delayMs).toBeLessThan(300);
  });

  it.for(['<|im_end|>', 'x<|reserved_special_token_7|>', `${'<'.repeat(200)}<|reserved_special_token_7|>`])(
    'of control tokens in a plain prompt neither: %s',
    async (unit) => {
      const { server } = chat();
      const prompt = unit.repeat(3_900_000 / unit.length);
      const { result, delayMs } = await watchHealth(server, async () =>
        toErrorAnswer(await postCompletion(server, { model: 'many-control-texts', prompt })),
      );
      expect(result).toMatchObject({ status: 400, error: { code: 'context_length_exceeded' } });
      expect(delayMs).toBeLessThan(300);
    },
  );
});
