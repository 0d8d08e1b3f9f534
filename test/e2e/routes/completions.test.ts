import type { Completion, CompletionChoice } from 'openai/resources/completions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds } from '../../support/models/chat-models.ts';
import { openNativeFixture, type NativeFixture } from '../../support/models/native-model.ts';

const chat = useSharedServer();
const prompt = 'Once upon a time there was a little fox';
const greedy = { temperature: 0, ignore_eos: true };

/** A completion in one piece, with the parameters that the official client has no types for. */
const complete = (model: string, options: Record<string, unknown>): Promise<Completion> =>
  chat().client.completions.create({ model, prompt, ...options });

const textOf = ({ choices }: Completion): string => choices[0]?.text ?? '';

/** Chunks of a streamed completion. */
async function stream(model: string, options: Record<string, unknown>): Promise<Completion[]> {
  const chunks: Completion[] = [];
  for await (const chunk of await chat().client.completions.create({
    model,
    prompt,
    ...options,
    stream: true,
  }))
    chunks.push(chunk);
  return chunks;
}

/** The client's types know no chunk that goes on. */
const finishOf = ({ finish_reason: reason }: CompletionChoice): string | null => reason;
const pieceOf = (chunk: Completion): string => chunk.choices[0]?.text ?? '';

describe.for(chatModelIds)('completions of %s', (model) => {
  it('have 16 tokens unless told otherwise', async () => {
    const completion = await complete(model, { ...greedy });
    expect(completion).toMatchObject({ object: 'text_completion', model, usage: { completion_tokens: 16 } });
    expect(completion.choices).toMatchObject([{ index: 0, logprobs: null, finish_reason: 'length' }]);
    expect(textOf(completion).startsWith(prompt)).toBe(false);
    const { prompt_tokens: promptTokens = 0, total_tokens: totalTokens } = completion.usage ?? {};
    expect(totalTokens).toBe(promptTokens + 16);
  });

  it('stream the same text', async () => {
    const options = { ...greedy, max_tokens: 24, stream_options: { include_usage: true } };
    const whole = await complete(model, { ...options, stream_options: undefined });
    const chunks = await stream(model, options);
    expect(chunks.map(pieceOf).join('')).toBe(textOf(whole));
    expect(chunks.length).toBeGreaterThan(5);
    const [ending, usage] = chunks.slice(-2);
    expect(ending?.choices).toEqual([{ text: '', index: 0, logprobs: null, finish_reason: 'length' }]);
    expect(usage).toMatchObject({ choices: [], usage: { completion_tokens: 24 } });
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({ id: chunks[0]?.id, object: 'text_completion', model });
      if (chunk !== usage) expect(chunk.usage).toBeNull();
    }
  });

  it('end before a stop sequence that spans chunks', async () => {
    const pieces = (await stream(model, { ...greedy, max_tokens: 40 })).map(pieceOf);
    const text = pieces.join('');
    const spanned = Array.from(pieces.slice(9, 13).join(''));
    const stop = spanned.slice(1, -1).join('');
    const options = { ...greedy, max_tokens: 40, stop: ['never to be found', stop] };
    const cut = await stream(model, options);
    expect(cut.map(pieceOf).join('')).toBe(text.slice(0, text.indexOf(stop)));
    expect(cut.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(textOf(await complete(model, options))).toBe(text.slice(0, text.indexOf(stop)));
  });

  it('take top_p 0 for off, which is also what is drawn with without it', async () => {
    const draw = async (topP?: number) =>
      textOf(await complete(model, { ...greedy, temperature: 1.5, seed: 5, max_tokens: 30, top_p: topP }));
    const open = await draw(1);
    expect(await draw(0)).toBe(open);
    expect(await draw()).toBe(open);
    expect(await draw(0.01)).not.toBe(open);
  });

  it('honour logit_bias and penalties', async () => {
    const repeating = await complete(model, { ...greedy, max_tokens: 60 });
    const penalised = await complete(model, { ...greedy, max_tokens: 60, frequency_penalty: 2 });
    expect(textOf(penalised)).not.toBe(textOf(repeating));
    const options = { ...greedy, max_tokens: 4, logit_bias: { 77: 100 }, logprobs: 0 };
    const { tokens = [] } = (await complete(model, options)).choices[0]?.logprobs ?? {};
    expect(tokens).toEqual(Array.from({ length: 4 }, () => tokens[0]));
  });
});

