import { createOpenAI } from '@ai-sdk/openai';
import {
  generateObject,
  generateText,
  stepCountIs,
  streamObject,
  streamText,
  tool,
  type LanguageModel,
  type ModelMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { forecast } from '../../support/wire/tool-answers.ts';
import { toolModel, toolModelIds } from '../../support/models/tool-models.ts';

const chat = useSharedServer();
const prompt = 'What will the weather be?';

/** A model of the server as the AI SDK's OpenAI provider sees it, which speaks to /v1/responses by itself. */
function open(model: string): LanguageModel {
  const { baseUrl: baseURL, apiKey } = chat().server;
  return createOpenAI({ baseURL, apiKey })(model);
}

/** Options of all calls, without retries: a test wants to see the first answer. */
const plain = (model: string) => ({ model: open(model), maxRetries: 0, temperature: 0 });

function forecastTool(asked: z.infer<typeof forecast>[]) {
  return tool({
    description: 'Tells the weather.',
    inputSchema: forecast,
    execute: (place) => {
      asked.push(place);
      return { sun: true };
    },
  });
}

/** Whether responses are stored: as clients leave it, and both ways of saying it. */
const storing = [undefined, true, false];
const toolOptions = (store: boolean | undefined) => ({
  openai: { parallelToolCalls: false, ...(store !== undefined && { store }) },
});

describe.for(toolModelIds)("the AI SDK's OpenAI provider with %s", (model) => {
  it('generates and streams the same text', async () => {
    const options = { system: 'You forecast the weather.', prompt, maxOutputTokens: 30 };
    const whole = await generateText({ ...plain(model), ...options });
    expect(whole.warnings ?? []).toEqual([]);
    expect(whole.text).not.toBe('');
    expect(whole.usage.outputTokens).toBeGreaterThan(0);
    const stream = streamText({ ...plain(model), ...options });
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(whole.text);
    expect(await stream.finishReason).toBe(whole.finishReason);
    expect((await stream.usage).outputTokens).toBe(whole.usage.outputTokens);
  });

  it('generates objects', async () => {
    const options = { schema: forecast, prompt, maxOutputTokens: 500 };
    const { object } = await generateObject({ ...plain(model), ...options });
    expect(forecast.safeParse(object).success).toBe(true);
    const stream = streamObject({ ...plain(model), ...options });
    for await (const part of stream.partialObjectStream) expect(part).toBeTypeOf('object');
    expect(await stream.object).toEqual(object);
  });

  it.for(storing)('goes several steps with tools, results in the conversation (store: %s)', async (store) => {
    const asked: z.infer<typeof forecast>[] = [];
    const { steps, response } = await generateText({
      ...plain(model),
      prompt,
      tools: { get_forecast: forecastTool(asked) },
      toolChoice: 'required',
      stopWhen: stepCountIs(3),
      maxOutputTokens: 1000,
      providerOptions: toolOptions(store),
    });
    expect(steps).toHaveLength(3);
    expect(asked).toHaveLength(3);
    for (const place of asked) expect(forecast.safeParse(place).success).toBe(true);
    const next = await generateText({
      ...plain(model),
      messages: [
        { role: 'user', content: prompt },
        ...response.messages,
        { role: 'user', content: 'Thanks.' },
      ],
      maxOutputTokens: 20,
      providerOptions: toolOptions(store),
    });
    expect(next.finishReason).toMatch(/^(stop|length)$/);
  });

  it('streams calls, several steps of them', async () => {
    const asked: z.infer<typeof forecast>[] = [];
    const stream = streamText({
      ...plain(model),
      prompt,
      tools: { get_forecast: forecastTool(asked) },
      toolChoice: { type: 'tool', toolName: 'get_forecast' },
      stopWhen: stepCountIs(2),
      maxOutputTokens: 1000,
    });
    const inputs: string[] = [];
    for await (const part of stream.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'tool-input-start') inputs.push('');
      if (part.type === 'tool-input-delta') inputs.push((inputs.pop() ?? '') + part.delta);
    }
    expect(inputs.map((text) => JSON.parse(text) as unknown)).toEqual(asked);
    expect(asked).toHaveLength(2);
  });

  it.for(storing)('talks for several turns (store: %s)', async (store) => {
    const messages: ModelMessage[] = [];
    const providerOptions = toolOptions(store);
    for (const content of ['Hello.', 'And then?', 'Why?']) {
      messages.push({ role: 'user', content });
      const answer = await generateText({ ...plain(model), messages, maxOutputTokens: 10, providerOptions });
      expect(answer.finishReason).toMatch(/^(stop|length)$/);
      messages.push(...answer.response.messages);
    }
    // The SDK leaves out an answer without text.
    expect(messages.filter(({ role }) => role === 'assistant').length).toBeGreaterThan(1);
  });

  it('goes on from a stored response', async () => {
    const first = await generateText({
      ...plain(model),
      prompt,
      maxOutputTokens: 10,
      providerOptions: toolOptions(true),
    });
    const previousResponseId = first.response.id;
    const next = await generateText({
      ...plain(model),
      prompt: 'Why?',
      maxOutputTokens: 10,
      providerOptions: { openai: { previousResponseId } },
    });
    expect(next.usage.inputTokens).toBeGreaterThan(first.usage.inputTokens ?? 0);
  });
});

describe("the AI SDK's OpenAI provider with a model that reasons", () => {
  it.for(storing)('sends the thought back (store: %s)', async (store) => {
    const providerOptions = { openai: { forceReasoning: true, ...(store !== undefined && { store }) } };
    const options = { model: open(`${toolModel}-r`), maxRetries: 0, maxOutputTokens: 60, providerOptions };
    const first = await generateText({ ...options, prompt });
    expect(first.usage.outputTokenDetails.reasoningTokens).toBeGreaterThan(0);
    const messages: ModelMessage[] = [
      { role: 'user', content: prompt },
      ...first.response.messages,
      { role: 'user', content: 'Why?' },
    ];
    const next = await generateText({ ...options, messages });
    expect(next.warnings ?? []).toEqual([]);
    expect(next.usage.outputTokens).toBeGreaterThan(0);
  });

  it('shows its thoughts, whole and streamed', async () => {
    const providerOptions = { openai: { forceReasoning: true, reasoningSummary: 'detailed' } };
    const model = open(`${toolModel}-r`);
    const options = { model, maxRetries: 0, prompt, maxOutputTokens: 60, providerOptions };
    expect((await generateText(options)).reasoningText).toBeTruthy();
    const stream = streamText(options);
    const pieces: string[] = [];
    for await (const part of stream.fullStream) if (part.type === 'reasoning-delta') pieces.push(part.text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(await stream.reasoningText).toBe(pieces.join(''));
  });
});
