import type { Completion } from 'openai/resources/completions';
import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds } from '../../support/models/chat-models.ts';

const chat = useSharedServer();
const prompt = 'Grüße aus Österreich, once upon a time \u{1f525}';

const complete = (model: string, options: Record<string, unknown>): Promise<Completion> =>
  chat().client.completions.create({ model, prompt, temperature: 0, ...options });

const choiceOf = ({ choices }: Completion) => {
  const [choice] = choices;
  if (choice?.logprobs == null) throw new Error('no log-probabilities');
  const {
    tokens = [],
    token_logprobs: own = [],
    top_logprobs: top = [],
    text_offset: offsets = [],
  } = choice.logprobs;
  return { text: choice.text, tokens, own: own as (number | null)[], top, offsets };
};

/** OpenAI's text for a token that is a part of a character. */
const isPart = (token: string) => /^bytes:(?:\\x[0-9a-f]{2})+$/.test(token);

describe.for(chatModelIds)('log-probabilities of %s', (model) => {
  it('come with each token of the text, the chosen one and the best', async () => {
    const completion = await complete(model, { logprobs: 3, max_tokens: 20, ignore_eos: true });
    const { text, tokens, own, top, offsets } = choiceOf(completion);
    for (const list of [tokens, own, top, offsets]) expect(list).toHaveLength(20);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    const characters = Array.from(text);
    for (const [index, token] of tokens.entries()) {
      expect(own[index]).toBeLessThanOrEqual(0);
      const best = top[index] ?? {};
      expect(best[token]).toBe(own[index]);
      expect(Object.keys(best).length).toBeGreaterThanOrEqual(3);
      if (!isPart(token)) expect(characters.slice(offsets[index]).join('').startsWith(token)).toBe(true);
    }
  });

  it('have the chosen token besides the best, and alone when none are asked for', async () => {
    const options = { temperature: 2, seed: 4, top_k: 0, min_p: 0, max_tokens: 20, ignore_eos: true };
    const { tokens, own, top } = choiceOf(await complete(model, { ...options, logprobs: 1 }));
    expect(Math.max(...top.map((best) => Object.keys(best).length))).toBe(2);
    const plain = choiceOf(await complete(model, { ...options, logprobs: 0 }));
    expect(plain.tokens).toEqual(tokens);
    for (const [index, token] of tokens.entries()) {
      expect(top[index]?.[token]).toBe(own[index]);
      expect(plain.top[index]).toEqual({ [token]: plain.own[index] });
    }
  });

  it('of a repeated prompt have one entry per token, the first of them null', async () => {
    const completion = await complete(model, { logprobs: 2, echo: true, max_tokens: 5, ignore_eos: true });
    const { text, tokens, own, top, offsets } = choiceOf(completion);
    const { prompt_tokens: promptTokens = 0 } = completion.usage ?? {};
    expect(text.startsWith(prompt)).toBe(true);
    for (const list of [tokens, own, top, offsets]) expect(list).toHaveLength(promptTokens + 5);
    expect([own[0], top[0]]).toEqual([null, null]);
    expect(own.slice(1).every((logprob) => logprob !== null && logprob <= 0)).toBe(true);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    const characters = Array.from(text);
    expect(offsets[promptTokens]).toBe(Array.from(prompt).length);
    for (const [index, token] of tokens.entries()) {
      const isBeginning = index === 0 && /^<.*>$/.test(token);
      if (isPart(token) || isBeginning) continue;
      // Some tokenizers put a space in front of a text.
      const shown = offsets[index] === 0 ? token.trimStart() : token;
      expect(characters.slice(offsets[index]).join('').startsWith(shown)).toBe(true);
    }
  });

  it('of a text are the same when it was generated and when it is judged', async () => {
    const generated = await complete(model, { logprobs: 0, echo: true, max_tokens: 12, ignore_eos: true });
    const { text } = choiceOf(generated);
    const judged = choiceOf(await complete(model, { prompt: text, logprobs: 0, echo: true, max_tokens: 0 }));
    const { tokens, own } = choiceOf(generated);
    let compared = 0;
    for (const [index, token] of tokens.entries()) {
      // The tokenizer may cut the text otherwise than the model did.
      if (judged.tokens[index] !== token) break;
      if (index > 0) expect(Math.abs((judged.own[index] ?? 0) - (own[index] ?? 1))).toBeLessThan(0.02);
      compared++;
    }
    expect(compared).toBeGreaterThan(8);
    expect(judged.text).toBe(text);
  });

  it('stream in the same lists', async () => {
    const options = { logprobs: 2, echo: true, max_tokens: 10, ignore_eos: true };
    const whole = choiceOf(await complete(model, options));
    const chunks: Completion[] = [];
    const request = { model, prompt, temperature: 0, ...options, stream: true } as const;
    for await (const chunk of await chat().client.completions.create(request)) chunks.push(chunk);
    expect(chunks.at(-1)?.choices[0]?.logprobs).toBeNull();
    const parts = chunks.filter(({ choices }) => choices[0]?.logprobs != null).map(choiceOf);
    expect(parts[0]?.text).toBe(prompt);
    expect(parts.length).toBeGreaterThan(3);
    expect({
      text: parts.map(({ text }) => text).join(''),
      tokens: parts.flatMap(({ tokens }) => tokens),
      own: parts.flatMap(({ own }) => own),
      top: parts.flatMap(({ top }) => top),
      offsets: parts.flatMap(({ offsets }) => offsets),
    }).toEqual(whole);
  });
});

it('a prompt is repeated without them too, and by itself', async () => {
  const echoed = await complete('tiny', { echo: true, max_tokens: 0 });
  expect(echoed.choices).toEqual([{ text: prompt, index: 0, logprobs: null, finish_reason: 'length' }]);
  expect(echoed.usage?.completion_tokens).toBe(0);
  const longer = await complete('tiny', { echo: true, max_tokens: 6, ignore_eos: true });
  const plain = await complete('tiny', { max_tokens: 6, ignore_eos: true });
  expect(longer.choices[0]?.text).toBe(prompt + plain.choices[0]?.text);
});

it('of more prompt tokens than an answer may hold are refused, without them the same prompts are not', async () => {
  const [model = ''] = chatModelIds;
  const prompts = Array.from({ length: 128 }, (_, index) => (index === 3 ? 'a '.repeat(400) : 'a'));
  const body = { model, prompt: prompts, echo: true, max_tokens: 0 };
  await expect(chat().client.completions.create({ ...body, logprobs: 20 })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_value',
    param: 'logprobs',
    message: expect.stringContaining('up to 372') as string,
  });
  expect((await chat().client.completions.create(body)).choices).toHaveLength(128);
});
