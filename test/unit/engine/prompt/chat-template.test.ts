import { beforeAll, describe, expect, it } from 'vitest';
import type { Llama } from 'node-llama-cpp';
import type { ChatTemplate } from '../../../../src/engine/prompt/chat-template.ts';
import type { ChatMessage } from '../../../../src/engine/types.ts';
import {
  openTemplate,
  openTemplateEngine,
  ownTemplates,
  realTemplates,
} from '../../../support/models/templates.ts';
import { nastyArguments, nastyTools, parseCalls } from '../../../support/prompt/call-fixtures.ts';

let engine: Llama;
beforeAll(async () => {
  engine = await openTemplateEngine();
});
const open = (name: keyof typeof ownTemplates): ChatTemplate => openTemplate(engine, ownTemplates[name]);

const user: ChatMessage = { role: 'user', content: 'Hi' };
const twoCalls: readonly ChatMessage[] = [
  user,
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: 'call_first', name: 'note_down', arguments: '{"text": "one"}' },
      { id: 'call_second', name: 'note_down', arguments: '{"text": "two"}' },
    ],
  },
  { role: 'tool', content: 'result of two', toolCallId: 'call_second' },
  { role: 'tool', content: 'result of one', toolCallId: 'call_first' },
];

/** Where each of `texts` is, all in rising order. */
function expectInOrder(whole: string, texts: readonly string[]): void {
  let from = 0;
  for (const text of texts) {
    const at = whole.indexOf(text, from);
    expect(
      at,
      `${JSON.stringify(text)} behind the others in ${JSON.stringify(whole)}`,
    ).toBeGreaterThanOrEqual(0);
    from = at + text.length;
  }
}

describe('facts of small templates', () => {
  it('sees that a template knows no tools', () => {
    const { facts } = open('plain');
    expect(facts).toMatchObject({
      toolsVariable: undefined,
      calls: undefined,
      knowsSyntax: false,
    });
    expect(facts.thoughts).toBeUndefined();
  });

  it('reads JSON in tags, and how thinking is switched', () => {
    const { facts } = open('hermes');
    expect(facts).toMatchObject({
      toolsVariable: 'tools',
      knowsSyntax: true,
      callIds: 'any',
    });
    expect(facts.toolSyntax).toMatchObject({
      triggers: [{ text: '<tool_call>' }],
      call: { begin: '<tool_call>\n', end: '\n</tool_call>' },
      body: { kind: 'json' },
      parallel: true,
    });
    expect(facts.thoughts).toMatchObject({
      syntax: { kind: 'tags', tags: { begin: '<think>', end: '</think>' } },
      switch: { on: { enable_thinking: true }, off: { enable_thinking: false } },
      field: 'reasoning_content',
    });
  });

  it('reads bare JSON, one call a turn', () => {
    const { facts } = open('llama');
    expect(facts.calls?.several).toBe(false);
    expect(facts.toolSyntax.triggers[0]).toEqual({ text: '{"name"', atStart: true });
    expect(facts.toolSyntax.body).toMatchObject({ members: [{ key: 'name' }, { key: 'parameters' }] });
  });

  it('reads a tag for each argument', () => {
    expect(open('coder').facts.toolSyntax).toMatchObject({
      call: { begin: '<tool_call>\n<function=', end: '\n</function>\n</tool_call>' },
      body: {
        afterName: ['>\n'],
        arguments: { kind: 'parameters', begin: '<parameter=', end: '\n</parameter>' },
      },
    });
  });

  it('takes a bare list for calls only at the beginning of an answer', () => {
    expect(open('dumped').facts.toolSyntax.triggers).toContainEqual({ text: '[{"id"', atStart: true });
    expect(open('python').facts.toolSyntax.triggers).toEqual([{ text: '[', atStart: true }]);
    const { toolSyntax } = open('python').facts;
    const answer = '[see](link) and [wait()]';
    expect(parseCalls(toolSyntax, nastyTools, answer, [1])).toEqual({
      text: answer,
      calls: [],
    });
  });

  it('reads a list with ids', () => {
    const { facts } = open('listed');
    expect(facts).toMatchObject({ callIds: 'nine', turns: { spoken: 'apart' } });
    expect(facts.toolSyntax).toMatchObject({
      section: { begin: '[TOOL_CALLS][', end: ']' },
      body: { members: [{ holds: 'name' }, { holds: 'arguments' }, { key: 'id', holds: 'id' }] },
    });
  });
});

