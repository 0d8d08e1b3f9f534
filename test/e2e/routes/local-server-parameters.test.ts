import { describe, expect, it } from 'vitest';
import { completeChat, postChat, textOf, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const model = 'tiny-long';
const chat = useChatServer({ models: async () => ({ [model]: await tinyModel({ contextTokens: 4096 }) }) });
const say = (extra: object, prompt = 'Hello') =>
  completeChat(chat().client, model, prompt, { max_tokens: 60, ...extra });
const post = async (path: string, body: object) => {
  const { baseUrl, apiKey } = chat().server;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  return fetch(new URL(path, baseUrl), { method: 'POST', headers, body: JSON.stringify(body) });
};

/** Draws that go all over the vocabulary, so that only the grammar holds the answer together. */
const wild = { temperature: 2, top_p: 1, top_k: 0, min_p: 0 };
const sums = 'root ::= sum "."\nsum ::= term ("+" term)*\nterm ::= [0-9]{1,3} | "(" sum ")"';

describe('an answer is held to', () => {
  it.each([
    [{ guided_regex: '(red|green) [a-f]{3}' }, /^(?:red|green) [a-f]{3}$/],
    [{ guided_choice: ['Ja', 'Nein', 'Jawohl'] }, /^(?:Ja|Nein|Jawohl)$/],
    [{ structured_outputs: { regex: '[0-9]{4}' } }, /^\d{4}$/],
    [{ guided_json: { enum: ['a', 'b'] } }, /^"[ab]"$/],
    [{ response_format: { type: 'json_schema', schema: { const: 7 } } }, /^7$/],
  ])('%j, in chat and in plain text', async (format, expected) => {
    for (const seed of [1, 2]) {
      expect(textOf(await say({ ...format, ...wild, seed }))).toMatch(expected);
      const response = await post('/v1/completions', { model, prompt: 'Once', max_tokens: 60, ...format, ...wild, seed });
      const { choices } = (await response.json()) as { choices: { text: string }[] };
      expect(choices[0]?.text).toMatch(expected);
    }
  }); // prettier-ignore

  it('a grammar that calls itself, as far as its tokens go', async () => {
    for (const seed of [1, 2, 3]) {
      const { choices } = await say({ grammar: sums, ...wild, seed, xtc_probability: 0.5 });
      const [choice] = choices;
      const text = choice?.message.content ?? '';
      expect(text).toMatch(/^[0-9+().]+$/);
      if (choice?.finish_reason === 'stop') expect(text).toMatch(/^.*[0-9)]\.$/);
    }
  });

  it('nothing that would have to be followed in two ways', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const guided_grammar = 'root ::= ("a" root "a")?';
    const answer = await toErrorAnswer(await postChat(chat().server, { model, messages, guided_grammar }));
    expect(answer.error).toMatchObject({ code: 'invalid_value', param: 'guided_grammar' });
    expect(answer.error.message).toContain('two ways');
  });
});

it('template variables that the template does not read are named', async () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const body = { model, messages, max_tokens: 1, chat_template_kwargs: { mood: 'good' } };
  const response = await postChat(chat().server, body);
  expect(response.headers.get('x-ignored-parameters')).toBe('chat_template_kwargs.mood');
});

describe('tokens', () => {
  it('of a text become that text again', async () => {
    for (const content of ['Once upon a time', 'é👩‍👧 \n', '']) {
      const tokenized = (await (await post('/tokenize', { model, content, with_pieces: true })).json()) as {
        tokens: { id: number; piece: unknown }[];
      };
      const tokens = tokenized.tokens.map(({ id }) => id);
      expect(await (await post('/detokenize', { model, tokens })).json()).toEqual({
        content,
        prompt: content,
      });
    }
  });

  it('of a conversation are as many as its prompt has', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const tokenized = (await (await post('/v1/tokenize', { model, messages })).json()) as { count: number };
    const { usage } = await say({ max_tokens: 1 });
    expect(tokenized).toMatchObject({ count: usage?.prompt_tokens, max_model_len: 4096 });
  });

  it('of an answer that is to be continued are as many as well', async () => {
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Good' },
    ];
    const wish = { model, messages, continue_final_message: true };
    const tokenized = (await (await post('/v1/tokenize', wish)).json()) as { count: number };
    const answer = await post('/v1/chat/completions', { ...wish, max_tokens: 1 });
    expect(await answer.json()).toMatchObject({ usage: { prompt_tokens: tokenized.count } });
  });

  it("must be the model's", async () => {
    const answer = await toErrorAnswer(await post('/detokenize', { model, tokens: [1, 10_000_000] }));
    expect(answer.error).toMatchObject({ code: 'invalid_value', param: 'tokens[1]' });
  });
});
