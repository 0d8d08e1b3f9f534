import type OpenAI from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildVocabulary } from '../../../scripts/make/tiny-model/vocabulary/vocabulary.ts';
import { postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { ownTemplates } from '../../support/models/templates.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { forecast, readCalls, tools } from '../../support/wire/tool-answers.ts';
import { openToolModel, toolModel } from '../../support/models/tool-models.ts';

const names = ['start', 'channel', 'message', 'end', 'call', 'return', 'constrain'];
const channelTexts = names.map((name) => `<|${name}|>`);
const returnToken = buildVocabulary(360, channelTexts).entries.findIndex(({ text }) => text === '<|return|>');
const chat = useChatServer({
  models: async () => ({
    ...(await openToolModel()),
    channels: await tinyModel({ chatTemplate: ownTemplates.channels, controlTexts: channelTexts }),
  }),
});
const question = { messages: [{ role: 'user', content: 'What will the weather be?' }], max_tokens: 200 };

type ThoughtfulMessage = OpenAI.ChatCompletionMessage & {
  readonly reasoning?: string;
  readonly reasoning_content?: string;
};

async function ask(extra: object): Promise<OpenAI.ChatCompletion & { readonly message: ThoughtfulMessage }> {
  const response = await postChat(chat().server, { model: toolModel, ...question, ...extra });
  expect(response.status).toBe(200);
  const completion = (await response.json()) as OpenAI.ChatCompletion;
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('a completion without a choice');
  return { ...completion, message: choice.message };
}

/** The text whose tokens have log-probabilities. */
const textOfLogprobs = ({ choices }: OpenAI.ChatCompletion): string =>
  Buffer.concat(
    (choices[0]?.logprobs?.content ?? []).map(({ bytes }) => Buffer.from(bytes ?? [])),
  ).toString();

const reasoningTokens = ({ usage }: OpenAI.ChatCompletion): number =>
  usage?.completion_tokens_details?.reasoning_tokens ?? 0;

describe('a model that can reason', () => {
  it.each([{}, { tools }, { tools, tool_choice: 'required' }])(
    'tells the log-probabilities of its text, not those of the signs around thoughts and calls, for %o',
    async (extra) => {
      for (const seed of [1, 2, 3, 4]) {
        const completion = await ask({ model: `${toolModel}-r`, logprobs: true, seed, ...extra });
        const content = (completion.message.content ?? '').trim();
        // The last token may end in the middle of a character, which then has not all of its own.
        const told = textOfLogprobs(completion)
          .replace(/\uFFFD$/, '')
          .trim();
        expect(content.startsWith(told), `${told} | ${content}`).toBe(true);
        expect(content.length - told.length).toBeLessThanOrEqual(2);
      }
    },
  );

  it('says nothing before a call because its log-probabilities are asked for', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const { output } = await chat().client.responses.create({
        model: toolModel,
        input: 'What will the weather be?',
        tools: [{ type: 'function', name: 'get_time', parameters: { type: 'object' }, strict: false }],
        tool_choice: { type: 'function', name: 'get_time' },
        include: ['message.output_text.logprobs'],
        temperature: seed / 4,
      });
      expect(output.map(({ type }) => type)).toEqual(['function_call']);
    }
  });

  it('is listed with and without -r', async () => {
    const ids: string[] = [];
    for await (const { id } of chat().client.models.list()) ids.push(id);
    expect(ids).toEqual(expect.arrayContaining([toolModel, `${toolModel}-r`, 'tiny']));
    expect(ids).not.toContain('tiny-r');
    expect(await chat().client.models.retrieve(`${toolModel}-r`)).toMatchObject({ id: `${toolModel}-r` });
  });

  it.each([
    { model: `${toolModel}-r` },
    { reasoning_enabled: true },
    { reasoning_effort: 'low' },
    { model: `${toolModel}-r`, reasoning_effort: 'high' },
  ])('thinks, and then answers, for %o', async (extra) => {
    for (const seed of [1, 2, 3]) {
      const completion = await ask({ ...extra, seed });
      const { content, reasoning, reasoning_content: sameReasoning } = completion.message;
      expect(completion.model).toBe('model' in extra ? extra.model : toolModel);
      expect(reasoning).not.toBe('');
      expect(sameReasoning).toBe(reasoning);
      expect(content).not.toMatch(/<\/?think>/);
      expect(reasoningTokens(completion)).toBeGreaterThan(0);
      // Half of the maximum is kept for the answer; the words that close the thought may take a few.
      expect(reasoningTokens(completion)).toBeLessThanOrEqual(110);
    }
  });

  it.each([
    {},
    { reasoning_effort: 'none' },
    { model: `${toolModel}-r`, reasoning_enabled: false },
    { reasoning_effort: 'high', reasoning_enabled: false },
  ])('does not think for %o', async (extra) => {
    const completion = await ask({ ...extra, seed: 1 });
    expect(completion.message).not.toHaveProperty('reasoning');
    expect(completion.message).not.toHaveProperty('reasoning_content');
    expect(reasoningTokens(completion)).toBe(0);
  });

  it('streams the thought before the answer', async () => {
    const response = await postChat(chat().server, { model: `${toolModel}-r`, ...question, stream: true });
    const deltas = (await response.text())
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .map((event) => JSON.parse(event.slice('data: '.length)) as OpenAI.ChatCompletionChunk)
      .map(({ choices }) => (choices[0]?.delta ?? {}) as { content?: string; reasoning?: string });
    const kinds = deltas
      .slice(1, -1)
      .map(({ reasoning }) => (reasoning === undefined ? 'content' : 'thought'));
    expect(kinds).toContain('thought');
    expect(kinds).toEqual(kinds.toSorted((a, b) => (a === b ? 0 : a === 'thought' ? -1 : 1)));
  });

  it('thinks before it calls', async () => {
    const completion = await ask({ reasoning_enabled: true, tools, tool_choice: 'required', max_tokens: 1000, seed: 1, reasoning_effort: 'low', parallel_tool_calls: false });
    expect(completion.message.reasoning).not.toBe('');
    expect(readCalls(completion).length).toBeGreaterThan(0);
  }); // prettier-ignore

  it('thinks freely before it follows a schema', async () => {
    const format = zodResponseFormat(forecast, 'forecast');
    const completion = await ask({
      reasoning_effort: 'low',
      response_format: format,
      max_tokens: 1500,
      seed: 1,
    });
    expect(completion.message.reasoning).not.toBe('');
    expect(forecast.safeParse(JSON.parse(completion.message.content ?? '')).success).toBe(true);
  });
});

