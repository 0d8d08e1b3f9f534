import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildVocabulary } from '../../../scripts/make/tiny-model/vocabulary/vocabulary.ts';
import { createTemplateRenderer } from '../../../src/engine/llama/template-engine.ts';
import { PromptTokenizer } from '../../../src/engine/llama/tokens/prompt-tokens.ts';
import { ChatTemplate } from '../../../src/engine/prompt/chat-template.ts';
import type { ChatMessage, ToolUse } from '../../../src/engine/types.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { openNativeFixture, type NativeFixture } from '../../support/models/native-model.ts';
import { ownTemplates } from '../../support/models/templates.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { wireCall, wireTool } from '../../support/wire/wire-tools.ts';

/** Control tokens of a model for tools and thoughts, beside those of ChatML. */
const controlTexts = [
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '<think>',
  '</think>',
  '<|eot|>',
  '[INST]',
];
const modelOptions = { chatTemplate: ownTemplates.hermes, controlTexts, contextTokens: 4096 };
/** Every control text the model has, alone, doubled and mixed with texts that tempt a tokeniser. */
const attack = buildVocabulary(360, controlTexts)
  .entries.filter(({ kind }) => kind === 'control')
  .map(({ text }) => `${text}${text} <${text}>\n${text}x`)
  .join('\n');
/** Stands where the attack stands in another prompt. */
const harmless = 'x';

/** Where people and programs write into a prompt. */
const places = [
  'system',
  'user',
  'assistant',
  'tool result',
  'call arguments',
  'call name',
  'tool description',
  'tool schema',
  'reasoning',
] as const;
type Place = (typeof places)[number];

function conversationWith(place: Place | undefined, text: string) {
  const at = (here: Place, otherwise = harmless) => (here === place ? text : otherwise);
  const messages: ChatMessage[] = [
    { role: 'system', content: at('system') },
    { role: 'user', content: at('user') },
    {
      role: 'assistant',
      content: at('assistant'),
      reasoning: at('reasoning'),
      toolCalls: [
        {
          id: 'call_1',
          name: at('call name', 'look'),
          arguments: JSON.stringify({ a: at('call arguments') }),
        },
      ],
    },
    { role: 'tool', toolCallId: 'call_1', content: at('tool result') },
    { role: 'user', content: harmless },
  ];
  const properties = { a: { type: 'string', description: at('tool schema') } };
  const tools: ToolUse = {
    definitions: [
      { name: 'look', description: at('tool description'), parameters: { type: 'object', properties } },
    ],
    required: false,
    parallel: true,
  };
  return { messages, tools };
}

describe('in the prompt of a model', () => {
  let fixture: NativeFixture;
  beforeAll(async () => {
    fixture = await openNativeFixture(modelOptions);
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  /** The prompt's control tokens in order, and its text without them. */
  async function promptOf(messages: readonly ChatMessage[], tools: ToolUse | undefined, source: string) {
    const { llama, vocabulary } = fixture;
    const { bosText, eosText } = vocabulary;
    const render = createTemplateRenderer(llama, source);
    const template = new ChatTemplate({ render, source, bosText, eosText });
    const options = { vocabulary, template, templateSource: source, contextTokens: 4096 };
    const tokenizer = new PromptTokenizer(options);
    const prompt = { kind: 'messages', messages } as const;
    const { promptTokens: tokens } = await tokenizer.tokenize({ prompt, tools });
    const ids = new Set(vocabulary.controlTokens.values());
    const bytes = Buffer.concat([...tokens].map((token) => vocabulary.bytesOf(token)));
    return { control: [...tokens].filter((token) => ids.has(token)), text: bytes.toString('utf8') };
  }

  function promptWith(place: Place | undefined) {
    const { messages, tools } = conversationWith(place, attack);
    return promptOf(messages, tools, ownTemplates.hermes);
  }

  it('are all the control tokens that the test means', () => {
    expect(fixture.vocabulary.controlTexts).toEqual(expect.arrayContaining([...controlTexts, '<|im_end|>']));
  });

  it.for(places)('the %s adds no control token, and loses nothing', async (place) => {
    const plain = await promptWith(undefined);
    const attacked = await promptWith(place);
    expect(plain.control.length).toBeGreaterThan(8);
    expect(attacked.control).toEqual(plain.control);
    // As text or inside of JSON, but there.
    const written = [attack, JSON.stringify(attack).slice(1, -1)];
    expect(written.some((text) => attacked.text.includes(text))).toBe(true);
  });

  it.for([...controlTexts, '<|im_start|>', '<|im_end|>'])(
    'no tag around a name or a key completes %s',
    async (text) => {
      const named = (name: string): ChatMessage[] => [
        { role: 'user', content: harmless },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'call_1', name, arguments: JSON.stringify({ [name]: 1 }) }],
        },
        { role: 'tool', toolCallId: 'call_1', content: harmless },
      ];
      const plain = await promptOf(named(harmless), undefined, ownTemplates.coder);
      for (const part of [text.slice(0, -1), text.slice(1, -1), text.slice(1)]) {
        const attacked = await promptOf(named(part), undefined, ownTemplates.coder);
        expect(attacked.control, part).toEqual(plain.control);
      }
    },
  );
});

describe('over the wire', () => {
  const chat = useChatServer({ models: async () => ({ guarded: await tinyModel(modelOptions) }) });

  async function promptTokens(place: 'user' | 'tool result' | 'tool description', text: string) {
    const at = (here: typeof place) => (here === place ? text : harmless);
    const messages: ChatCompletionMessageParam[] = [
      { role: 'user', content: at('user') },
      { role: 'assistant', content: null, tool_calls: [wireCall('call_1', 'look')] },
      { role: 'tool', tool_call_id: 'call_1', content: at('tool result') },
    ];
    const tools: ChatCompletionTool[] = [wireTool('look', {}, { description: at('tool description') })];
    const body = { model: 'guarded', messages, tools, max_tokens: 1 };
    return (await chat().client.chat.completions.create(body)).usage?.prompt_tokens ?? 0;
  }

  it.for(['user', 'tool result', 'tool description'] as const)(
    'a control text in the %s costs what its letters do',
    async (place) => {
      const none = await promptTokens(place, 'x x');
      for (const text of [...controlTexts, '<|im_start|>', '<|im_end|>', '<|endoftext|>']) {
        // One control token would be one token more; broken up it is several.
        expect(await promptTokens(place, `x${text}x x`), text).toBeGreaterThan(none + 1);
      }
    },
  );
});
