import * as fc from 'fast-check';
import type {
  ChatCompletion,
  ChatCompletionMessageFunctionToolCall as FunctionCall,
} from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { buildVocabulary } from '../../scripts/tiny-model/vocabulary.ts';
import { boundedSchemas } from '../support/bounded-schemas.ts';
import { useChatServer } from '../support/chat-fixture.ts';
import { hasStories } from '../support/chat-models.ts';
import { demoModel, readDemoTokenizer } from '../support/demo-server.ts';
import {
  complete,
  enoughTokens,
  expectDocument,
  forMany,
  manyTimeoutMs,
  roomyContext,
} from '../support/generate-many.ts';
import { ownTemplates } from '../support/templates.ts';
import { tinyModel } from '../support/tiny-model.ts';
import { chooseTool, wireTool } from '../support/wire-tools.ts';

/** What begins a call in each template, as one token: a bias on it has random weights begin one. */
const markers = {
  plain: '<tool_call>',
  hermes: '<tool_call>',
  listed: '[TOOL_CALLS]',
  llama: '{"name"',
  python: '[',
} as const;
type TemplateName = keyof typeof markers;
const templateNames = Object.keys(markers) as TemplateName[];

/** A single byte is a token already. */
const controlTextsOf = (name: TemplateName) => [markers[name]].filter((text) => text.length > 1);

const trained = 'stories260K-chat-f16';
const chat = useChatServer({
  // Trained for less than the prompts here need.
  settings: { [trained]: { context: 4096 }, [demoModel]: { context: 8192 } },
  models: async () => {
    const models = templateNames.map(async (name) => {
      const options = {
        chatTemplate: ownTemplates[name],
        controlTexts: controlTextsOf(name),
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
    const { entries } = buildVocabulary(360, controlTextsOf(model));
    const marker = entries.findIndex(({ text }) => text === markers[model]);
    expect(await checkMany(model, { logit_bias: { [marker]: 100 } })).toBeGreaterThan(0);
  });
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
