import { Ajv } from 'ajv';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { buildVocabulary } from '../../../scripts/make/tiny-model/vocabulary/vocabulary.ts';
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

  const known = Object.entries(requests).filter(([, request]) => !isWarned || !('logprobs' in request));
  it.runIf(runs).each(known)('are there, and the same again: %s', async (_, request) => {
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

  it.runIf(runs)('are told of in the log where they are slower', async () => {
    const isTold = () => open().server.stderr().includes('computes without the stepper');
    await expect.poll(isTold).toBe(isWarned);
  });
});

describe('without the stepper', () => {
  const ask = (more: object) =>
    completeChat(withoutIt().client, 'tiny', 'Tell me about the sea.', {
      max_tokens: 24,
      temperature: 0,
      ...more,
    });

  it('an answer is streamed as it is written, and charged the same', async () => {
    const whole = await ask({});
    const stream = await withoutIt().client.chat.completions.create({
      model: 'tiny',
      messages: [{ role: 'user', content: 'Tell me about the sea.' }],
      max_tokens: 24,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    });
    let [text, pieces] = ['', 0];
    let usage;
    for await (const chunk of stream) {
      const { content } = chunk.choices[0]?.delta ?? {};
      if (content) [text, pieces] = [text + content, pieces + 1];
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(pieces).toBeGreaterThan(1);
    expect(usage?.completion_tokens).toBe(whole.usage?.completion_tokens);
    // All of the prompt but its last token is known from the first time.
    expect(usage?.prompt_tokens_details?.cached_tokens).toBe((usage?.prompt_tokens ?? 0) - 1);
  });

  it('a call that must come is one of the tool', async () => {
    const { choices } = await ask({
      max_tokens: 400,
      tools: [{ type: 'function', function: { name: 'count', parameters: schema } }],
      tool_choice: 'required',
    });
    const [call] = choices[0]?.message.tool_calls ?? [];
    if (call?.type !== 'function') expect.fail('no call');
    expect(call.function.name).toBe('count');
    expect(isThing(JSON.parse(call.function.arguments))).toBe(true);
  });

  it('several requests have their turns, and one that leaves gives its own to the next', async () => {
    const caller = new AbortController();
    const left = withoutIt().client.chat.completions.create(
      { model: 'tiny', messages: [{ role: 'user', content: 'Count.' }], max_tokens: 4000 },
      { signal: caller.signal },
    );
    const gone = expect(left).rejects.toThrow();
    const others = [ask({}), ask({ temperature: 1, seed: 3 }), ask({})];
    caller.abort();
    await gone;
    const texts = (await Promise.all(others)).map(({ choices }) => choices[0]?.message.content);
    expect(texts[0]).toBe(texts[2]);
  });

  it('texts have vectors', async () => {
    const input = ['the sea', 'a harbour', 'the sea'];
    const { data } = await withoutIt().client.embeddings.create({ model: 'tiny', input });
    const [first = [], second = [], third = []] = data.map(({ embedding }) => embedding);
    expect(Math.hypot(...first)).toBeCloseTo(1, 5);
    expect(third).toEqual(first);
    expect(second).not.toEqual(first);
  });

  const { endOfTurnId } = buildVocabulary(360);
  it.each([
    { logprobs: true },
    { min_tokens: 3 },
    { ignore_eos: true },
    { logit_bias: { [endOfTurnId]: -100 } },
  ])('refuses %j', async (more) => {
    const [param = ''] = Object.keys(more);
    await expect(ask(more)).rejects.toMatchObject({ status: 400, code: 'unsupported_value', param });
  });
});
