import { fc } from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  ReasoningParser,
  type ReasoningParserOptions,
} from '../../../../../src/engine/prompt/thoughts/reasoning-parser.ts';
import { noMarkers } from '../../../../../src/engine/prompt/thoughts/thought-tags.ts';
import { plainToolSyntax } from '../../../../../src/engine/prompt/tools/tool-syntax.ts';
import { pieces } from '../../../../support/prompt/call-fixtures.ts';

const tags = { begin: '<think>', end: '</think>' };
const calls = { syntax: plainToolSyntax, tools: [{ name: 'f' }] };
const thinking: ReasoningParserOptions = { syntax: { kind: 'tags', tags }, startsInThought: false, calls };
const control: ReasoningParserOptions = {
  ...thinking,
  syntax: { kind: 'tags', tags: { begin: '<|channel>thought', end: '<channel|>' } },
};
const channels: ReasoningParserOptions = { syntax: { kind: 'channels' }, startsInThought: false, calls };

function parse(options: ReasoningParserOptions, text: string, lengths: readonly number[] = [1]) {
  const parser = new ReasoningParser(options);
  const events = [...pieces(text, lengths).flatMap((piece) => parser.push(piece)), ...parser.finish()];
  const of = (type: string) => events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
  return { reasoning: of('reasoning'), text: of('text') };
}

describe('thoughts in tags', () => {
  const madeCall = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';

  it.each([
    ['<think>\nhm\n</think>\n\nYes.', 'hm', 'Yes.'],
    ['\n<think>a</think>b ', 'a', 'b '],
    ['<think></think>\nb', '', 'b'],
    ['<think>a</think><think>b</think>c', 'ab', 'c'],
    ['<think>never closed ', 'never closed', ''],
    ['<think>a < b </thin k></think>c', 'a < b </thin k>', 'c'],
    ['<think>call it: <tool_call>{}</tool_call></think>x', 'call it: <tool_call>{}</tool_call>', 'x'],
    [`<think>hm\n${madeCall}`, 'hm', madeCall],
    [`<think>say <tool_call> and\n${madeCall}${madeCall}`, 'say <tool_call> and', madeCall + madeCall],
    [`<think>a <tool_call> </think>\n${madeCall}`, 'a <tool_call>', madeCall],
    ['<think>a <tool_call>\n{"name": "other"}</think>b', 'a <tool_call>\n{"name": "other"}', 'b'],
    ['<think>cut <tool_call>\n{"na', 'cut <tool_call>\n{"na', ''],
    [`<think><tool_call> ${'long '.repeat(99)}</think>b`, `<tool_call> ${'long '.repeat(99)}`.trim(), 'b'],
    ['No thought, <think>tags</think> as text.', '', 'No thought, <think>tags</think> as text.'],
    ['  plain\n', '', '  plain\n'],
    ['<thi', '', '<thi'],
    ['', '', ''],
  ])('%j', (generated, reasoning, text) => {
    expect(parse(thinking, generated)).toEqual({ reasoning, text });
    expect(parse(thinking, generated, [Infinity])).toEqual({ reasoning, text });
  });

  it('goes on with a thought that the prompt began, even if the model begins it again', () => {
    const options = { ...thinking, startsInThought: true };
    expect(parse(options, 'hm</think>x')).toEqual({ reasoning: 'hm', text: 'x' });
    expect(parse(options, '<think>\nhm</think>x')).toEqual({ reasoning: 'hm', text: 'x' });
    expect(new ReasoningParser(options).inThought).toBe(true);
  });

  it('ends, however many blanks come first', () => {
    const blanks = ' '.repeat(400_000);
    expect(parse(thinking, `${blanks}<think>a</think>b`)).toEqual({ reasoning: 'a', text: 'b' });
    for (const options of [thinking, channels])
      expect(parse(options, `${blanks}b`)).toEqual({ reasoning: '', text: `${blanks}b` });
  });

  it('drops what stands around the answer', () => {
    const options = { ...thinking, answer: { ...noMarkers, begin: '<|START_TEXT|>', end: '<|END_TEXT|>' } };
    expect(parse(options, '<think>a</think><|START_TEXT|>b<|END_TEXT|>')).toEqual({
      reasoning: 'a',
      text: 'b',
    });
  });

  it('shows a thought as it comes', () => {
    const parser = new ReasoningParser(thinking);
    expect(parser.push('<think>one two')).toEqual([{ type: 'reasoning', text: 'one two' }]);
    expect(parser.inThought).toBe(true);
    expect(parser.push(' three</th')).toEqual([{ type: 'reasoning', text: ' three' }]);
    expect(parser.push('ink>4')).toEqual([{ type: 'text', text: '4' }]);
    expect(parser.inThought).toBe(false);
  });

  it('leaves all of it alone where the model does not think', () => {
    const text = '<think>a</think>b';
    expect(parse({ syntax: undefined, startsInThought: false }, text)).toEqual({ reasoning: '', text });
  });
});

