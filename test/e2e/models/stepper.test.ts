import { describe, expect, it } from 'vitest';
import type OpenAI from 'openai';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { hasStepper } from '../../support/engine/draw-tokens.ts';

const withIt = useChatServer();
const withoutIt = useChatServer({ env: { HEARTH_STEPPER: 'off' } });

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 12 },
    count: { type: 'integer' },
    kind: { enum: ['a', 'bc'] },
  },
  required: ['name', 'count', 'kind'],
  additionalProperties: false,
};

const sampled = { temperature: 1.2, seed: 11 };
const requests: Readonly<Record<string, Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> & object>> = {
  'the likeliest tokens': { temperature: 0 },
  'a seed': sampled,
  'all filters': { ...sampled, top_p: 0.8, ...({ top_k: 0, min_p: 0.02 } as object) },
  'more candidates than 32 bits count': { ...sampled, ...({ top_k: 2 ** 40 } as object) },
  'penalties and biases': {
    ...sampled,
    frequency_penalty: 1,
    presence_penalty: 0.5,
    logit_bias: { 65: 5, 70: -100 },
  },
  'log-probabilities': { ...sampled, logprobs: true, top_logprobs: 3 },
  'a schema': {
    ...sampled,
    max_tokens: 120,
    response_format: { type: 'json_schema', json_schema: { name: 'thing', schema, strict: true } },
  },
};

/** The text, its end, and the log-probabilities: of each token its own, and then those of its alternatives. */
const told = (answer: OpenAI.ChatCompletion) => {
  const [choice] = answer.choices;
  const logprobs = (choice?.logprobs?.content ?? []).map((one) => [
    one.logprob,
    ...one.top_logprobs.map((top) => top.logprob),
  ]);
  return { text: choice?.message.content, end: choice?.finish_reason, logprobs };
};

describe('answers with and without the stepper', () => {
  it.runIf(hasStepper).each(Object.entries(requests))('are the same for %s', async (_, request) => {
    // One at a time: llama.cpp's results depend a little on what is computed together.
    const ask = async (client: OpenAI) =>
      told(
        await client.chat.completions.create({
          model: 'tiny',
          messages: [{ role: 'user', content: 'Tell me about the sea.' }],
          max_tokens: 48,
          ...request,
        }),
      );
    const expected = await ask(withoutIt().client);
    expect(expected.text).not.toBe('');
    const { logprobs, ...answer } = await ask(withIt().client);
    expect(answer).toEqual({ text: expected.text, end: expected.end });
    expect(logprobs).toHaveLength(expected.logprobs.length);
    for (const [at, numbers] of logprobs.entries())
      for (const [rank, number] of numbers.entries())
        expect(number).toBeCloseTo(expected.logprobs[at]?.[rank] ?? Number.NaN, 3);
  });

  it('differ in what the log says', () => {
    expect(withoutIt().server.stderr()).toContain('computes without the stepper');
    if (hasStepper) expect(withIt().server.stderr()).not.toContain('computes without the stepper');
  });
});
