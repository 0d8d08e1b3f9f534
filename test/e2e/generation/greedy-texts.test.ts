import { describe, expect, it } from 'vitest';
import { architectures } from '../../../scripts/make/tiny-model/architectures.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { greedyModels, readRecords, sha256Of } from '../../support/engine/greedy-texts.ts';

const models = await greedyModels();
const records = (await readRecords()).filter(({ model }) => models.has(model));
const server = useChatServer({ models: async () => Object.fromEntries(models) });

describe('greedy texts', () => {
  it('are recorded for all architectures', () => {
    expect(records.map(({ model }) => model)).toEqual(expect.arrayContaining([...architectures]));
  });

  it.each(records)('of $model are those of llama.cpp’s server, token for token', async (record) => {
    const path = models.get(record.model) ?? '';
    // A model that is written in another way has other texts: record them anew.
    expect(await sha256Of(path)).toBe(record.sha256);
    for (const { prompt, text, logprobs } of record.texts) {
      const { choices } = await server().client.completions.create({
        model: record.model,
        prompt,
        temperature: 0,
        max_tokens: logprobs.length,
        logprobs: 0,
      });
      const [{ text: own, logprobs: ownLogprobs } = { text: '', logprobs: null }] = choices;
      expect(own).toBe(text);
      const numbers = ownLogprobs?.token_logprobs ?? [];
      expect(numbers).toHaveLength(logprobs.length);
      for (const [at, number] of numbers.entries()) expect(number).toBeCloseTo(logprobs[at] ?? NaN, 1);
    }
  });
});
