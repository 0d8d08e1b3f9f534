import { beforeAll, describe, expect, it } from 'vitest';
import type { Llama } from 'node-llama-cpp';
import { compileSchema } from '../../../../../src/grammar/compile-schema.ts';
import { toolGrammar } from '../../../../../src/engine/prompt/tools/tool-grammar.ts';
import { plainToolSyntax, type ToolSyntax } from '../../../../../src/engine/prompt/tools/tool-syntax.ts';
import { writeToolCalls } from '../../../../../src/engine/prompt/tools/write-tool-calls.ts';
import type { JsonObject, ToolDefinition } from '../../../../../src/engine/types.ts';
import {
  openTemplate,
  openTemplateEngine,
  ownTemplates,
  realTemplates,
} from '../../../../support/models/templates.ts';
import { nastyArguments, nastyTools, parseCalls } from '../../../../support/prompt/call-fixtures.ts';
import { callGrammar } from '../../../../support/prompt/call-grammar.ts';
import { callSyntaxes } from '../../../../support/prompt/call-syntaxes.ts';

let engine: Llama;
beforeAll(async () => {
  engine = await openTemplateEngine();
});

interface Options {
  readonly tools?: readonly ToolDefinition[];
  readonly parallel?: boolean;
  readonly from?: 'start' | 'trigger';
}

/** Whether the grammar of calls takes a whole text. */
async function acceptor(
  syntax: ToolSyntax,
  { tools = nastyTools, parallel = true, from = 'start' }: Options = {},
) {
  const grammar = await engine.createGrammar({
    grammar: callGrammar({ syntax, tools, parallel, from, compile: compileSchema }),
  });
  const { _grammar: inner } = grammar as unknown as { _grammar: { isTextCompatible(text: string): boolean } };
  return (text: string) => inner.isTextCompatible(text);
}

const written = (syntax: ToolSyntax, ...calls: readonly (readonly [string, unknown])[]) =>
  writeToolCalls(
    syntax,
    calls.map(([name, values], index) => ({
      id: `call0000${index}`,
      name,
      arguments: JSON.stringify(values),
    })),
  );

const templates = [...Object.entries(ownTemplates), ...realTemplates];

/** Where JSON strings stand for texts that the template would write otherwise: taken when read, not written. */
const writesOtherwise = ({ body }: ToolSyntax) =>
  body.kind === 'tagged' && body.arguments.kind === 'pythonic';

/** Objects and lists that may hold anything are JSON in the grammar where they are elements in the template. */
const writesElements = ({ body }: ToolSyntax) =>
  body.kind === 'tagged' && body.arguments.kind === 'parameters' && body.arguments.nested === true;

/** A call in channels ends with the turn, and has no text of its own for that. */
const asGenerated = (syntax: ToolSyntax, text: string) =>
  syntax.channels ? text.replace('<|call|>', '') : text;

describe.each(templates)('the grammar for calls as %s writes them', (_name, source) => {
  let syntax: ToolSyntax;
  let accepts: (text: string) => boolean;
  beforeAll(async () => {
    syntax = openTemplate(engine, source).facts.toolSyntax;
    accepts = await acceptor(syntax);
  });
  const call = (...calls: readonly (readonly [string, unknown])[]) =>
    asGenerated(syntax, written(syntax, ...calls));

  it('takes calls with any arguments, and nothing beside them', () => {
    for (const values of Object.values(nastyArguments)) {
      if (writesOtherwise(syntax) && JSON.stringify(values).includes('[')) continue;
      if (writesElements(syntax) && Object.values(values).some((value) => typeof value === 'object'))
        continue;
      expect(accepts(call(['note_down', values])), call(['note_down', values])).toBe(true);
    }
    expect(accepts(call(['wait', {}]))).toBe(true);
    expect(accepts('Hello')).toBe(false);
    expect(accepts(call(['launch', {}]))).toBe(false);
    expect(accepts(call(['wait', { a: 1 }]))).toBe(false);
    expect(accepts(call(['note_down', { flag: 5 }]))).toBe(false);
  });

  it('takes several only where they fit into a turn and are wanted', async () => {
    const two = call(['wait', {}], ['note_down', { count: 1 }]);
    expect(accepts(two)).toBe(syntax.parallel);
    expect((await acceptor(syntax, { parallel: false }))(two)).toBe(false);
  });

  it('goes on from any trigger', async () => {
    const woken = await acceptor(syntax, { from: 'trigger' });
    const whole = call(['note_down', { text: 'a' }]);
    const at = whole.indexOf(syntax.triggers[0]?.text ?? '');
    expect(at).toBeGreaterThanOrEqual(0);
    expect(woken(whole.slice(at))).toBe(true);
  });
});

