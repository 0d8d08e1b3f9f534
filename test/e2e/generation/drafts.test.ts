import { fc } from '../../support/properties.ts';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { hasStepper } from '../../support/engine/draw-tokens.ts';
import { completeChat, postChat, textOf, type ChatOptions } from '../../support/server/chat-client.ts';
import { oneThread, useChatServer } from '../../support/server/chat-fixture.ts';
import { readMetrics } from '../../support/watch/metrics.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

/** A maintainer may ask for thousands of random requests, and wait for them. */
const requestCount = Number(process.env['HEARTH_TEST_DRAFTS'] ?? 12);
const together = 4;

/** Each is served twice, with drafts and without. */
const kinds = { usual: {}, windowed: { architecture: 'gemma3', seed: 5 } } as const;
const names = Object.keys(kinds);
const question = 'Tell me about the sea and the wind.';

const chat = useChatServer({
  models: async () => {
    const files: Record<string, string> = {};
    for (const [kind, options] of Object.entries(kinds))
      for (const name of [kind, `${kind}-plain`]) files[name] = await tinyModel(options);
    return files;
  },
  settings: Object.fromEntries(
    names.flatMap((kind) => [
      [kind, { ...oneThread, drafts: 'all' }],
      [`${kind}-plain`, { ...oneThread, drafts: 'none' }],
    ]),
  ),
});

const schema = {
  type: 'object',
  properties: {
    'a long name': { type: 'string', maxLength: 8 },
    'another name': { enum: ['something', 'something else', 'nothing'] },
    items: {
      type: 'array',
      items: { type: 'object', properties: { width: { type: 'integer' } }, required: ['width'] },
      maxItems: 4,
    },
  },
  required: ['a long name', 'another name', 'items'],
  additionalProperties: false,
};
const tools = [{ type: 'function', function: { name: 'write_down', parameters: schema } }];

/** Parameters that any request may have. */
const request = fc.record(
  {
    temperature: fc.constantFrom(0, 0.3, 1),
    seed: fc.nat(1000),
    max_tokens: fc.integer({ min: 1, max: 90 }),
    min_tokens: fc.constantFrom(0, 1),
    top_p: fc.constantFrom(0.5, 1),
    frequency_penalty: fc.constantFrom(0, 0.7),
    repeat_penalty: fc.constantFrom(1, 1.1),
    logit_bias: fc.constantFrom({}, { 65: 5, 101: -100 }),
    stop: fc.constantFrom(['e'], ['th', ' a'], undefined),
    ignore_eos: fc.boolean(),
  },
  { requiredKeys: ['temperature', 'seed', 'max_tokens'] },
);
const form = fc.constantFrom(
  {},
  {},
  { logprobs: true, top_logprobs: 2 },
  { response_format: { type: 'json_schema', json_schema: { name: 'thing', schema } } },
  { response_format: { type: 'json_object' } },
  { tools, tool_choice: 'auto' },
  { tools, tool_choice: 'required' },
);

/** The parts of an answer that both must have in common; `likely` gives the expectation of a log-probability. */
function contentOf({ choices, usage }: ChatCompletion, likely = (logprob: number): unknown => logprob) {
  const { message, finish_reason: finishReason, logprobs } = choices[0] ?? {};
  const calls = message?.tool_calls?.map((call) => call.type === 'function' && call.function);
  const logprobsOf = logprobs?.content?.map(({ token, logprob }) => [token, likely(logprob)]);
  const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {};
  return { text: message?.content, calls, finishReason, logprobs: logprobsOf, prompt, completion };
}

