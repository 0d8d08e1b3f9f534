import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Llama } from 'node-llama-cpp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChatTemplate } from '../../../../src/engine/prompt/chat-template.ts';
import { planTurn } from '../../../../src/engine/prompt/turn-plan.ts';
import { TurnReader } from '../../../../src/engine/prompt/turn-reader.ts';
import type { GenerationRequest } from '../../../../src/engine/types.ts';
import { openTemplate, openTemplateEngine } from '../../../support/models/templates.ts';
import { nastyTools, pieces } from '../../../support/prompt/call-fixtures.ts';

let engine: Llama;
beforeAll(async () => {
  engine = await openTemplateEngine();
});

const messages = [{ role: 'user', content: 'Hi' }] as const;
const folder = fileURLToPath(new URL('templates/', import.meta.url));
const open = (name: string) => openTemplate(engine, readFileSync(`${folder}${name}.jinja`, 'utf8'));

/** The events read from a turn that a model wrote behind the prompt, in pieces of `length` characters. */
function read(template: ChatTemplate, text: string, enabled: boolean, length: number) {
  const request = {
    prompt: { kind: 'messages', messages },
    reasoning: { enabled },
    tools: { definitions: nastyTools, required: false, parallel: true },
  } as unknown as GenerationRequest;
  const { startsInThought } = template.renderPrompt({ messages, tools: nastyTools, reasoning: { enabled } });
  const plan = planTurn(request, template.facts, startsInThought, undefined);
  if (plan === undefined) throw new Error('nothing is planned');
  const reader = new TurnReader(plan.reader);
  const turn = { reasoning: '', text: '', calls: [] as string[] };
  for (const event of [
    ...pieces(text, [length]).flatMap((piece) => reader.push(piece)),
    ...reader.finish(),
  ]) {
    if (event.type === 'tool-call') turn.calls[event.index] = `${event.name} `;
    else if (event.type === 'tool-arguments') turn.calls[event.index] += event.text;
    else turn[event.type] += event.text;
  }
  return turn;
}

const both = ['note_down {"text":"a"}', 'wait {}'];
const answers: readonly [
  template: string,
  what: string,
  thinks: boolean,
  turn: string,
  expected: { readonly reasoning?: string; readonly text?: string; readonly calls?: readonly string[] },
][] = [
  ['recipient-lines', 'an answer', false, 'all\nall is well, all of it', { text: 'all is well, all of it' }],
  ['recipient-lines', 'an answer that begins so', false, 'all\n{"all": "all"}', { text: '{"all": "all"}' }],
  ['recipient-lines', 'an answer without it', false, 'allow me', { text: 'allow me' }],
  ['recipient-lines', 'a prompt of Python', false, 'all\n>>> wait()', { text: '>>> wait()' }],
  ['recipient-lines', 'calls', false, 'note_down\n{"text":"a"}>>>wait\n{}', { calls: both }],
  [
    'recipient-lines',
    'an answer and calls',
    false,
    'all\nI note.>>>note_down\n{"text":"a"}>>>wait\n{}',
    { text: 'I note.', calls: both },
  ],
  [
    'typed-attributes',
    'a thought and an answer',
    true,
    'hm<|close|>think<|sep|><|open|>response<|sep|>Well<|close|>response<|sep|><|close|>message<|sep|>',
    { reasoning: 'hm', text: 'Well' },
  ],
  [
    'typed-attributes',
    'a thought that ends with an answer only',
    true,
    'hm\n<|open|>response<|sep|>Well<|close|>response<|sep|><|close|>message<|sep|>',
    { reasoning: 'hm', text: 'Well' },
  ],
  [
    'typed-attributes',
    'an answer that the prompt has begun',
    false,
    'Well<|close|>response<|sep|><|close|>message<|sep|>',
    { text: 'Well' },
  ],
  [
    'typed-attributes',
    'its own marks in an answer',
    false,
    'A <|close|>response<|sep|> mark<|close|>response<|sep|>',
    { text: 'A <|close|>response<|sep|> mark' },
  ],
  [
    'typed-attributes',
    'calls with values of all types',
    false,
    '<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="note_down" index="1"<|sep|>' +
      '<|open|>argument key="flag" type="boolean"<|sep|>true<|close|>argument<|sep|>' +
      '<|open|>argument key="text" type="string"<|sep|>12<|close|>argument<|sep|>' +
      '<|open|>argument key="object" type="object"<|sep|>{"a": [1]}<|close|>argument<|sep|><|close|>call<|sep|>' +
      '<|open|>call tool="wait" index="2"<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>',
    { calls: ['note_down {"flag":true,"text":"12","object":{"a": [1]}}', 'wait {}'] },
  ],
  [
    'recipients-in-headers',
    'a thought and an answer',
    true,
    ' to=self<|message|>hm<|eom|><|start|>assistant to=user<|message|>Send it to=user',
    { reasoning: 'hm', text: 'Send it to=user' },
  ],
  [
    'recipients-in-headers',
    'calls after a text',
    false,
    ' to=user<|message|>I note.<|eom|><|start|>assistant to=note_down<|message|><x:calls>\n<x:invoke name="note_down">\n' +
      '<x:parameter name="text">a</x:parameter>\n</x:invoke>\n</x:calls><|eom|><|start|>assistant to=wait<|message|>' +
      '<x:calls>\n<x:invoke name="wait">\n</x:invoke>\n</x:calls>',
    { text: 'I note.', calls: both },
  ],
  [
    'messages-by-kind',
    'a thought and an answer',
    true,
    '<|think|>hm<|end|><|begin|>assistant<|content|>Well<|end|>',
    { reasoning: 'hm', text: 'Well' },
  ],
  [
    'messages-by-kind',
    'a thought and calls',
    true,
    '<|think|>hm<|end|><|begin|>assistant<|tool_calls|><|call:begin|>a1b2c3d4e5<|call:name|>note_down<|call:args|>{"text":"a"}' +
      '<|call:end|><|call:begin|>b1b2c3d4e5<|call:name|>wait<|call:args|>{}<|call:end|>',
    { reasoning: 'hm', calls: both },
  ],
  [
    'parts-of-a-turn',
    'a thought, an answer and calls',
    false,
    '<|part|>think\nhm<|/part|><|part|>say\nI note.<|/part|><|part|>call note_down\n{"text":"a"}<|/part|>' +
      '<|part|>call wait\n{}<|/part|>',
    { reasoning: 'hm', text: 'I note.', calls: both },
  ],
  [
    'answers-behind-words',
    'a thought that the prompt began, and an answer',
    true,
    'hm\n[[ANSWER]]\nWell [[ANSWER]]',
    { reasoning: 'hm', text: 'Well [[ANSWER]]' },
  ],
  [
    'ids-that-name-tools',
    'calls with ids that name their tools',
    false,
    '<|calls|><|call|>functions.note_down:0<|with|>{"text":"a"}<|/call|><|call|>functions.wait:1<|with|>{}<|/call|><|/calls|>',
    { calls: both },
  ],
  [
    'cdata-parameters',
    'texts in CDATA and as they are',
    false,
    '<function name="note_down"><param name="text"><![CDATA[a </param> & ]]></param>' +
      '<param name="object"><![CDATA[{"a": "<"}]]></param></function>\n<function name="wait"></function>',
    { calls: ['note_down {"text":"a </param> & ","object":{"a": "<"}}', 'wait {}'] },
  ],
  [
    'nested-elements',
    'an answer and calls with elements in elements',
    false,
    'I note.]<]x[>[<calls>\n]<]x[>[<invoke name="note_down">]<]x[>[<text>[1] <b>]<]x[>[</text>' +
      ']<]x[>[<object>\n]<]x[>[<a>]<]x[>[<item>x]<]x[>[</item>]<]x[>[<item>2]<]x[>[</item>]<]x[>[</a>]<]x[>[<b>]<]x[>[<c>true]<]x[>[</c>' +
      ']<]x[>[</b>\n]<]x[>[</object>]<]x[>[<list>]<]x[>[</list>]<]x[>[<other>a < b]<]x[>[</other>]<]x[>[</invoke>\n' +
      ']<]x[>[<invoke name="wait">]<]x[>[</invoke>\n]<]x[>[</calls>',
    {
      text: 'I note.',
      calls: [
        'note_down {"text":"[1] <b>","object":{"a":["x",2],"b":{"c":true}},"list":[],"other":"a < b"}',
        'wait {}',
      ],
    },
  ],
  [
    'nested-elements',
    'an object as JSON, and a call that is cut off in a list',
    false,
    ']<]x[>[<calls>\n]<]x[>[<invoke name="note_down">]<]x[>[<object>{"a": [1]}]<]x[>[</object>]<]x[>[</invoke>\n' +
      ']<]x[>[<invoke name="note_down">]<]x[>[<list>]<]x[>[<item>1]<]x[>[</item>',
    { calls: ['note_down {"object":{"a": [1]}}', 'note_down {"list":'] },
  ],
];