describe('renderPrompt', () => {
  it('ends in the answer that is continued, after a thought that is over', () => {
    const messages: readonly ChatMessage[] = [user, { role: 'assistant', content: 'The sky is ' }];
    const continued = { messages, continuesLast: true };
    expect(open('plain').renderPrompt(continued).text).toMatch(/assistant\nThe sky is $/);
    const reasoning = { enabled: false };
    for (const name of ['hermes', 'coder'] as const)
      expect(open(name).renderPrompt({ ...continued, reasoning })).toEqual({
        text: `${open(name).renderPrompt({ messages: [user], reasoning }).text}The sky is `,
        startsInThought: false,
      });
  });

  it('folds and merges what a strict template refuses', () => {
    const text = open('strict').renderPrompt({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One.' },
        { role: 'user', content: 'Two.' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Three.' },
      ],
    }).text;
    expect(text).toBe('[user] Be brief.\n\nOne.\n\nTwo. [assistant] Yes. [user] Three. [assistant]');
  });

  it.each(['plain', 'strict'] as const)('tells a model of tools whose template knows none: %s', (name) => {
    const { text } = open(name).renderPrompt({ messages: twoCalls, tools: nastyTools });
    expectInOrder(text, [
      '<tools>',
      '"name": "note_down"',
      '<tool_call>',
      'Hi',
      '<tool_call>\n{"name": "note_down", "arguments": {"text": "one"}}\n</tool_call>',
      '<tool_call>\n{"name": "note_down", "arguments": {"text": "two"}}\n</tool_call>',
      'result of one',
      'result of two',
    ]);
  });

  it('puts each call before its own result where a turn takes one', () => {
    const { text } = open('llama').renderPrompt({ messages: twoCalls, tools: nastyTools });
    expectInOrder(text, ['"text": "one"', 'result of one', '"text": "two"', 'result of two']);
  });

  it('shortens ids for templates that count their characters', () => {
    const { text } = open('listed').renderPrompt({ messages: twoCalls, tools: nastyTools });
    expectInOrder(text, ['"id": "call00000"', '"id": "call00001"', 'result of one', 'result of two']);
  });

  it('keeps content and calls apart where one hides the other', () => {
    const [first, second] = twoCalls;
    if (!first || !second) throw new Error('no messages');
    const { text } = open('listed').renderPrompt({ messages: [first, { ...second, content: 'Moment.' }] });
    expectInOrder(text, ['Moment.', '[TOOL_CALLS]']);
  });

  it('puts content before the calls where a template has it behind the results', () => {
    const source = `{% set ns = namespace(late='') %}{% for message in messages %}{% if message.tool_calls %}{{ '<m>' }}{% for call in message.tool_calls %}{{ '<call>' + ({'name': call.function.name, 'arguments': call.function.arguments} | tojson) + '</call>' }}{% endfor %}{% set ns.late = message.content %}{% elif message.role == 'tool' %}{{ '<r>' + message.content + '</r>' }}{% if loop.last and ns.late %}{{ ns.late + '</m>' }}{% endif %}{% else %}{{ '<' + message.role + '>' + message.content }}{% endif %}{% endfor %}{% if add_generation_prompt and messages[-1].role != 'tool' %}{{ '<m>' }}{% endif %}`;
    const calls = twoCalls[1]?.toolCalls?.slice(0, 1) ?? [];
    const prompt = (content: string) =>
      openTemplate(engine, source).renderPrompt({
        messages: [
          user,
          { role: 'assistant', content, toolCalls: calls },
          { role: 'tool', content: 'found', toolCallId: 'call_first' },
        ],
      }).text;
    expect(prompt('I look.')).toMatch(/I look\.<m><call>.*<r>found<\/r>$/);
    expect(prompt('')).toMatch(/<r>found<\/r>$/);
  });

  it('tells templates without a clock the date', () => {
    const dated = openTemplate(engine, '{{ date_string }}|{{ datetime }}|{{ messages[0].content }}');
    expect(dated.renderPrompt({ messages: [user] }).text).toMatch(
      /^\d\d [A-Z][a-z]{2} 20\d\d\|[A-Z][a-z]{2} \d\d 20\d\d\|Hi$/,
    );
  });

  it('switches thinking, and closes a thought that nobody wants', () => {
    const prompt = (name: keyof typeof ownTemplates, enabled?: boolean) =>
      open(name).renderPrompt({ messages: [user], ...(enabled !== undefined && { reasoning: { enabled } }) });
    expect(prompt('hermes', false).text).toMatch(/<think>\n\n<\/think>\n\n$/);
    expect(prompt('hermes', true)).toEqual({ ...prompt('hermes'), startsInThought: false });
    expect(prompt('coder')).toMatchObject({ startsInThought: true });
    expect(prompt('coder', true).text).toMatch(/<think>\n$/);
    expect(prompt('coder', false)).toMatchObject({ startsInThought: false });
    expect(prompt('coder', false).text).toMatch(/<think>\n\n<\/think>\n\n$/);
    expect(prompt('plain', false).text).not.toContain('think');
  });

  it.each([
    ['channels', ownTemplates.channels],
    ['gpt-oss', realTemplates.get('openai-gpt-oss-120b') ?? ownTemplates.channels],
  ])('begins the message of the thought, or closes an empty one: %s', (_name, source) => {
    const question = `<|start|>user<|message|>${user.content}<|end|>`;
    const begun = '<|start|>assistant<|channel|>analysis<|message|>';
    const promptOf = (enabled: boolean) => {
      const prompt = openTemplate(engine, source).renderPrompt({ messages: [user], reasoning: { enabled } });
      return { ...prompt, text: prompt.text.slice(prompt.text.indexOf(question) + question.length) };
    };
    expect(promptOf(true)).toEqual({ text: begun, startsInThought: true });
    expect(promptOf(false)).toEqual({
      text: `${begun}<|end|><|start|>assistant`,
      startsInThought: false,
    });
  });

  it('hands thoughts of earlier turns to templates that look for them', () => {
    const messages: ChatMessage[] = [user, { role: 'assistant', content: 'Yes', reasoning: 'hm hm' }, user];
    expect(open('hermes').renderPrompt({ messages }).text).toContain('<think>\nhm hm\n</think>\n\nYes');
    expect(open('plain').renderPrompt({ messages }).text).not.toContain('hm hm');
  });

  it('survives numbers and schemas that the engine cannot take', () => {
    const { text } = open('hermes').renderPrompt({
      messages: [
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'f', arguments: '{"n": 1e300}' }] },
      ],
      tools: [
        { name: 'f', parameters: { type: 'object', properties: { n: { type: 'number', maximum: 1e308 } } } },
      ],
    });
    expect(text).toContain('1e+300');
  });

  it('throws what the template raises when nothing helps', () => {
    const template = openTemplate(engine, "{{ raise_exception('never') }}");
    expect(() => template.renderPrompt({ messages: [user] })).toThrow('never');
  });
});

describe.each(['hermes', 'llama', 'coder', 'listed', 'dumped', 'python'] as const)(
  'a call that %s renders parses back',
  (name) => {
    it.each(Object.entries(nastyArguments))('%s', (_kind, values) => {
      const template = open(name);
      const call = { id: 'call00001', name: 'note_down', arguments: JSON.stringify(values) };
      const messages: ChatMessage[] = [user, { role: 'assistant', content: '', toolCalls: [call] }];
      const text = template.renderPrompt({ messages, tools: nastyTools }).text;
      const { toolSyntax } = template.facts;
      const marker = toolSyntax.triggers[0]?.text ?? '';
      const turn = text.slice(text.indexOf(marker, text.indexOf('Hi')));
      expect(parseCalls(toolSyntax, nastyTools, turn).calls).toEqual([
        { name: 'note_down', arguments: values, complete: true },
      ]);
    });
  },
);
