import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileSchema } from '../../../../../src/grammar/compile-schema.ts';
import { callGrammar } from '../../../../support/prompt/call-grammar.ts';
import type { ToolSyntax } from '../../../../../src/engine/prompt/tools/tool-syntax.ts';
import { writeToolCalls } from '../../../../../src/engine/prompt/tools/write-tool-calls.ts';
import type { JsonObject, ToolDefinition } from '../../../../../src/engine/types.ts';
import { openGrammarEngine, type EngineGrammar } from '../../../../support/grammar/grammar-engine.ts';
import { GbnfSampler, seededRandom } from '../../../../support/grammar/gbnf-sampler.ts';
import { nastyArguments, parseCalls, pieces } from '../../../../support/prompt/call-fixtures.ts';
import { callSyntaxes } from '../../../../support/prompt/call-syntaxes.ts';
import { ToolCallParser } from '../../../../../src/engine/prompt/tools/tool-call-parser.ts';
import { fc } from '../../../../support/properties.ts';

let openGrammar: (gbnf: string) => EngineGrammar;
beforeAll(async () => {
  openGrammar = await openGrammarEngine();
});

const kinds = ['string', 'boolean', 'number', 'object', 'array'] as const;
type Kind = (typeof kinds)[number];
const names = ['text', '__proto__', 'constructor', 'a"b', "it's", 'größe_日本', 'x.y-z', 'item', '$ref'];
const words = fc.constantFrom(
  '',
  ' ',
  'a',
  '"',
  "'",
  '\\',
  '\n',
  '\n\n',
  '\t',
  '{',
  '}',
  ')',
  ',',
  'é😀',
  '12',
  'null',
  '\\n',
);

/** Texts with markers of the syntax, each in its own words: none of them ends a text. */
function texts(syntax: ToolSyntax): fc.Arbitrary<string> {
  const { call, section, body } = syntax;
  const shape = body.kind === 'tagged' ? body.arguments : undefined;
  const ends = shape?.kind === 'parameters' ? [shape.begin, shape.end, shape.keyEnd.string] : [];
  const markers = [call.begin, call.end, section.begin, section.end, '</tool_call>', '[TOOL_CALLS]', ...ends];
  const marker = fc.constantFrom(...markers.filter((text) => text !== '')).map((text) => `x${text}x`);
  const long = fc.constant('long '.repeat(2000));
  const part = fc.oneof({ weight: 6, arbitrary: words }, { weight: 3, arbitrary: marker }, long);
  return fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
}

const writesElements = ({ body }: ToolSyntax) =>
  body.kind === 'tagged' && body.arguments.kind === 'parameters' && body.arguments.nested === true;

/** Values of each kind. Elements have plain names, and members whose type only their text tells. */
function values(syntax: ToolSyntax): Readonly<Record<Kind, fc.Arbitrary<unknown>>> {
  const text = texts(syntax);
  const isPlain = writesElements(syntax);
  const leaf = isPlain
    ? fc.oneof(fc.constantFrom('a b', 'é', 'x'), fc.integer())
    : fc.oneof(text, fc.integer(), fc.constantFrom(null, true, {}, []));
  const key = isPlain ? fc.constantFrom('a', 'b_c') : fc.constantFrom('a', ...names);
  const object = (inner: fc.Arbitrary<unknown>, minLength = 0) =>
    fc
      .uniqueArray(fc.tuple(key, inner), { maxLength: 3, minLength, selector: ([name]) => name })
      .map((list) => Object.fromEntries(list));
  const inner = isPlain ? leaf : fc.oneof(leaf, object(leaf), fc.array(leaf, { maxLength: 3 }));
  return {
    string: text,
    boolean: fc.boolean(),
    number: fc.oneof(fc.integer(), fc.constantFrom(-2.5, 0.125, 123456789012)),
    object: object(inner),
    array: fc.array(inner, { maxLength: 3 }),
  };
}

const toolOf = (types: readonly (readonly [string, Kind])[]): ToolDefinition => ({
  name: 'note_down',
  parameters: {
    type: 'object',
    properties: Object.fromEntries(types.map(([name, type]) => [name, { type }])),
    additionalProperties: false,
  },
});

