import { describe, expect, it } from 'vitest';
import type OpenAI from 'openai';
import { useChatServer } from '../support/chat-fixture.ts';
import { hasStepper } from '../support/draw-tokens.ts';

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

/** The logarithms to four digits: the sums behind them are added up in another order. */
const rounded = (answer: OpenAI.ChatCompletion) => ({
  message: answer.choices[0]?.message,
  end: answer.choices[0]?.finish_reason,
  logprobs: answer.choices[0]?.logprobs?.content?.map(({ token, logprob, top_logprobs: top }) => [
    token,
    logprob.toFixed(4),
    ...top.map((one) => `${one.token} ${one.logprob.toFixed(4)}`),
  ]),
});

describe('answers with and without the stepper', () => {
  it.runIf(hasStepper).each(Object.entries(requests))('are the same for %s', async (_, request) => {
    const ask = async (client: OpenAI) =>
      rounded(
        await client.chat.completions.create({
          model: 'tiny',
          messages: [{ role: 'user', content: 'Tell me about the sea.' }],
          max_tokens: 48,
          ...request,
        }),
      );
    const expected = await ask(withoutIt().client);
    expect(expected.message?.content).not.toBe('');
    // Together, so that they stand beside one another in the steps.
    const asked = Array.from({ length: 3 }, () => ask(withIt().client));
    for (const answer of await Promise.all(asked)) expect(answer).toEqual(expected);
  });

  it('differ in what the log says', () => {
    expect(withoutIt().server.stderr()).toContain('computes without the stepper');
    if (hasStepper) expect(withIt().server.stderr()).not.toContain('computes without the stepper');
  });
});
