import { createAnthropic } from '@ai-sdk/anthropic';
import { generateObject, generateText, streamText, tool, type LanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { forecast } from '../../support/wire/tool-answers.ts';
import { toolModel, toolModelIds } from '../../support/models/tool-models.ts';

const chat = useSharedServer();
const prompt = 'What will the weather be?';

/** A model of the server as the AI SDK sees it through Anthropic's API. */
function open(model: string): LanguageModel {
  const { baseUrl: baseURL, apiKey } = chat().server;
  return createAnthropic({ baseURL, apiKey })(model);
}

/** Options of all calls, without retries: a test wants to see the first answer. */
const plain = (model: string) => ({ model: open(model), maxRetries: 0, prompt });

describe.for(toolModelIds)("the AI SDK for Anthropic's API with %s", (model) => {
  it('generates text, and streams the same', async () => {
    // At temperature 0 it is drawn greedily, as the SDK sends no seed.
    const options = { ...plain(model), maxOutputTokens: 20, temperature: 0 };
    const whole = await generateText(options);
    expect(whole.text).not.toBe('');
    expect(whole.usage.outputTokens).toBeGreaterThan(0);
    const stream = streamText(options);
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces.join('')).toBe(whole.text);
    expect(await stream.finishReason).toBe(whole.finishReason);
    expect((await stream.usage).outputTokens).toBe(whole.usage.outputTokens);
  });

  it('generates objects', async () => {
    const { object } = await generateObject({ ...plain(model), schema: forecast, maxOutputTokens: 500 });
    expect(forecast.safeParse(object).success).toBe(true);
  });

  it('calls a tool whose name has 128 characters, and streams a call of it', async () => {
    const name = 'get_forecast'.padEnd(128, '_of_the_weather');
    const asked: z.infer<typeof forecast>[] = [];
    const options = {
      ...plain(model),
      tools: {
        [name]: tool({
          description: 'Tells the weather.',
          inputSchema: forecast,
          execute: (place) => void asked.push(place),
        }),
      },
      toolChoice: { type: 'tool', toolName: name },
      maxOutputTokens: 1000,
    } as const;
    const { toolCalls, finishReason } = await generateText(options);
    expect(toolCalls.map(({ toolName }) => toolName)).toEqual([name]);
    expect(finishReason).toBe('tool-calls');
    const stream = streamText(options);
    const pieces: string[] = [];
    for await (const part of stream.fullStream) if (part.type === 'tool-input-delta') pieces.push(part.delta);
    expect(asked).toHaveLength(2);
    expect(JSON.parse(pieces.join(''))).toEqual(asked[1]);
    for (const place of asked) expect(forecast.safeParse(place).success).toBe(true);
  });
});

it("gives the AI SDK for Anthropic's API thoughts apart", async () => {
  const thinking = { anthropic: { thinking: { type: 'enabled', budgetTokens: 20 } } } as const;
  const { reasoningText } = await generateText({
    ...plain(toolModel),
    maxOutputTokens: 100,
    providerOptions: thinking,
  });
  expect(reasoningText).toBeTypeOf('string');
});
