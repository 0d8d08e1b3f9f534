import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Llama } from 'node-llama-cpp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChatTemplate } from '../../../../src/engine/prompt/chat-template.ts';
import { reasoningOf } from '../../../../src/engine/llama/prepared-request.ts';
import {
  cutAtMarks,
  markConversation,
  markersOfTemplate,
  withThoughtsApart,
} from '../../../../src/engine/prompt/mark-conversation.ts';
import { compileControlPattern } from '../../../../src/engine/prompt/text/control-texts.ts';
import { planTurn } from '../../../../src/engine/prompt/turn-plan.ts';
import { TurnReader } from '../../../../src/engine/prompt/turn-reader.ts';
import type { ChatMessage, GenerationRequest, ToolDefinition } from '../../../../src/engine/types.ts';
import {
  bundledTemplates,
  openTemplate,
  openTemplateEngine,
  ownTemplates,
} from '../../../support/models/templates.ts';
import {
  earlierTurns,
  misplaced,
  randomConversation,
  saidIn,
} from '../../../support/prompt/random-conversations.ts';

let engine: Llama;
beforeAll(async () => {
  engine = await openTemplateEngine();
});

const opening = "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}";
const toolList = "{% if tools %}{{ '<tools>' + (tools | tojson) + '</tools>' }}{% endif %}";
const calls =
  '{% for c in m.tool_calls %}{{ \'<tool_call>{"name": "\' + c.function.name + \'", "arguments": \' + (c.function.arguments | tojson) + \'}</tool_call>\' }}{% endfor %}';
const said = "{{ '<|' + m.role + '|>' + m.content + '<|end|>' }}";

/** Templates that raise, drop, move or repeat texts that others show. */
const strictTemplates: Readonly<Record<string, string>> = {
  'the last system message only': `{% set ns = namespace(s='') %}{% for m in messages %}{% if m.role == 'system' %}{% set ns.s = m.content %}{% endif %}{% endfor %}{{ '<|system|>' + ns.s }}{% for m in messages %}{% if m.role != 'system' %}{{ '<|' + m.role + '|>' + (m.content | trim) }}{% endif %}{% endfor %}${opening}`,
  'system messages at the beginning, the last first': `{% for m in messages | reverse %}{% if m.role == 'system' %}${said}{% endif %}{% endfor %}{% for m in messages %}{% if m.role in ['user', 'assistant'] %}${said}{% endif %}{% endfor %}${opening}`,
  'user and assistant in turns, nothing empty': `{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) or m.role == 'tool' or m.content == '' %}{{ raise_exception('take turns') }}{% endif %}${said}{% endfor %}${opening}`,
  'the system message in the last user message': `{% if messages[0].role == 'system' %}{% set sys = messages[0].content %}{% set rest = messages[1:] %}{% else %}{% set sys = '' %}{% set rest = messages %}{% endif %}{% for m in rest %}{% if m.role == 'user' and loop.last %}{{ '<|user|>' + sys + m.content }}{% elif m.role != 'system' %}${said}{% endif %}{% endfor %}${opening}`,
  'turns, silently': `{% set ns = namespace(i=0) %}{% for m in messages %}{% if m.role == 'system' and loop.first %}${said}{% elif (m.role == 'user' and ns.i % 2 == 0) or (m.role == 'assistant' and ns.i % 2 == 1) %}${said}{% set ns.i = ns.i + 1 %}{% endif %}{% endfor %}${opening}`,
  'results behind calls, no user behind results': `${toolList}{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('system') }}{% elif m.role == 'assistant' and m.tool_calls %}${calls}{% elif m.role == 'tool' and messages[loop.index0 - 1].role not in ['assistant', 'tool'] %}{{ raise_exception('result') }}{% elif m.role == 'user' and not loop.first and messages[loop.index0 - 1].role == 'tool' %}{{ raise_exception('user') }}{% else %}${said}{% endif %}{% endfor %}${opening}`,
  'a result for each call': `${toolList}{% set ns = namespace(open=0) %}{% for m in messages %}{% if m.role != 'tool' and ns.open > 0 %}{{ raise_exception('open') }}{% endif %}{% if m.role == 'assistant' and m.tool_calls %}{{ m.content }}${calls}{% set ns.open = m.tool_calls | length %}{% else %}{% if m.role == 'tool' %}{% set ns.open = ns.open - 1 %}{% endif %}${said}{% endif %}{% endfor %}${opening}`,
  'no system message beside tools': `${toolList}{% for m in messages %}{% if m.role == 'system' and tools %}{% elif m.tool_calls %}${calls}{% else %}${said}{% endif %}{% endfor %}${opening}`,
  'no neighbours of one role': `{% for m in messages %}{% if loop.first and m.role == 'assistant' %}{% elif not loop.first and (messages[loop.index0 - 1].role == m.role or m.role == 'system') %}{% else %}${said}{% endif %}{% endfor %}${opening}`,
  ...ownTemplates,
};

