import { describe, expect, it } from 'vitest';
import { completeChat, streamChat, textOf, tokensByChunk } from '../../support/server/chat-client.ts';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds, hasStories } from '../../support/models/chat-models.ts';

const chat = useSharedServer();
const prompt = 'Once upon a time there was a little fox';

describe.for(chatModelIds)('chat with %s', (model) => {
  it('answers in one piece', async () => {
    const completion = await completeChat(chat().client, model, prompt, { max_tokens: 24, temperature: 0 });
    expect(completion).toMatchObject({ object: 'chat.completion', model });
    expect(completion.id).not.toBe('');
    expect(completion.choices).toHaveLength(1);
    expect(completion.choices[0]).toMatchObject({ index: 0, message: { role: 'assistant' } });
    expect(['stop', 'length']).toContain(completion.choices[0]?.finish_reason);
    expect(textOf(completion)).not.toBe('');
    const { usage } = completion;
    expect(usage?.prompt_tokens).toBeGreaterThan(5);
    expect(usage?.completion_tokens).toBeLessThanOrEqual(24);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  });

  it('streams the same text in the order that clients expect', async () => {
    const options = { max_tokens: 24, temperature: 0 } as const;
    const whole = await completeChat(chat().client, model, prompt, options);
    const { chunks, pieces, text, finishReason } = await streamChat(chat().client, model, prompt, {
      ...options,
      stream_options: { include_usage: true },
    });
    expect(text).toBe(textOf(whole));
    expect(pieces.length).toBeGreaterThan(3);
    expect(finishReason).toBe(whole.choices[0]?.finish_reason);

    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    const [ending, usageChunk] = chunks.slice(-2);
    expect(ending?.choices[0]?.delta).toEqual({});
    expect(usageChunk).toMatchObject({ choices: [], usage: { prompt_tokens: whole.usage?.prompt_tokens } });
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({ id: chunks[0]?.id, created: chunks[0]?.created, model });
      expect(chunk.object).toBe('chat.completion.chunk');
      if (chunk !== usageChunk) expect(chunk.usage).toBeNull();
      if (chunk !== ending && chunk !== usageChunk) expect(chunk.choices[0]?.finish_reason).toBeNull();
    }
  });

  it('tells in every chunk how many tokens have been computed, when asked', async () => {
    const streamed = await streamChat(chat().client, model, prompt, {
      max_tokens: 24,
      ignore_eos: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    });
    const tokens = tokensByChunk(streamed);
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
    expect(new Set(tokens).size).toBeGreaterThan(5);
    expect(tokens[0]).toBeLessThan(5);
    expect(tokens.at(-1)).toBe(24);
    const prompts = new Set(streamed.chunks.map(({ usage }) => usage?.prompt_tokens));
    expect(prompts.size).toBe(1);
  });

  it('gives the same text for the same seed, and other text for others', async () => {
    const ask = (seed: number): Promise<string> =>
      completeChat(chat().client, model, prompt, { max_tokens: 32, temperature: 1, seed }).then(textOf);
    const first = await ask(11);
    expect(await ask(11)).toBe(first);
    const others = [await ask(12), await ask(13), await ask(14)];
    expect(others.some((text) => text !== first)).toBe(true);
  });

  it('draws a seed of its own when none is given', async () => {
    const options = { max_tokens: 32, temperature: 1.2 };
    const texts = await Promise.all(
      Array.from({ length: 4 }, () => completeChat(chat().client, model, prompt, options).then(textOf)),
    );
    expect(new Set(texts).size).toBeGreaterThan(1);
  });

  it('tells how much of a repeated prompt was cached', async () => {
    const options = { max_tokens: 4, temperature: 0 };
    const question =
      'Tell me about the sea, the mountains, and the fire that never went out in the little house.';
    await completeChat(chat().client, model, question, options);
    const { usage } = await completeChat(chat().client, model, question, options);
    expect(usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(0);
    expect(usage?.prompt_tokens_details?.cached_tokens).toBeLessThan(usage?.prompt_tokens ?? 0);
  });

  it('ends with the context when nothing else ends it', async () => {
    const { choices, usage } = await completeChat(chat().client, model, prompt, {
      temperature: 0,
      ignore_eos: true,
    });
    expect(choices[0]?.finish_reason).toBe('length');
    expect(usage?.completion_tokens).toBeGreaterThan(100);
  });
});

describe.runIf(hasStories)('a trained model', () => {
  it('tells a coherent story', async () => {
    const completion = await completeChat(chat().client, 'stories260K-chat-f16', 'Once upon a time', {
      max_tokens: 60,
      temperature: 0,
    });
    const words =
      textOf(completion)
        .toLowerCase()
        .match(/[a-z]+/g) ?? [];
    const common = words.filter((word) =>
      /^(a|an|and|the|was|to|she|he|her|his|it|had|named|girl|lily)$/.test(word),
    );
    expect(words.length).toBeGreaterThan(25);
    expect(common.length / words.length).toBeGreaterThan(0.3);
  });
});