describe.for(chatModelIds)('several prompts to %s', (model) => {
  const prompts = ['Once upon a time', 'The sea was', 'In the morning they', 'A king who could not sleep'];
  const options = { ...greedy, max_tokens: 12, logprobs: 2 };
  let alone: readonly Completion[];
  beforeAll(async () => {
    const completions: Completion[] = [];
    for (const one of prompts) completions.push(await complete(model, { ...options, prompt: one }));
    alone = completions;
  });

  it('get a choice each, in order, and are charged together', async () => {
    const together = await complete(model, { ...options, prompt: prompts });
    expect(together.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    for (const [index, choice] of together.choices.entries())
      expect(choice.text).toMatch(startOf(untilTie(alone[index]?.choices[0])));
    const sum = (count: (usage: NonNullable<Completion['usage']>) => number) =>
      alone.reduce((total, { usage }) => total + (usage ? count(usage) : 0), 0);
    expect(together.usage).toMatchObject({
      prompt_tokens: sum((usage) => usage.prompt_tokens),
      completion_tokens: sum((usage) => usage.completion_tokens),
      total_tokens: sum((usage) => usage.total_tokens),
    });
  });

  it('stream with the index of their prompt', async () => {
    const chunks = await stream(model, { ...options, prompt: prompts });
    const texts = new Map<number, string>();
    const order: number[] = [];
    for (const { choices } of chunks) {
      for (const { index, text } of choices) {
        order.push(index);
        texts.set(index, (texts.get(index) ?? '') + text);
      }
    }
    expect(new Set(texts.keys())).toEqual(new Set([0, 1, 2, 3]));
    for (const [index, text] of texts) expect(text).toMatch(startOf(untilTie(alone[index]?.choices[0])));
    const finished = chunks.flatMap(({ choices }) => choices).filter((choice) => finishOf(choice) !== null);
    expect(finished).toHaveLength(4);
    expect(new Set(finished.map(({ index }) => index))).toEqual(new Set([0, 1, 2, 3]));
    // They were computed together and not one after the other.
    expect(order.lastIndexOf(0)).toBeGreaterThan(order.indexOf(3));
  });
});

/**
 * The text before the first token that was nearly not chosen: in other company llama.cpp rounds otherwise, and the
 * other token may come.
 */
function untilTie(choice: CompletionChoice | undefined): string {
  const { text_offset: offsets = [], top_logprobs: tops = [] } = choice?.logprobs ?? {};
  const tie = tops.findIndex((top) => {
    const [best = 0, second = -1] = Object.values(top).toSorted((a, b) => b - a);
    return best - second < 0.05;
  });
  return Array.from(choice?.text ?? '')
    .slice(0, offsets[tie])
    .join('');
}

const startOf = (text: string) => new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);

describe('tokens for a prompt', () => {
  let fixture: NativeFixture;
  beforeAll(async () => {
    fixture = await openNativeFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  it('continue like their text, alone and in an array', async () => {
    const text = 'The house at the end of the road, Grüße \u{1f525}';
    const tokens = [...(await fixture.vocabulary.tokenize(text, true))];
    const expected = await complete('tiny', { ...greedy, max_tokens: 20, prompt: text });
    expect(expected.usage?.prompt_tokens).toBe(tokens.length);
    expect(textOf(await complete('tiny', { ...greedy, max_tokens: 20, prompt: tokens }))).toBe(
      textOf(expected),
    );
    const options = { ...greedy, max_tokens: 20, prompt: [tokens] };
    expect(textOf(await complete('tiny', options))).toBe(textOf(expected));
  });

  it('are repeated as their text', async () => {
    const text = 'Être ou ne pas être 日本語 <|im_start|> \u{1f525}';
    const tokens = [...(await fixture.vocabulary.tokenize(text, true))];
    const completion = await complete('tiny', { prompt: tokens, echo: true, max_tokens: 0 });
    expect(textOf(completion)).toBe(text);
  });

  it('hold control tokens where their texts stand in a prompt', async () => {
    const { usage } = await complete('tiny', { prompt: '<|im_start|><|im_end|>', max_tokens: 1 });
    expect(usage?.prompt_tokens).toBe(2);
  });

  it('fail alone when one is none of the model, whatever runs beside', async () => {
    const running = complete('tiny', { ...greedy, max_tokens: 120 });
    const expected = textOf(await complete('tiny', { ...greedy, max_tokens: 16 }));
    for (const bad of [100_000, 2 ** 31 - 1]) {
      await expect(
        complete('tiny', {
          prompt: [
            [5, 6],
            [7, bad],
          ],
        }),
      ).rejects.toMatchObject({
        status: 400,
        code: 'invalid_value',
        param: 'prompt[1][1]',
        message: expect.stringContaining(`Token ${bad} at index 1`) as string,
      });
    }
    await expect(complete('tiny', { prompt: [5, -1] })).rejects.toMatchObject({ param: 'prompt[1]' });
    expect((await running).usage?.completion_tokens).toBe(120);
    expect(textOf(await complete('tiny', { ...greedy, max_tokens: 16 }))).toBe(expected);
  });
});

it('refuses what does not fit, also in a stream of several prompts', async () => {
  const long = 'the house by the sea '.repeat(1000);
  for (const prompts of [long, ['short', long]]) {
    for (const streams of [false, true]) {
      const asked = streams ? stream('tiny', { prompt: prompts }) : complete('tiny', { prompt: prompts });
      await expect(asked).rejects.toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        param: Array.isArray(prompts) ? 'prompt[1]' : 'prompt',
        message: expect.stringMatching(/ 2048 tokens.* has \d{4,}:/) as string,
      });
    }
  }
});