describe('texts without quotes', () => {
  const tagged: ToolSyntax = {
    ...callSyntaxes['a tag for each argument'],
    triggers: plainToolSyntax.triggers,
  };
  const toolOf = (value: JsonObject, required = true): ToolDefinition => ({
    name: 'f',
    parameters: {
      type: 'object',
      properties: { a: value, b: { type: 'integer' } },
      ...(required && { required: ['a'] }),
    },
  });
  const call = (...values: readonly [key: string, value: string][]) => {
    const parameters = values.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`).join('');
    return `<tool_call>\n<function=f>\n${parameters}</function>\n</tool_call>`;
  };
  const accepted = async (schema: JsonObject, values: readonly string[]) => {
    const accepts = await acceptor(tagged, { tools: [toolOf(schema)] });
    return values.filter((value) => accepts(call(['a', value])));
  };

  it('hold anything but their end', async () => {
    const held = [
      '',
      'x < y',
      'a\n\n"b" </param',
      'é 😀',
      '</parameter> x',
      'A block ends with </parameter>',
    ];
    const lines = [
      'x\n</parameter>\n',
      '\n</parameter>\ny',
      'a</parameter></function>',
      '</function>\n</tool_call>',
    ];
    const ended = [
      'x\n</parameter>\n<parameter=b>',
      'x\n</parameter>\n</function>',
      '\n</parameter></tool_call>',
      '</parameter></function>',
    ];
    const accepts = await acceptor(tagged, { tools: [toolOf({ type: 'string' })], parallel: false });
    const values = [...held, ...lines, ...ended];
    expect(values.filter((value) => accepts(call(['a', value])))).toEqual([...held, ...lines]);
    for (const value of [...held, ...lines])
      expect(parseCalls(tagged, [toolOf({ type: 'string' })], call(['a', value], ['b', '1'])).calls).toEqual([
        { name: 'f', arguments: { a: value, b: 1 }, complete: true },
      ]);
  });

  it.each<[JsonObject, readonly string[], readonly string[]]>([
    [{ enum: ['on', 'off'] }, ['on'], ['of', 'o', '"on"']],
    [{ type: 'string', pattern: '^[a-c]+$' }, ['abc'], ['abd', '', '"abc"']],
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', 'abc'], ['a', 'abcd']],
    [{ type: 'string', format: 'date' }, ['2024-02-29'], ['2024-2-29', 'soon']],
    [{ type: 'integer', minimum: 3 }, ['3', '12'], ['2', 'x', '"3"']],
    [{ type: 'boolean' }, ['true'], ['True', 'x']],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['null', 'some text'], []],
    [{ type: 'array', items: { type: 'integer' } }, ['[1, 2]'], ['["a"]', '1']],
    [{ type: ['string', 'array'], items: { type: 'integer' } }, ['[1]', 'text'], ['["a"]']],
    [{}, ['anything', '{"a": 1}'], []],
  ])('%j', async (schema, right, wrong) => {
    expect(await accepted(schema, [...right, ...wrong])).toEqual(right);
    for (const value of right) {
      const [parsed] = parseCalls(tagged, [toolOf(schema)], call(['a', value])).calls;
      expect(parsed?.complete).toBe(true);
    }
  });

  it('come in any order, the required ones always', async () => {
    const accepts = await acceptor(tagged, { tools: [toolOf({ type: 'string' })] });
    expect(accepts(call(['a', 'x'], ['b', '1']))).toBe(true);
    expect(accepts(call(['b', '1'], ['a', 'x']))).toBe(true);
    expect(accepts(call(['b', '1'], ['b', '1']))).toBe(false);
    expect(accepts(call(['b', '1']))).toBe(false);
    const optional = await acceptor(tagged, { tools: [toolOf({ type: 'string' }, false)] });
    expect(optional(call(['b', '1']))).toBe(true);
    expect(optional(call())).toBe(true);
  });

  it.each([6, 9])('come in any order where %i of 12 are required', async (count) => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
    const required = names.slice(0, count);
    const tool: ToolDefinition = { name: 'f', parameters: { type: 'object', properties, required } };
    const accepts = await acceptor(tagged, { tools: [tool] });
    const write = (list: readonly string[]) => call(...list.map((name): [string, string] => [name, '1']));
    const [first = '', ...others] = required;
    const optional = names.slice(count);
    expect(accepts(write(names))).toBe(true);
    expect(accepts(write([...optional.toReversed(), ...required]))).toBe(true);
    expect(accepts(write([first, ...optional, ...others]))).toBe(true);
    expect(accepts(write([...optional, ...others]))).toBe(false);
    expect(accepts(write(names.toReversed()))).toBe(count === 6);
    // Of an optional one that comes twice the first counts.
    const [twice = ''] = optional;
    const text = write([...required, twice, twice]).replace(/1(?!.*1)/s, '2');
    const values = Object.fromEntries([...required, twice].map((name) => [name, 1]));
    expect(parseCalls(tagged, [tool], text).calls).toEqual([
      { name: 'f', arguments: values, complete: true },
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ minProperties: 2 }, 'minProperties'],
    [{ properties: { a: { type: 'integer', multipleOf: 1e9 } } }, 'properties.a.multipleOf'],
  ])('of a strict tool are refused where %j cannot be enforced; else that is ignored', (parameters, path) => {
    const write = (strict: boolean) =>
      toolGrammar({
        syntax: tagged,
        tools: [{ name: 'f', parameters: { type: 'object', ...parameters }, strict }],
        parallel: false,
        from: 'start',
        compile: compileSchema,
      });
    const param = `tools[0].parameters.${path}`;
    const refusal = { code: 'invalid_json_schema', param };
    expect(() => write(true)).toThrowError(expect.objectContaining(refusal));
    expect(write(false).ignored).toEqual([param]);
  });
});

it('takes JSON arguments in any order, unless the tool is strict', async () => {
  const properties = Object.fromEntries(
    ['path', 'offset', 'limit'].map((name) => [name, { type: 'integer' }]),
  );
  const parameters: JsonObject = { type: 'object', properties, required: ['path'] };
  for (const strict of [false, true]) {
    const accepts = await acceptor(plainToolSyntax, { tools: [{ name: 'f', parameters, strict }] });
    const takes = (values: object) => accepts(written(plainToolSyntax, ['f', values]));
    expect(takes({ path: 1, offset: 2, limit: 3 })).toBe(true);
    expect(takes({ limit: 3, path: 1, offset: 2 })).toBe(!strict);
    expect(takes({ path: 1, limit: 3, offset: 2 })).toBe(!strict);
    expect([takes({ limit: 3 }), takes({ path: 1, other: 2 }), takes({ path: 'x' })]).toEqual([
      false,
      false,
      false,
    ]);
  }
});

it('takes both orders of a header in channels', async () => {
  const template = realTemplates.get('openai-gpt-oss-120b') ?? '{# <|channel|>commentary #}';
  const accepts = await acceptor(openTemplate(engine, template).facts.toolSyntax);
  expect(accepts('<|channel|>commentary to=functions.wait <|constrain|>json<|message|>{}')).toBe(true);
  expect(accepts(' to=functions.wait<|channel|>commentary json<|message|>{}')).toBe(true);
});

describe('elements in elements', () => {
  const place: JsonObject = {
    type: 'object',
    properties: { name: { type: 'string' }, size: { type: 'integer' } },
    required: ['name'],
  };
  const tools: readonly ToolDefinition[] = [
    {
      name: 'f',
      parameters: {
        type: 'object',
        properties: {
          at: place,
          places: { type: 'array', items: place },
          few: { type: 'array', maxItems: 1 },
        },
      },
    },
    { name: 'open', parameters: { type: 'object' } },
  ];
  const call = (name: string, elements: string) =>
    `<invoke name="${name}">${elements}</invoke>`.replaceAll('<', ']<]x[>[<');

  it('follow the schemas of members and items', async () => {
    const accepts = await acceptor(openTemplate(engine, ownTemplates.elements).facts.toolSyntax, { tools });
    const taken = [
      '',
      '<at><name>a</name></at>',
      '<at><name>a</name><size>3</size></at><places></places>',
      '<places><item><name>a</name></item><item><name></name></item></places>',
      '<few>["a"]</few>',
    ];
    const refused = [
      '<at></at>',
      '<at><name>a</name><size>x</size></at>',
      '<at><name>a</size></at>',
      '<at><name>a</name></at',
      '<places><item></item></places>',
      '<few>["a","b"]</few>',
    ];
    expect([...taken, ...refused].filter((elements) => accepts(call('f', elements)))).toEqual(taken);
    expect(accepts(call('open', '<any>text</any><more></more>'))).toBe(true);
  });
});