const bundled = bundledTemplates();
const folder = fileURLToPath(new URL('templates/', import.meta.url));
const ofFamilies = readdirSync(folder).map((file) => [file, readFileSync(folder + file, 'utf8')] as const);
const open = (source: string): ChatTemplate => openTemplate(engine, source);

const drawn = 6;
const call = { id: 'call00000', name: 'look_up', arguments: '{"at":"x"}' };
const looking: readonly ToolDefinition[] = [
  {
    name: 'look_up',
    description: 'Looks.',
    parameters: { type: 'object', properties: { at: { type: 'string', description: 'where' } } },
  },
];
/** Those that show the thought of the last message only. */
const cutsThoughts: readonly string[] = ['Apriel-1.6-15b-Thinker-fixed'];

/** The prompt without empty thoughts: templates take thoughts out of the past. */
function promptOf(
  template: ChatTemplate,
  messages: readonly ChatMessage[],
  tools: readonly ToolDefinition[],
): string {
  const { text } = template.renderPrompt({ messages, tools });
  const { syntax } = template.facts.thoughts ?? {};
  if (syntax?.kind !== 'tags') return text;
  const [begin, end] = [syntax.tags.begin, syntax.tags.end].map((tag) => tag.replaceAll(/[|[\]]/g, '\\$&'));
  return text.replaceAll(new RegExp(`${begin}\\s*${end}\\s*`, 'g'), '');
}

/** Whether tools stand in front of the last user message, as Mistral's models are used to. */
function movesTools(template: ChatTemplate, tools: readonly ToolDefinition[]): boolean {
  const messages = ['user', 'assistant', 'user'].map((role, at) => ({
    role,
    content: `zz${at}`,
  })) as ChatMessage[];
  return !promptOf(template, messages, tools).startsWith(
    saidIn(promptOf(template, messages.slice(0, 1), tools), messages.slice(0, 1)),
  );
}

describe.each([...Object.entries(strictTemplates), ...ofFamilies, ...bundled])('%s', (name, source) => {
  it('shows each text once, in order, and each turn as the beginning of the next', () => {
    const template = open(source);
    expect(template.facts.turns.isUnsure).toBeUndefined();
    for (let seed = 1; seed <= drawn; seed++) {
      const { messages, tools = [] } = randomConversation(seed);
      const prompt = promptOf(template, messages, tools);
      expect(misplaced(prompt, messages), `${name}, ${seed}: ${prompt}`).toEqual([]);
      const kept = movesTools(template, tools) ? [] : tools;
      const whole = promptOf(template, messages, kept);
      for (const earlier of earlierTurns(messages)) {
        const begun = saidIn(promptOf(template, earlier, kept), earlier);
        expect(whole.slice(0, begun.length), `${name}, ${seed}, ${earlier.length} messages`).toBe(begun);
      }
    }
  }, 60_000);
});

