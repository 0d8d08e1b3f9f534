import { fc } from '../../support/properties.ts';
import type {
  ChatCompletion,
  ChatCompletionMessageFunctionToolCall as FunctionCall,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import type { TinyModelOptions } from '../../../scripts/make/tiny-model/write-tiny-model.ts';
import { buildVocabulary } from '../../../scripts/make/tiny-model/vocabulary/vocabulary.ts';
import { boundedSchemas } from '../../support/grammar/bounded-schemas.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { hasStories } from '../../support/models/chat-models.ts';
import { demoModel, readDemoTokenizer } from '../../support/server/demo-server.ts';
import {
  complete,
  enoughTokens,
  expectDocument,
  forMany,
  manyTimeoutMs,
  roomyContext,
} from '../../support/engine/generate-many.ts';
import { ownTemplates } from '../../support/models/templates.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { allowTools, chooseTool, wireTool } from '../../support/wire/wire-tools.ts';

/**
 * The beginning of a call in each template, as one token: a bias on it has random weights begin one. Where nothing
 * marks a call it is text up to the name of a tool.
 */
const markers = {
  plain: { controlTexts: ['<tool_call>'] },
  hermes: { controlTexts: ['<tool_call>'] },
  listed: { controlTexts: ['[TOOL_CALLS]'] },
  llama: { furtherTexts: ['{"name":"first"'] },
  python: { furtherTexts: ['[first('] },
} as const;
type TemplateName = keyof typeof markers;
const templateNames = Object.keys(markers) as TemplateName[];

function markerToken(name: TemplateName): number {
  const { controlTexts = [], furtherTexts = [] }: Markers = markers[name];
  const { entries } = buildVocabulary(360, controlTexts, furtherTexts);
  return entries.findIndex(({ text }) => [...controlTexts, ...furtherTexts].includes(text));
}
type Markers = Pick<TinyModelOptions, 'controlTexts' | 'furtherTexts'>;

const trained = 'stories260K-chat-f16';
const chat = useChatServer({
  // Trained for less than the prompts here need.
  settings: { [trained]: { context: 4096 }, [demoModel]: { context: 8192 } },
  models: async () => {
    const models = templateNames.map(async (name) => {
      const options = {
        chatTemplate: ownTemplates[name],
        ...markers[name],
        contextTokens: roomyContext,
      };
      return [name, await tinyModel(options)] as const;
    });
    return Object.fromEntries(await Promise.all(models));
  },
});

const cases = fc.record({ schemas: fc.tuple(boundedSchemas, boundedSchemas), parallel: fc.boolean() });
const messages = [{ role: 'user' as const, content: 'What will the weather be?' }];

/** The function calls of a completion, but the last one where the tokens ran out in it. */
function wholeCalls({ choices: [choice] }: ChatCompletion): readonly FunctionCall[] {
  const calls = (choice?.message.tool_calls ?? []).filter((call) => call.type === 'function');
  return choice?.finish_reason === 'length' ? calls.slice(0, -1) : calls;
}

/** Asks for calls of two tools with random schemas, many times, and checks each that comes. */
async function checkMany(model: string, extra: object, names: readonly string[] = ['first', 'second']) {
  let checked = 0;
  await forMany(cases, async ({ schemas: [first, second], parallel }, seed) => {
    const tools = [wireTool('first', first), wireTool('second', second)];
    const body = { model, messages, tools, parallel_tool_calls: parallel, max_tokens: enoughTokens, seed };
    const completion = await complete(chat().client, {
      ...body,
      ...(parallel && { max_tokens: 400 }),
      ...extra,
    });
    const calls = wholeCalls(completion);
    if (!parallel) {
      expect(calls, JSON.stringify(completion.choices)).toHaveLength(1);
      expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
    }
    for (const { function: called } of calls) {
      expect(names).toContain(called.name);
      expectDocument(called.arguments, called.name === 'first' ? first : second);
    }
    // The call is all there is: nothing of it leaks as text.
    expect(completion.choices[0]?.message.content?.trim() ?? '').toBe('');
    checked += calls.length;
  });
  return checked;
}

describe.for(templateNames)('calls of random schemas, template %s', (model) => {
  it('fit where one is required', { timeout: manyTimeoutMs }, async () => {
    expect(await checkMany(model, { tool_choice: 'required' })).toBeGreaterThan(0);
  });

  it('fit where one function is named', { timeout: manyTimeoutMs }, async () => {
    expect(await checkMany(model, { tool_choice: chooseTool('second') }, ['second'])).toBeGreaterThan(0);
  });

  it('fit where the model begins one by itself', { timeout: manyTimeoutMs }, async () => {
    expect(await checkMany(model, { logit_bias: { [markerToken(model)]: 100 } })).toBeGreaterThan(0);
  });
});

it('leaves an answer alone that only begins as a call does', async () => {
  const model = 'python';
  const bracket = buildVocabulary(360).entries.findIndex(({ text }) => text === '[');
  const tools = [wireTool('first', {})];
  const body = { model, messages, tools, logit_bias: { [bracket]: 100 }, max_tokens: 3 };
  const { choices } = await complete(chat().client, body);
  expect(choices[0]?.message).toMatchObject({ content: '[[[' });
  expect(choices[0]?.message.tool_calls).toBeUndefined();
});

it.for(['llama', 'python'] as const)('takes no call of what is not allowed, template %s', async (model) => {
  const [begin = ''] = markers[model].furtherTexts;
  const { choices } = await complete(chat().client, {
    model,
    messages,
    tools: [wireTool('first', {}), wireTool('second', {})],
    tool_choice: allowTools('auto', 'second') as ChatCompletionToolChoiceOption,
    logit_bias: { [markerToken(model)]: 100 },
    max_tokens: 3,
  });
  expect(choices[0]?.message).toMatchObject({ content: begin.repeat(3) });
  expect(choices[0]?.message.tool_calls).toBeUndefined();
});

describe.skipIf(!hasStories)('calls of random schemas, trained weights', () => {
  it.for(['required', chooseTool('first')])('fit: %o', { timeout: manyTimeoutMs }, async (choice) => {
    expect(await checkMany(trained, { tool_choice: choice })).toBeGreaterThan(0);
  });
});

describe('calls of random schemas, the demo model', () => {
  it.for(['required', chooseTool('first')])('fit: %o', { timeout: manyTimeoutMs }, async (choice) => {
    expect(await checkMany(demoModel, { tool_choice: choice })).toBeGreaterThan(0);
  });

  it('fit where the model begins one by itself', { timeout: manyTimeoutMs }, async () => {
    const marker = (await readDemoTokenizer()).tokens.indexOf('<tool_call>');
    expect(await checkMany(demoModel, { logit_bias: { [marker]: 100 } })).toBeGreaterThan(0);
  });
});
