import { fc } from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { deriveToolSyntax } from '../../../../../src/engine/prompt/tools/derive-tool-syntax.ts';
import { ToolCallParser } from '../../../../../src/engine/prompt/tools/tool-call-parser.ts';
import { plainToolSyntax, type ToolSyntax } from '../../../../../src/engine/prompt/tools/tool-syntax.ts';
import { writeToolCalls } from '../../../../../src/engine/prompt/tools/write-tool-calls.ts';
import { nastyTools, parseCalls } from '../../../../support/prompt/call-fixtures.ts';
import { callSyntaxes } from '../../../../support/prompt/call-syntaxes.ts';

const none = { begin: '', end: '' };
const json = plainToolSyntax.body;

const written = (syntax: ToolSyntax, calls: readonly (readonly [string, unknown])[]) =>
  writeToolCalls(
    syntax,
    calls.map(([name, values], index) => ({
      id: `call0000${index}`,
      name,
      arguments: JSON.stringify(values),
    })),
  );

/** The texts between the calls in `text`. */
function textsOf(syntax: ToolSyntax, text: string): string[] {
  const parser = new ToolCallParser({ syntax, tools: nastyTools });
  const events = [...parser.push(text), ...parser.finish()];
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
}

describe.each(Object.entries(callSyntaxes))('%s', (_, syntax) => {
  it('says the same however the text is cut, even of nonsense, and leaks no marker', () => {
    const whole = written(syntax, [
      ['note_down', { text: 'a "b"\n', count: 3 }],
      ['wait', {}],
    ]);
    const fragments = [
      ...syntax.triggers.map(({ text }) => text),
      whole,
      '{"',
      '"name":',
      ' ',
      '\n',
      'a',
      '}',
      '>',
    ];
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(...fragments),
            fc.string({ unit: 'grapheme', maxLength: 4 }),
            fc.nat(whole.length).map((end) => whole.slice(0, end)),
            fc.nat(whole.length).map((start) => whole.slice(start)),
          ),
          { maxLength: 6 },
        ),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
        (parts, lengths) => {
          const text = parts.join('').toWellFormed();
          const parsed = parseCalls(syntax, nastyTools, text, lengths);
          expect(parsed).toEqual(parseCalls(syntax, nastyTools, text));
          // Each text by itself: the texts before and behind a call may add up to a marker that nobody wrote.
          for (const piece of textsOf(syntax, text))
            for (const trigger of syntax.triggers)
              if (!('named' in trigger)) expect(piece).not.toContain(trigger.text);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('ToolCallParser', () => {
  it('takes the halves of a marker around a call for text', () => {
    const call = written(plainToolSyntax, [['wait', {}]]);
    for (const lengths of [[1], [7], [Infinity]])
      expect(parseCalls(plainToolSyntax, nastyTools, `<tool${call}_call> x`, lengths)).toEqual({
        text: '<tool_call> x',
        calls: [{ name: 'wait', arguments: {}, complete: true }],
      });
  });

  const parse = (text: string) => parseCalls(plainToolSyntax, nastyTools, text, [3]);

  it('leaves text without calls as it is', () => {
    const text = '  A < b, <tool> and <tool_cal\n ';
    expect(parse(text)).toEqual({ text, calls: [] });
  });

  it('takes members in any order, other names for them, and arguments inside a string', () => {
    const call = (body: string) => parse(`<tool_call>${body}</tool_call>`).calls[0];
    const expected = { name: 'wait', arguments: { a: 1 }, complete: true };
    expect(call('{"arguments":{"a":1},"name":"wait"}')).toEqual(expected);
    expect(call(' { "name" : "wait" , "parameters" : {"a": 1} , "id" : 7 } ')).toEqual(expected);
    expect(call('{"name":"wait","arguments":"{\\"a\\":1}"}')).toEqual(expected);
    expect(call('{"type":"function","function":{"name":"wait","arguments":{"a":1}}}')).toEqual(expected);
  });

  it('gives a call without arguments none', () => {
    expect(parse('<tool_call>{"name":"wait","arguments":null}</tool_call>').calls[0]?.arguments).toEqual({});
  });

  it('never makes whole a list that a wrong bracket ends', () => {
    const syntax = callSyntaxes['Python calls'] ?? plainToolSyntax;
    const { calls } = parseCalls(syntax, nastyTools, '<|start|>[wait(a=[1)]<|end|>', [1]);
    expect(calls).toEqual([{ name: 'wait', arguments: '{"a":[1', complete: false }]);
  });

  it('drops a call that is none, and goes on behind it', () => {
    expect(parse('a <tool_call>nonsense</tool_call> b')).toEqual({ text: 'a b', calls: [] });
    expect(parse('<tool_call>{"foo": 1}</tool_call>')).toEqual({ text: '', calls: [] });
  });

  it('never makes whole what was cut off: half a path would be another path', () => {
    const { calls, text } = parse('<tool_call>{"name":"note_down","arguments":{"text":"/home/a');
    expect(calls).toEqual([{ name: 'note_down', arguments: '{"text":"/home/a', complete: false }]);
    expect(text).toBe('');
  });

  it('closes the arguments of a call that has none', () => {
    const syntax = callSyntaxes['JSON in tags'] ?? plainToolSyntax;
    expect(parseCalls(syntax, nastyTools, '<tool_call>{"name":"wait"}</tool_call>').calls).toEqual([
      { name: 'wait', arguments: {}, complete: true },
    ]);
  });

  it('types what stands in tags by the schema of the tool', () => {
    const syntax = callSyntaxes['a tag for each argument'] ?? plainToolSyntax;
    const tools = [
      {
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            zip: { type: 'string' },
            size: { type: 'integer' },
            on: { type: 'boolean' },
            maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            kind: { enum: ['1', '2'] },
            other: { $ref: '#/$defs/list' },
          },
          $defs: { list: { type: 'array' } },
        },
      },
    ];
    const parameters = Object.entries({
      zip: '01234',
      size: '7',
      on: 'True',
      maybe: 'null',
      kind: '2',
      other: '[1]',
    })
      .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
      .join('');
    const text = `<tool_call>\n<function=f>\n${parameters}</function>\n</tool_call>`;
    expect(parseCalls(syntax, tools, text).calls[0]?.arguments).toEqual({
      zip: '01234',
      size: 7,
      on: true,
      maybe: null,
      kind: '2',
      other: [1],
    });
  });

  const bare: ToolSyntax = {
    ...plainToolSyntax,
    triggers: [{ text: '{"name"', atStart: true }, { text: '<|python_tag|>' }],
    call: none,
    separator: '',
    body: json,
    parallel: false,
  };
  const parseBare = (text: string) => parseCalls(bare, nastyTools, text, [2]);

  it('takes bare JSON for a call only with the name of a tool', () => {
    expect(parseBare('{"name": "wait", "parameters": {"a": 1}}').calls).toHaveLength(1);
    expect(parseBare('<|python_tag|>{"name": "wait", "parameters": {"a": 1}}').calls).toHaveLength(1);
    const answer = '{"name": "Ann", "age": 4}';
    expect(parseBare(answer)).toEqual({ text: answer, calls: [] });
    const quoted = 'Like {"name": "wait"}';
    expect(parseBare(quoted)).toEqual({ text: quoted, calls: [] });
  });

  it('ends, however many blanks come first', () => {
    const blanks = ' '.repeat(400_000);
    expect(parseBare(`${blanks}{"name": "wait", "parameters": {}}`)).toMatchObject({ text: '', calls: [{}] });
    expect(parseBare(`${blanks}{}`)).toEqual({ text: `${blanks}{}`, calls: [] });
  });

  it('knows families by what their templates contain', () => {
    expect(deriveToolSyntax(undefined, 'x <|tool_list_start|> y')?.section.begin).toBe(
      '<|tool_call_start|>[',
    );
    expect(deriveToolSyntax(undefined, 'nothing')).toBeUndefined();
  });
});
