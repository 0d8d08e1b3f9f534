import { HumanMessage, ToolMessage, type AIMessageChunk, type UsageMetadata } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai';
import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { forecast } from '../../support/wire/tool-answers.ts';
import { toolModelIds } from '../../support/models/tool-models.ts';

const chat = useSharedServer();
const question = 'What will the weather be?';
const seeds = [1, 2, 3];

/** A model of the server as LangChain sees it. */
function open(model: string, seed: number, fields: ChatOpenAIFields = {}): ChatOpenAI {
  const { baseUrl: baseURL, apiKey } = chat().server;
  const modelKwargs = { seed };
  return new ChatOpenAI({
    model,
    apiKey,
    maxRetries: 0,
    maxTokens: 1000,
    modelKwargs,
    configuration: { baseURL },
    ...fields,
  });
}

const getForecast = tool(() => 'Sun.', {
  name: 'get_forecast',
  description: 'Tells the weather.',
  schema: forecast,
});

/** LangChain's own type of a message says that it never has a usage. */
const outputTokens = ({ usage_metadata: usage }: { readonly usage_metadata?: unknown }): number =>
  (usage as UsageMetadata | undefined)?.output_tokens ?? 0;

describe.for(toolModelIds)("LangChain's ChatOpenAI with %s", (model) => {
  it('invokes', async () => {
    const message = await open(model, 1, { maxTokens: 20 }).invoke([
      ['system', 'You forecast.'],
      ['human', question],
    ]);
    expect(message.text).not.toBe('');
    expect(outputTokens(message)).toBeGreaterThan(0);
  });

  it('streams the same text', async () => {
    const whole = await open(model, 2, { maxTokens: 30 }).invoke(question);
    const chunks: AIMessageChunk[] = [];
    for await (const chunk of await open(model, 2, { maxTokens: 30 }).stream(question)) chunks.push(chunk);
    expect(chunks.map(({ text }) => text).join('')).toBe(whole.text);
    expect(chunks.some((chunk) => outputTokens(chunk) > 0)).toBe(true);
  });

  it('binds tools, and takes their results back', async () => {
    for (const seed of seeds) {
      const bound = open(model, seed).bindTools([getForecast], {
        tool_choice: 'any',
        parallel_tool_calls: false,
      });
      const message = await bound.invoke(question);
      expect(message.invalid_tool_calls ?? []).toEqual([]);
      expect(message.tool_calls).toHaveLength(1);
      const [call] = message.tool_calls ?? [];
      expect(call?.name).toBe('get_forecast');
      expect(forecast.safeParse(call?.args).success).toBe(true);

      const result = new ToolMessage({ content: 'Sun.', tool_call_id: call?.id ?? '' });
      const next = await bound.invoke([new HumanMessage(question), message, result]);
      expect(next.tool_calls).toHaveLength(1);
    }
  });

  it('streams a call of a tool by its name', async () => {
    const bound = open(model, 1).bindTools([getForecast], { tool_choice: 'get_forecast' });
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await bound.stream(question)) whole = whole?.concat(chunk) ?? chunk;
    expect(whole?.tool_calls).toHaveLength(1);
    expect(forecast.safeParse(whole?.tool_calls?.[0]?.args).success).toBe(true);
  });

  it.for(['jsonSchema', 'functionCalling'] as const)('gives structured output by %s', async (method) => {
    for (const seed of seeds) {
      const structured = open(model, seed).withStructuredOutput(forecast, { name: 'forecast', method });
      expect(forecast.safeParse(await structured.invoke(question)).success).toBe(true);
    }
  });
});