describe('thoughts between control tokens', () => {
  it.each([
    ['Hello<channel|>', '', 'Hello'],
    ['<channel|>Hello', '', 'Hello'],
    ['Hello<|channel>thought\n<channel|>', '', 'Hello'],
    ['<|channel><|channel>thought\n<channel|>Hello', '', 'Hello'],
    ['<|channel>thought\na<channel|>One <|channel>thought\nb\n<channel|>two', 'ab', 'One two'],
    ['One <|channel>thought\nb', 'b', 'One '],
    ['One <|chan', '', 'One <|chan'],
    ['x<|channel>thought\n<tool_call>{"name":"f"}', '', 'x<tool_call>{"name":"f"}'],
    [
      '<tool_call>{"name":"f","arguments":"<channel|>"}',
      '',
      '<tool_call>{"name":"f","arguments":"<channel|>"}',
    ],
  ])('%j', (generated, reasoning, text) => {
    expect(parse(control, generated)).toEqual({ reasoning, text });
    expect(parse(control, generated, [Infinity])).toEqual({ reasoning, text });
  });
});

describe('channels', () => {
  const call = '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a":1}<|call|>';
  const final = '<|start|>assistant<|channel|>final<|message|>Yes.';

  it.each([
    [
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>',
      'hm',
      'Yes.',
    ],
    ['<|channel|>final<|message|>Yes.', '', 'Yes.'],
    ['<|channel|>analysis<|message|>cut', 'cut', ''],
    [`<|channel|>analysis<|message|>hm<|end|><|start|>assistant${call}`, 'hm', call],
    [' to=functions.f<|channel|>commentary json<|message|>{"a":1}<|call|>', '', call],
    [
      '<|channel|>commentary<|message|>First.<|end|><|start|>assistant<|channel|>final<|message|>Then.',
      '',
      'First.\n\nThen.',
    ],
    ['No channel at all', '', 'No channel at all'],
    ['<|channel|>anal', '', ''],
    [`<|channel|>analysis We think<|end|>${final}`, 'We think', 'Yes.'],
    ['<|channel|>analysis<|channel|>final<|message|>Yes.', '', 'Yes.'],
    ['<|channel|>analysis We think<|channel|>final<|message|>Yes.', 'We think', 'Yes.'],
    ['<|channel|>final Hello, {this} is all.<|return|>', '', 'Hello, {this} is all.'],
    ['<|channel|>The answer', '', 'The answer'],
    [`<|channel|>final ${'long '.repeat(90)}`, '', 'long '.repeat(90)],
    ['<|channel|>analysis<|message|>hm<|end|><|start|>assistantThe answer', 'hm', 'The answer'],
    ['to=5 is what I mean', '', 'to=5 is what I mean'],
    ['<|channel|>commentary to=f <|constrain|>json<|message|>{"a":1}<|call|>', '', call],
    ['<|channel|>commentary to=functions.f <|constrain|>json{"a":1}<|call|>', '', call],
    ['<|channel|>commentary to=other<|message|>{"a":1}', '', '{"a":1}'],
    ['<|channel|>commentary to=functions.f <|constrain|>js', '', ''],
    ['<|channel|>analysis to=functions.f code<|message|>{"a":1}<|call|>', '', call],
    ['<|channel|>commentary?commentary? to=functions.f<|message|>{"a":1}<|call|>', '', call],
    ['<|channel|>commentary to=functions.f<|channel|>commentary json<|message|>{"a":1}<|call|>', '', call],
    ['<|start|>assistant to=functions.f<|channel|>analysis<|message|>{"a":1}<|call|>', '', call],
    [
      '<|channel|>final<|message|>Write <b> to=functions.f, {or} not',
      '',
      'Write <b> to=functions.f, {or} not',
    ],
  ])('%j', (generated, reasoning, text) => {
    expect(parse(channels, generated)).toEqual({ reasoning, text });
    expect(parse(channels, generated, [Infinity])).toEqual({ reasoning, text });
  });

  it('go on with a thought that the prompt began, even if the model begins it again', () => {
    const options = { ...channels, startsInThought: true };
    const rest = 'hm<|end|><|start|>assistant<|channel|>final<|message|>Yes.';
    expect(new ReasoningParser(options).inThought).toBe(true);
    expect(parse(options, rest)).toEqual({ reasoning: 'hm', text: 'Yes.' });
    expect(parse(options, `<|channel|>analysis<|message|>${rest}`)).toEqual({
      reasoning: 'hm',
      text: 'Yes.',
    });
  });
});

it('says the same however the text is cut', () => {
  const fragments = [
    '<think>',
    '</think>',
    '<|channel|>',
    'analysis',
    '<|message|>',
    '<tool_call>{"name":"f"',
    '<|channel>thought',
    '<channel|>',
    '<|end|>',
    '<|start|>',
    'final',
    ' ',
    '\n',
    '<',
    'a',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(
        ...[thinking, control, channels].flatMap((options) => [
          options,
          { ...options, startsInThought: true },
        ]),
      ),
      fc.array(fc.constantFrom(...fragments), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
      (options, parts, lengths) => {
        const text = parts.join('');
        expect(parse(options, text, lengths)).toEqual(parse(options, text, [Infinity]));
      },
    ),
    { numRuns: 300 },
  );
});