describe.runIf(hasStepper)('an answer with drafts', () => {
  it.each(names)(
    'is what it is without them: %s',
    { timeout: 60_000 + requestCount * 2_000 },
    async (model) => {
      const values = fc.sample(fc.tuple(request, form), { numRuns: requestCount, seed: 7 }).entries();
      const compare = async (index: number, options: object, shape: object) => {
        const ask = (asked: string, prediction?: string) =>
          completeChat(chat().client, asked, `${index % 7}. ${question}`, {
            ...options,
            ...shape,
            ...(prediction !== undefined && { prediction: { type: 'content', content: prediction } }),
          } as object);
        const plain = await ask(`${model}-plain`);
        // llama.cpp rounds differently where it computes several tokens together.
        const expected = contentOf(plain, (logprob) => expect.closeTo(logprob, 1));
        expect(contentOf(await ask(model)), JSON.stringify([options, shape])).toEqual(expected);
        if ('tools' in shape) return;
        const predicted = await ask(model, everyNinthWordChanged(textOf(plain)));
        expect(contentOf(predicted), JSON.stringify([options, shape])).toEqual(expected);
      };
      const parted: unknown[] = [];
      const work = async () => {
        for (const [index, [options, shape]] of values)
          await compare(index, options, shape).catch((difference: unknown) => parted.push(difference));
      };
      await Promise.all(Array.from({ length: together }, work));
      // Where two tokens are equally likely, which is rare, that rounding decides.
      if (parted.length > Math.max(1, requestCount / 50)) throw parted[0];
      const metrics = await readMetrics(chat().server);
      const valueOf = (name: string, drafter: string) =>
        metrics.get(`hearth_${name}_tokens_total{model="${model}",drafter="${drafter}"}`) ?? 0;
      for (const drafter of ['grammar', 'prediction', 'text'])
        expect(valueOf('drafted', drafter)).toBeGreaterThanOrEqual(valueOf('accepted', drafter));
      expect(valueOf('accepted', 'grammar')).toBeGreaterThan(0);
      expect(valueOf('accepted', 'prediction')).toBeGreaterThan(0);
      expect(metrics.has(`hearth_drafted_tokens_total{model="${model}-plain",drafter="text"}`)).toBe(false);
    },
  );
});

describe.runIf(hasStepper)('a prediction', () => {
  const options = { temperature: 0, max_tokens: 60, ignore_eos: true } as const;
  const usageOf = ({ usage }: ChatCompletion) => usage?.completion_tokens_details;

  it('that is the answer comes without steps of its own, as a text or in parts', async () => {
    const ask = (more: ChatOptions) =>
      completeChat(chat().client, 'usual', question, { ...options, ...more });
    const plain = await ask({});
    expect(usageOf(plain)).not.toHaveProperty('accepted_prediction_tokens');
    const text = textOf(plain);
    const parts = [text.slice(0, 9), text.slice(9), ' and more of it'];
    const contents = [text, parts.map((part) => ({ type: 'text' as const, text: part }))];
    for (const content of contents) {
      const predicted = await ask({ prediction: { type: 'content', content } });
      expect(textOf(predicted)).toBe(text);
      expect(predicted.usage?.completion_tokens).toBe(60);
      expect(usageOf(predicted)?.accepted_prediction_tokens).toBeGreaterThan(20);
    }
  });

  it('that is nothing like the answer is given up', async () => {
    const content = 'It never says anything of the kind. '.repeat(20);
    const answer = await completeChat(chat().client, 'usual', question, {
      ...options,
      prediction: { type: 'content', content },
    });
    expect(usageOf(answer)?.accepted_prediction_tokens).toBeLessThan(5);
    expect(usageOf(answer)?.rejected_prediction_tokens).toBeLessThan(60);
  });

  it('does not go with tools', async () => {
    const prediction = { type: 'content', content: 'this' } as const;
    const messages = [{ role: 'user', content: question }];
    const answer = await postChat(chat().server, { model: 'usual', messages, tools, prediction });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'unsupported_value', param: 'prediction' } });
    const without = await postChat(chat().server, {
      model: 'usual',
      messages,
      tools,
      prediction: null,
      max_tokens: 1,
    });
    expect(without.status).toBe(200);
  });
});

function everyNinthWordChanged(text: string): string {
  const words = text.split(' ');
  return words.map((word, at) => (at % 9 === 8 ? 'other' : word)).join(' ');
}
