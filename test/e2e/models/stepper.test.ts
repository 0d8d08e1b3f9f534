import { Ajv } from 'ajv';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { completeChat } from '../../support/server/chat-client.ts';
import { useChatServer, useSharedServer } from '../../support/server/chat-fixture.ts';
import { hasStepper } from '../../support/engine/draw-tokens.ts';

const withIt = useSharedServer();
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

const isThing = new Ajv().compile(schema);
const sampled = { temperature: 1.2, seed: 11 };
const requests: Readonly<Record<string, Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> & object>> = {
  'the likeliest tokens': { temperature: 0 },
  'a seed': sampled,
  'all filters': { ...sampled, top_p: 0.8, ...({ top_k: 0, min_p: 0.02 } as object) },
  'more candidates than 32 bits count': { ...sampled, ...({ top_k: 2 ** 40 } as object) },
  XTC: { ...sampled, ...({ xtc_probability: 0.5, xtc_threshold: 0.02 } as object) },
  'penalties and biases': {
    ...sampled,
    frequency_penalty: 1,
    presence_penalty: 0.5,
    logit_bias: { 65: 5, 70: -100 },
  },
  'log-probabilities': { ...sampled, logprobs: true, top_logprobs: 3 },
};

describe.each([
  { name: 'with the stepper', runs: hasStepper, open: withIt, isWarned: false },
  { name: 'without the stepper', runs: true, open: withoutIt, isWarned: true },
])('answers $name', ({ runs, open, isWarned }) => {
  const ask = async (request: object) => {
    const { choices, usage } = await completeChat(open().client, 'tiny', 'Tell me about the sea.', {
      max_tokens: 48,
      ...request,
    });
    return { choice: choices[0], usage };
  };

  it.runIf(runs).each(Object.entries(requests))('are there, and the same again: %s', async (_, request) => {
    const { choice, usage } = await ask(request);
    expect(choice?.message.content).not.toBe('');
    expect(['stop', 'length']).toContain(choice?.finish_reason);
    expect(usage?.completion_tokens).toBeGreaterThan(0);
    const logprobs = choice?.logprobs?.content ?? [];
    expect(logprobs).toHaveLength('logprobs' in request ? logprobs.length : 0);
    for (const { logprob, top_logprobs: top } of logprobs) {
      expect(logprob).toBeLessThanOrEqual(top[0]?.logprob ?? 0);
      expect(top).toHaveLength(3);
    }
    expect((await ask(request)).choice?.message.content).toBe(choice?.message.content);
  });

  it.runIf(runs)('fit a schema, however they are drawn', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'thing', schema, strict: true } };
    for (const sampling of [{ temperature: 0 }, sampled, { ...sampled, ...requests['XTC'] }]) {
      const { choice } = await ask({ ...sampling, max_tokens: 400, response_format });
      expect(choice?.finish_reason).toBe('stop');
      expect(isThing(JSON.parse(choice?.message.content ?? ''))).toBe(true);
    }
  });

  it.runIf(runs)('are told of in the log where they are slower', () => {
    expect(open().server.stderr().includes('computes without the stepper')).toBe(isWarned);
  });
});