describe('turns of templates with a form of their own', () => {
  it.each(answers)('%s: %s', (name, _what, thinks, turn, expected) => {
    const template = open(name);
    for (const length of [1, 7, Infinity])
      expect(read(template, turn, thinks, length)).toEqual({
        reasoning: '',
        text: '',
        calls: [],
        ...expected,
      });
  });

  it('have thoughts that the template turns on and off with words', () => {
    const { thoughts } = open('messages-by-kind').facts;
    expect(thoughts?.switch).toEqual({ on: { reasoning_effort: 'high' }, off: { reasoning_effort: 'low' } });
    expect(thoughts?.effort).toBeUndefined();
  });
});

/** Each argument as an attribute, whose texts may hold quotes, so that nobody can tell where they end. */
const attributes = `{% if tools %}{{ 'Write <call>.' + (tools | tojson) }}{% endif %}{% for message in messages %}{{ '<|' + message.role + '|>' + (message.content or '') }}{% for call in message.tool_calls or [] %}{{ '<call>\\n<invoke name="' + call.function.name + '"' }}{% for key, value in call.function.arguments | items %}{{ ' ' + key + '="' + (value if value is string else value | tojson) + '"' }}{% endfor %}{{ '/>\\n</call>' }}{% endfor %}{{ '<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}`;

describe('a template whose calls are not read back as it writes them', () => {
  const call = { id: 'call_1', name: 'note_down', arguments: '{"object": {"a": {"b": 1}}}' };

  it('is asked for calls in plain JSON, and told nothing of its own form', () => {
    const template = openTemplate(engine, attributes);
    expect(template.facts.knowsSyntax).toBe(false);
    const { text } = template.renderPrompt({ messages, tools: nastyTools });
    expect(text).not.toContain('Write <call>.');
    expect(text).toContain(
      '<tool_call>\n{"name": "tool_name", "arguments": {"argument_name": "value"}}\n</tool_call>',
    );
    for (const { name } of nastyTools) expect(text).toContain(`"name": "${name}"`);
  });

  it('shows earlier calls in that form as well', () => {
    const { text } = openTemplate(engine, attributes).renderPrompt({
      messages: [
        ...messages,
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', content: 'done', toolCallId: 'call_1' },
      ],
      tools: nastyTools,
    });
    expect(text).toContain(
      '<tool_call>\n{"name": "note_down", "arguments": {"object": {"a": {"b": 1}}}}\n</tool_call>',
    );
    expect(text).not.toContain('<invoke');
  });
});