describe.each([...Object.entries(ownTemplates), ...ofFamilies, ...bundled])('%s', (name, source) => {
  it('shows what is said about markers as it was said', async () => {
    const template = open(source);
    const own = markersOfTemplate(source, template.facts);
    const pattern = compileControlPattern(own);
    for (const marker of new Set([
      ...own,
      '<think>',
      '</think>',
      '[BEGIN FINAL RESPONSE]',
      '<tool_response>',
    ])) {
      const sentence = (word: string) => `${word} before ${marker} and after`;
      const messages: readonly ChatMessage[] = [
        { role: 'user', content: `${sentence('asked')} ${marker}` },
        { role: 'assistant', content: sentence('answered') },
        { role: 'user', content: `${marker} ${sentence('asked more')}` },
        { role: 'assistant', content: `${sentence('answered more')} ${marker}` },
        { role: 'user', content: 'Go on' },
      ];
      const marked = await markConversation({ messages }, pattern);
      const { text } = template.renderPrompt(marked.conversation);
      const shown = cutAtMarks(text, marked)
        .map((part) => Array.from(part).join(''))
        .join('');
      for (const { content } of messages)
        expect(shown.split(content).length, `${name}: ${content} in ${shown}`).toBe(2);
    }
  }, 60_000);

  it('shows the thought of a turn that goes on, and takes one in an answer for a thought', () => {
    const template = open(source);
    const { thoughts } = template.facts;
    const asked: ChatMessage = { role: 'user', content: 'Why?' };
    const thought = { reasoning: 'because zq' };
    const prompt = (...messages: readonly ChatMessage[]) =>
      template.renderPrompt({ messages, tools: looking, reasoning: { enabled: true } }).text;
    const calling = { role: 'assistant', content: '', toolCalls: [call], ...thought } as const;
    const result: ChatMessage = { role: 'tool', content: 'zq result', toolCallId: call.id };
    const shown = prompt(asked, calling, result).split('because zq').length - 1;
    expect(shown, name).toBe(
      thoughts?.field === undefined || thoughts.field === 'content' || cutsThoughts.includes(name) ? 0 : 1,
    );
    if (thoughts?.syntax.kind !== 'tags') return;
    const { begin, end } = thoughts.syntax.tags;
    const content = `${begin}\nbecause zq\n${end}\n\nAs zq`;
    const messages: readonly ChatMessage[] = [asked, { role: 'assistant', content }, asked];
    const answered = { role: 'assistant', content: 'As zq', ...thought } as const;
    expect(prompt(...withThoughtsApart({ messages }, template.facts).messages)).toBe(
      prompt(asked, answered, asked),
    );
  });

  it('goes on with an answer and with a thought that were begun', () => {
    const template = open(source);
    const { thoughts } = template.facts;
    const go = (begun: Partial<ChatMessage>, rest: string) => {
      const messages: readonly ChatMessage[] = [
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: '', ...begun },
      ];
      const prompt = { kind: 'messages', messages, continuesLast: true } as const;
      const conversation = { ...prompt, ...reasoningOf({ prompt }, template.facts) };
      const { text, startsInThought } = template.renderPrompt(conversation);
      const request = { ...conversation, prompt } as unknown as GenerationRequest;
      const plan = planTurn(request, template.facts, startsInThought, undefined);
      const turn = { text: '', reasoning: '' };
      const reader = plan && new TurnReader(plan.reader);
      for (const event of reader ? [...reader.push(rest), ...reader.finish()] : [])
        if (event.type === 'text' || event.type === 'reasoning') turn[event.type] += event.text;
      return { text, turn: reader ? turn : { text: rest, reasoning: '' } };
    };
    const content = { content: 'The sky' };
    const plain = go(content, ' is blue');
    expect(plain.text.endsWith('The sky')).toBe(true);
    expect(plain.turn).toEqual({ text: ' is blue', reasoning: '' });
    if (thoughts === undefined) return;
    const both = go({ ...content, reasoning: 'because zq' }, ' is blue');
    expect(both.text).toMatch(/because zq[^]*The sky$/);
    expect(both.turn).toEqual({ text: ' is blue', reasoning: '' });
    const end =
      thoughts.syntax.kind === 'tags'
        ? thoughts.syntax.tags.end
        : '<|end|><|start|>assistant<|channel|>final<|message|>';
    const thought = go({ reasoning: 'because zq' }, ` of${end}Blue`);
    expect(thought.text.endsWith('because zq')).toBe(true);
    expect(thought.turn).toEqual({ text: 'Blue', reasoning: ' of' });
  });
});

describe('a template that cannot show what was said', () => {
  const source = "{{ '<|user|>' + messages[-1].content + '<|assistant|>' }}";
  const first: ChatMessage = { role: 'user', content: 'One' };

  it('gets the conversations that it shows, and refuses others by the message that it would leave out', () => {
    const template = openTemplate(engine, source);
    expect(template.renderPrompt({ messages: [first] }).text).toBe('<|user|>One<|assistant|>');
    const messages: readonly ChatMessage[] = [first, { role: 'assistant', content: 'Two' }, first];
    expect(() => template.renderPrompt({ messages })).toThrow(
      /does not show messages\[0\], of the role user/,
    );
  });
});