describe('a model that thinks in channels', () => {
  const plan = z.strictObject({ days: z.int().min(1).max(14), unit: z.enum(['celsius', 'fahrenheit']) });
  const model = 'channels';

  it.each([
    { enabled: true, choice: 'a document' },
    { enabled: false, choice: 'a document' },
    { enabled: true, choice: 'a call' },
    { enabled: false, choice: 'a call' },
  ])('thinks only if it is asked to ($enabled) before $choice', async ({ enabled, choice }) => {
    const wanted =
      choice === 'a call'
        ? { tools: [zodFunction({ name: 'plan', parameters: plan })], tool_choice: 'required' }
        : { response_format: zodResponseFormat(plan, 'plan') };
    for (const seed of [1, 2, 3]) {
      const { message } = await ask({ model, reasoning_enabled: enabled, seed, ...wanted });
      const [call] = message.tool_calls ?? [];
      const json = call?.type === 'function' ? call.function.arguments : message.content;
      expect(plan.safeParse(JSON.parse(json ?? '')).success).toBe(true);
      if (enabled) expect(message.reasoning).toMatch(/\S/);
      else expect(message).not.toHaveProperty('reasoning');
    }
  });

  it('answers though it ends its turn in the thought', async () => {
    const format = zodResponseFormat(plan, 'plan');
    const bias = { logit_bias: { [returnToken]: 100 } };
    const { message } = await ask({ model, reasoning_enabled: true, response_format: format, ...bias });
    expect(plan.safeParse(JSON.parse(message.content ?? '')).success).toBe(true);
  });
});

describe('a model that cannot reason', () => {
  it.each([
    { extra: { reasoning_enabled: true }, param: 'reasoning_enabled' },
    { extra: { reasoning_effort: 'low' }, param: 'reasoning_effort' },
    { extra: { model: 'tiny-r' }, param: 'model' },
  ])('refuses $extra', async ({ extra, param }) => {
    const response = await postChat(chat().server, { model: 'tiny', ...question, ...extra });
    expect(await toErrorAnswer(response)).toMatchObject({
      status: 400,
      error: { code: 'unsupported_value', param },
    });
  });

  it('answers where nothing is asked of it', async () => {
    expect(await ask({ model: 'tiny', reasoning_enabled: false })).toMatchObject({ model: 'tiny' });
  });
});