/** A tool, and the arguments of a call of it as JSON. */
function calls(syntax: ToolSyntax): fc.Arbitrary<{ tool: ToolDefinition; json: string }> {
  const ofKind = values(syntax);
  const name = fc.constantFrom(...names.filter((one) => !writesElements(syntax) || /^[\w.$-]+$/.test(one)));
  const argument = fc
    .tuple(name, fc.constantFrom(...kinds))
    .chain(([key, kind]) => ofKind[kind].map((value) => ({ key, kind, value })));
  return fc.uniqueArray(argument, { maxLength: 4, selector: ({ key }) => key }).map((list) => ({
    tool: toolOf(list.map(({ key, kind }) => [key, kind])),
    json: JSON.stringify(Object.fromEntries(list.map(({ key, value }) => [key, value]))),
  }));
}

const objectOf = (properties: JsonObject) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const integers = { type: 'array', items: { type: 'integer', minimum: 1, maximum: 99 } };

/** Schemas whose calls are held and yet easily read as something else. */
const oddSchemas: Readonly<Record<string, JsonObject>> = {
  'names with the ends of names in them': objectOf(
    Object.fromEntries(
      ['a>b', 'e:f', 'g h', 'a=b', '-i', 'a,b', 'a)b'].map((name) => [name, { type: 'string' }]),
    ),
  ),
  'texts that look like other values': objectOf({
    number: { enum: ['1', '2', 3] },
    flag: { enum: [true, 'false'] },
    either: { anyOf: [{ enum: ['true', 'null'] }, { const: false }] },
  }),
  'lists of lists': objectOf({
    rows: { type: 'array', items: integers },
    words: { type: 'array', items: { enum: ['x', 'y'] } },
  }),
  'sixty arguments': objectOf(
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, { enum: ['a', 'b'] }])),
  ),
};

function readBack(syntax: ToolSyntax, tool: ToolDefinition, text: string, lengths: readonly number[]) {
  const parser = new ToolCallParser({ syntax, tools: [tool] });
  const events = [...pieces(text, lengths).flatMap((piece) => parser.push(piece)), ...parser.finish()];
  const json = events.flatMap((event) => (event.type === 'tool-arguments' ? event.text : [])).join('');
  return {
    calls: events.filter(({ type }) => type === 'tool-call').length,
    json: JSON.stringify(JSON.parse(json)),
  };
}

describe.each(Object.entries(callSyntaxes))('calls as %s', (_, syntax) => {
  const isHeldAsWritten = (json: string) =>
    // JSON in the grammar where templates write elements, and Python's lists and objects.
    !(
      writesElements(syntax) ||
      (syntax.body.kind === 'tagged' && syntax.body.arguments.kind === 'pythonic')
    ) || Object.values(JSON.parse(json) as JsonObject).every((value) => typeof value !== 'object');

  function check(tool: ToolDefinition, json: string, lengths: readonly number[]): void {
    const text = writeToolCalls(syntax, [{ id: 'call00000', name: tool.name, arguments: json }]);
    const expected = { calls: 1, json };
    expect(readBack(syntax, tool, text, [Infinity]), text).toEqual(expected);
    expect(readBack(syntax, tool, text, lengths), text).toEqual(expected);
    if (!isHeldAsWritten(json)) return;
    const gbnf = callGrammar({
      syntax,
      tools: [tool],
      parallel: false,
      from: 'start',
      compile: compileSchema,
    });
    expect(openGrammar(gbnf).accepts(text), text).toBe(true);
  }

  it('are allowed as they are written, and read back as they were, at once and in pieces', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(calls(syntax), cuts, ({ tool, json }, lengths) => check(tool, json, lengths)),
      { numRuns: 40 },
    );
  });

  it.each(Object.entries(nastyArguments))('hold %s', (_kind, args) => {
    const types = Object.entries(args).map(([key, value]): [string, Kind] => [
      key,
      Array.isArray(value) ? 'array' : (typeof value as Kind),
    ]);
    check(toolOf(types), JSON.stringify(args), [1]);
  });

  it.each(Object.entries(oddSchemas))('fit the schema where it has %s', (_kind, parameters) => {
    const tool = { name: 'note_down', parameters };
    const isValid = new Ajv2020().compile(parameters);
    for (const parallel of [false, true]) {
      const held = { syntax, tools: [tool], parallel, from: 'start', compile: compileSchema } as const;
      const sampler = new GbnfSampler(callGrammar(held));
      const random = seededRandom(7);
      for (let turn = 0; turn < 8; turn++) {
        const text = sampler.sample(random);
        const read = parseCalls(syntax, [tool], text);
        expect(parseCalls(syntax, [tool], text, [3])).toEqual(read);
        expect(read.calls, text).toHaveLength(text.split(tool.name).length - 1);
        for (const call of read.calls)
          expect(isValid(call.arguments), `${text}\n${JSON.stringify(call)}`).toBe(true);
      }
    }
  });
});
