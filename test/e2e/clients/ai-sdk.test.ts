import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  generateObject,
  generateText,
  stepCountIs,
  streamObject,
  streamText,
  tool,
  type LanguageModel,
} from 'ai';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { forecast } from '../../support/wire/tool-answers.ts';
import { toolModel, toolModelIds } from '../../support/models/tool-models.ts';

const chat = useSharedServer();
const prompt = 'What will the weather be?';
const seeds = [1, 2, 3];

/** A model of the server as the AI SDK sees it. */
function open(model: string): LanguageModel {
  const { baseUrl: baseURL, apiKey } = chat().server;
  const provider = createOpenAICompatible({
    name: 'hearth',
    baseURL,
    apiKey,
    supportsStructuredOutputs: true,
    includeUsage: true,
  });
  return provider(model);
}

/** Options of all calls, without retries: a test wants to see the first answer. */
const plain = (model: string) => ({ model: open(model), maxRetries: 0, temperature: 0.8 });

describe.for(toolModelIds)('the AI SDK with %s', (model) => {
  it('generates text', async () => {
    const { text, usage, finishReason, warnings } = await generateText({
      ...plain(model),
      system: 'You forecast the weather.',
      prompt,
      maxOutputTokens: 20,
      seed: 1,
    });
    expect(text).not.toBe('');
    expect(warnings ?? []).toEqual([]);
    expect(finishReason).toMatch(/^(stop|length)$/);
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  it('streams the same text, and its usage', async () => {
    const options = { prompt, maxOutputTokens: 30, seed: 2 };
    const whole = await generateText({ ...plain(model), ...options });
    const stream = streamText({ ...plain(model), ...options });
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(whole.text);
    expect(await stream.finishReason).toBe(whole.finishReason);
    expect((await stream.usage).outputTokens).toBe(whole.usage.outputTokens);
  });

  it('generates objects', async () => {
    for (const seed of seeds) {
      const options = { schema: forecast, prompt, maxOutputTokens: 500, seed };
      const { object } = await generateObject({ ...plain(model), ...options });
      expect(forecast.safeParse(object).success).toBe(true);
      const stream = streamObject({ ...plain(model), ...options });
      const parts: unknown[] = [];
      for await (const part of stream.partialObjectStream) parts.push(part);
      expect(parts.at(-1)).toEqual(object);
      expect(await stream.object).toEqual(object);
    }
  });

  it('generates choices', async () => {
    const { object } = await generateObject({
      ...plain(model),
      output: 'enum',
      enum: ['sunny', 'rainy'],
      prompt,
      maxOutputTokens: 100,
      seed: 1,
    });
    expect(object).toMatch(/^(sunny|rainy)$/);
  });

  it.for(['required', { type: 'tool', toolName: 'get_forecast' }] as const)(
    'calls a tool: %o',
    async (toolChoice) => {
      for (const seed of seeds) {
        const asked: z.infer<typeof forecast>[] = [];
        const result = await generateText({
          ...plain(model),
          prompt,
          tools: { get_forecast: forecastTool(asked) },
          toolChoice,
          maxOutputTokens: 1000,
          providerOptions: oneCall,
          seed,
        });
        expect(asked).toHaveLength(1);
        expect(forecast.safeParse(asked[0]).success).toBe(true);
        expect(result.finishReason).toBe('tool-calls');
        expect(result.toolResults.map(({ output }) => output)).toEqual([{ sun: true }]);
      }
    },
  );

  it('streams a call', async () => {
    const asked: z.infer<typeof forecast>[] = [];
    const stream = streamText({
      ...plain(model),
      prompt,
      tools: { get_forecast: forecastTool(asked) },
      toolChoice: 'required',
      maxOutputTokens: 1000,
      providerOptions: oneCall,
      seed: 1,
    });
    const pieces: string[] = [];
    for await (const part of stream.fullStream) if (part.type === 'tool-input-delta') pieces.push(part.delta);
    expect(JSON.parse(pieces.join(''))).toEqual(asked[0]);
    expect(forecast.safeParse(asked[0]).success).toBe(true);
  });

  it('goes several steps, the results in the conversation', async () => {
    const asked: z.infer<typeof forecast>[] = [];
    const { steps } = await generateText({
      ...plain(model),
      prompt,
      tools: { get_forecast: forecastTool(asked) },
      toolChoice: 'required',
      stopWhen: stepCountIs(3),
      maxOutputTokens: 1000,
      providerOptions: oneCall,
      seed: 3,
    });
    expect(steps).toHaveLength(3);
    expect(asked).toHaveLength(3);
  });
});

describe('the AI SDK with a model that reasons', () => {
  it('gets thought and answer apart', async () => {
    const result = await generateText({ ...plain(`${toolModel}-r`), prompt, maxOutputTokens: 100, seed: 1 });
    expect(result.reasoningText).toBeTypeOf('string');
    expect(result.usage.outputTokenDetails.reasoningTokens).toBeGreaterThan(0);
  });
});

/** The SDK has no word of its own for one call at a time; it passes unknown fields on. */
const oneCall = { hearth: { parallel_tool_calls: false } };

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
