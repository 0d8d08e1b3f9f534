import { beforeAll, describe, expect, it } from 'vitest';
import { compileSchema, jsonObject } from '../../../src/grammar/compile-schema.ts';
import { gbnfLiteral, grammarText } from '../../../src/grammar/gbnf.ts';
import { schemaGrammar } from './schema-grammar.ts';
import { openGrammarEngine, type EngineGrammar } from '../../support/grammar/grammar-engine.ts';

let engine: (grammar: string) => EngineGrammar;
beforeAll(async () => {
  engine = await openGrammarEngine();
});

interface Case {
  readonly schema: unknown;
  /** Values; each is tried compact and with a space after commas and colons. */
  readonly yes?: readonly unknown[];
  readonly no?: readonly unknown[];
  /** Texts as they are. */
  readonly yesTexts?: readonly string[];
  readonly noTexts?: readonly string[];
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const string = { type: 'string' };
const integer = { type: 'integer' };

const cases: Record<string, Case> = {
  anything: {
    schema: {},
    yes: [null, true, 1, -2.5, 'a', [], [1, ['b']], {}, { a: { b: [] } }],
    noTexts: ['', '{', '01', 'nul'],
  },
  true: { schema: true, yes: [1, 'x', {}] },
  types: { schema: { type: ['string', 'null', 'integer'] }, yes: ['a', null, 5], no: [true, {}, [], 1.5] },
  nullable: { schema: { type: 'string', nullable: true }, yes: ['a', null], no: [1] },
  'no number outside of the doubles': {
    schema: { type: 'number' },
    yesTexts: ['0', '-1.5e10', '1E-7'],
    noTexts: ['1e400', '00', '.5', '1.', '+1', 'NaN'],
  },
  'strings as JSON writes them': {
    schema: string,
    yes: ['', 'a"b\\c/d\n\t\r\b\f', '\u0001', 'é😀漢'],
    yesTexts: ['"\\ud83d\\ude00"', '"\\/"', '"\\u00E9"'],
    noTexts: ['"\n"', '"\\ud83d"', '"\\ude00"', '"\\x"', "'a'", '"a'],
  },
  'enum and const': {
    schema: { enum: ['a', 1, 10, null, { x: [1] }] },
    yesTexts: ['"a"', '1', '10', 'null', '{"x":[1]}'],
    noTexts: ['2', '"b"', '100'],
  },
  'enum within a type': { schema: { type: 'string', enum: ['a', 1] }, yes: ['a'], no: [1] },
  'optional properties in any combination': {
    schema: object({ a: integer, b: integer, c: integer }, { additionalProperties: false }),
    yes: [
      {},
      { a: 1 },
      { b: 1 },
      { c: 1 },
      { a: 1, b: 1 },
      { a: 1, c: 1 },
      { b: 1, c: 1 },
      { a: 1, b: 1, c: 1 },
    ],
    no: [{ d: 1 }, { a: 'x' }],
    noTexts: ['{"a":1,}', '{,"a":1}', '{"a":1 "b":1}', '{"b":1,"a":1}'],
  },
  'required ones between optional ones': {
    schema: object({ a: integer, b: integer, c: integer }, { required: ['b'] }),
    yes: [{ b: 1 }, { a: 1, b: 1 }, { b: 1, c: 1 }, { a: 1, b: 1, c: 1 }],
    no: [{}, { a: 1 }, { c: 1 }],
  },
  'no other properties unless asked for': {
    schema: object({ a: integer }),
    yes: [{}, { a: 1 }],
    no: [{ b: 1 }],
  },
  'no properties': { schema: object({}), yes: [{}], no: [{ a: 1 }] },
  'any object': { schema: { type: 'object' }, yes: [{}, { a: 1, b: { c: [] } }], no: [[], 1] },
  'other properties of a schema': {
    schema: object({ a: integer }, { additionalProperties: string }),
    yes: [
      { a: 1, b: 'x' },
      { ab: 'x', c: 'y' },
    ],
    no: [{ a: 'x' }, { b: 1 }],
    noTexts: ['{"\\u0061":"x"}'],
  },
  'patterns of names': {
    schema: object({ id: integer }, { patternProperties: { '^x-': string }, additionalProperties: false }),
    yes: [{ id: 1, 'x-a': 'b' }, { 'x-': 'c' }],
    no: [{ y: 1 }, { 'x-a': 1 }],
  },
  names: {
    schema: { type: 'object', propertyNames: { enum: ['x', 'y'] }, additionalProperties: integer },
    yes: [{}, { x: 1 }, { x: 1, y: 2 }],
    no: [{ z: 1 }],
  },
  'counted properties': {
    schema: object({ a: integer, b: integer, c: integer }, { minProperties: 1, maxProperties: 2 }),
    yes: [{ a: 1 }, { c: 1 }, { a: 1, c: 1 }],
    no: [{}, { a: 1, b: 1, c: 1 }],
  },
  'a property that needs another': {
    schema: object({ card: string, address: string }, { dependentRequired: { card: ['address'] } }),
    yes: [{}, { address: 'x' }, { card: 'y', address: 'x' }],
    no: [{ card: 'y' }],
  },
  'arrays with bounds': {
    schema: { type: 'array', items: integer, minItems: 2, maxItems: 3 },
    yes: [
      [1, 2],
      [1, 2, 3],
    ],
    no: [[], [1], [1, 2, 3, 4], [1, 'a']],
  },
  tuples: {
    schema: { type: 'array', prefixItems: [string, integer], items: false },
    yes: [['a', 1]],
    no: [
      [1, 'a'],
      ['a', 1, 2],
    ],
  },
  'tuples of draft 7': {
    schema: { type: 'array', items: [string], additionalItems: integer },
    yes: [['a'], ['a', 1, 2]],
    no: [['a', 'b']],
  },
  'unique values of an enum': {
    schema: { type: 'array', items: { enum: [1, 10, 'a'] }, uniqueItems: true, minItems: 1 },
    yes: [[1], [1, 10], [1, 10, 'a'], [10, 'a']],
    no: [[], [1, 1], [2]],
  },
  'lengths in code points': {
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    yes: ['ab', '😀😀😀', '\n"\\'],
    no: ['a', 'abcd'],
  },
  'long strings': {
    schema: { type: 'string', maxLength: 3000 },
    yes: ['', 'x'.repeat(999), 'x'.repeat(3000)],
    no: ['x'.repeat(3001)],
  },
  'long minimum': {
    schema: { type: 'string', minLength: 2500, maxLength: 2600 },
    yes: ['x'.repeat(2500), 'x'.repeat(2600)],
    no: ['x'.repeat(2499), 'x'.repeat(2601)],
  },
  'many items': {
    schema: { type: 'array', items: integer, maxItems: 2100 },
    yes: [[], Array.from({ length: 2100 }, () => 1)],
    no: [Array.from({ length: 2101 }, () => 1)],
  },
  patterns: {
    schema: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
    yes: ['AB-1', 'ZZ-123456'],
    no: ['ab-1', 'AB-', 'xAB-1', 'AB-1x'],
  },
  'patterns are found anywhere': {
    schema: { type: 'string', pattern: 'b+' },
    yes: ['b', 'abba'],
    no: ['a', ''],
  },
  'patterns with characters to escape': {
    schema: { type: 'string', pattern: '^["\\\\\\n]+$' },
    yes: ['"\\\n'],
    no: ['a'],
  },
  'patterns with lookaheads': {
    schema: { type: 'string', pattern: '^(?=.*\\d)(?!.*foo)[a-z\\d]{3,6}$' },
    yes: ['ab1', '123456'],
    no: ['abc', 'foo1', 'a1'],
  },
  'patterns with lengths': {
    schema: { type: 'string', pattern: '^a*$', minLength: 2, maxLength: 4 },
    yes: ['aa', 'aaaa'],
    no: ['a', 'aaaaa'],
  },
  dates: {
    schema: { type: 'string', format: 'date' },
    yes: ['2024-02-29', '2000-02-29', '2023-12-31'],
    no: ['2023-02-29', '1900-02-29', '2024-13-01', '2024-04-31'],
  },
  times: {
    schema: { type: 'string', format: 'date-time' },
    yes: ['2024-02-29T23:59:59Z', '2024-01-01T00:00:00.123+02:00'],
    no: ['2024-01-01 00:00:00Z', '2024-01-01T24:00:00Z', '2024-01-01T00:00:00'],
  },
  addresses: {
    schema: { type: 'string', format: 'email' },
    yes: ['a.b+c@ex-ample.co.uk'],
    no: ['a@b', '@b.co', 'a..b@c.de'],
  },
  uuids: {
    schema: { type: 'string', format: 'uuid' },
    yes: ['123e4567-e89b-12d3-a456-426614174000'],
    no: ['123e4567'],
  },
  uris: {
    schema: { type: 'string', format: 'uri' },
    yes: ['https://example.com/a?b=c&d=%20#e', 'urn:isbn:123', 'mailto:a@b.co'],
    no: ['example.com', 'http://a b'],
  },
  ipv4: {
    schema: { type: 'string', format: 'ipv4' },
    yes: ['127.0.0.1', '255.255.255.255'],
    no: ['256.1.1.1', '1.1.1', '01.1.1.1'],
  },
  'integers with bounds': {
    schema: { type: 'integer', minimum: -12, exclusiveMaximum: 345 },
    yes: [-12, -1, 0, 9, 99, 344],
    no: [-13, 345, 1000],
    noTexts: ['-0', '007', '1.0'],
  },
  'bounds as in draft 4': {
    schema: { type: 'integer', minimum: 1, exclusiveMinimum: true },
    yes: [2],
    no: [1],
  },
  multiples: {
    schema: { type: 'integer', multipleOf: 7, minimum: -21, maximum: 21 },
    yes: [-21, -7, 0, 14, 21],
    no: [1, -8, 28],
  },
  'numbers with bounds': {
    schema: { type: 'number', minimum: -0.5, maximum: 1.25 },
    yes: [-0.5, 0, 0.75, 1.25, 1],
    no: [-0.51, 1.3, 2],
    yesTexts: ['1.2500'],
    noTexts: ['1.25001'],
  },
  'numbers strictly above': {
    schema: { type: 'number', exclusiveMinimum: 0 },
    yes: [0.001, 12345],
    no: [0, -1],
    noTexts: ['0.0'],
  },
  anyOf: { schema: { anyOf: [string, { type: 'integer', minimum: 5 }] }, yes: ['a', 5], no: [4, null] },
  'oneOf with branches apart': {
    schema: {
      oneOf: [
        object({ k: { const: 'a' }, x: integer }, { required: ['k'] }),
        object({ k: { const: 'b' } }, { required: ['k'] }),
      ],
    },
    yes: [{ k: 'a', x: 1 }, { k: 'b' }],
    no: [{ k: 'b', x: 1 }, { k: 'c' }],
  },
  'oneOf with branches that overlap': {
    schema: {
      oneOf: [
        { type: 'integer', minimum: 0 },
        { type: 'integer', maximum: 10 },
      ],
    },
    yes: [-5, 11],
    no: [0, 5, 10],
  },
  'oneOf over required properties': {
    schema: object({ a: string, b: string }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    yes: [{ a: 'x' }, { b: 'x' }],
    no: [{}, { a: 'x', b: 'x' }],
  },
  allOf: {
    schema: { allOf: [object({ a: string }, { required: ['a'] }), object({ b: integer })] },
    yes: [{ a: 'x' }, { a: 'x', b: 1 }],
    no: [{ b: 1 }],
  },
  not: { schema: { type: 'string', not: { enum: ['a', 'b'] } }, yes: ['c', '', 'ab'], no: ['a', 'b'] },
  'if, then, else': {
    schema: object(
      { k: { enum: ['a', 'b'] }, x: integer },
      {
        required: ['k'],
        if: { properties: { k: { const: 'a' } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { required: ['x'] },
        else: { properties: { x: false } },
      },
    ),
    yes: [{ k: 'a', x: 1 }, { k: 'b' }],
    no: [{ k: 'a' }, { k: 'b', x: 1 }],
  },
  'references and recursion': {
    schema: {
      $ref: '#/$defs/node',
      $defs: {
        node: object(
          { v: integer, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
          { required: ['v', 'next'] },
        ),
      },
    },
    yes: [
      { v: 1, next: null },
      { v: 1, next: { v: 2, next: null } },
    ],
    no: [{ v: 1 }],
  },
  'siblings of a reference': {
    schema: { $ref: '#/definitions/n', maximum: 5, definitions: { n: { type: 'integer', minimum: 3 } } },
    yes: [3, 5],
    no: [2, 6],
  },
  'pointers with escapes, anchors and identifiers': {
    schema: {
      $id: 'https://a.b/root',
      ...object({ x: { $ref: '#/$defs/a~1b%20c' }, y: { $ref: '#here' }, z: { $ref: 'other' } }),
      $defs: { 'a/b c': integer, h: { $anchor: 'here', type: 'null' }, o: { $id: 'other', type: 'boolean' } },
    },
    yes: [{ x: 1, y: null, z: true }],
    no: [{ x: 'a' }, { y: 1 }, { z: 1 }],
  },
  'properties named like those of every object': {
    schema: object({ constructor: integer, toString: string, 'a"b\\': integer, '': integer }),
    yes: [{ constructor: 1 }, { toString: 'x' }, { 'a"b\\': 1, '': 2 }],
    no: [{ constructor: 'x' }],
  },
  annotations: {
    schema: {
      title: 't',
      description: 'd',
      default: 1,
      examples: [1],
      deprecated: true,
      readOnly: true,
      $comment: 'c',
      'x-any': {},
      type: 'integer',
    },
    yes: [1],
  },
};

describe('what llama.cpp accepts', () => {
  it.each(Object.entries(cases))(
    '%s',
    (_name, { schema, yes = [], no = [], yesTexts = [], noTexts = [] }) => {
      const { accepts } = engine(schemaGrammar(schema));
      for (const text of [...yes.flatMap(written), ...yesTexts])
        expect(accepts(text), text.slice(0, 100)).toBe(true);
      for (const text of [...no.flatMap(written), ...noTexts])
        expect(accepts(text), text.slice(0, 100)).toBe(false);
    },
  );

  it('takes json_object for any object and nothing else', () => {
    const { accepts } = engine(grammarText(jsonObject.rootRule, jsonObject.rules));
    for (const value of [{}, { a: [1, { b: null }] }]) expect(accepts(JSON.stringify(value))).toBe(true);
    for (const text of ['[]', '1', '{"a":}', '{} ', '{  }']) expect(accepts(text), text).toBe(false);
  });

  it('joins the rules of several schemas into one grammar', () => {
    const tools = [
      object({ q: string }, { required: ['q'] }),
      object({ n: { type: 'integer', minimum: 1, maximum: 5 } }),
    ];
    const compiled = tools.map((schema, index) => compileSchema(schema, { prefix: `tool-${index}-` }));
    const calls = compiled.map(
      ({ rootRule }, index) => `${gbnfLiteral(`<call>{"name": "t${index}", "arguments": `)} ${rootRule} "}"`,
    );
    const rules = new Map(compiled.flatMap((one) => [...one.rules]));
    const { accepts } = engine(grammarText(calls.join(' | '), rules));
    expect(accepts('<call>{"name": "t0", "arguments": {"q":"x"}}')).toBe(true);
    expect(accepts('<call>{"name": "t1", "arguments": {"n": 5}}')).toBe(true);
    expect(accepts('<call>{"name": "t1", "arguments": {"q": "x"}}')).toBe(false);
  });
});

const written = (value: unknown): readonly string[] => {
  const compact = JSON.stringify(value);
  const spaced = JSON.stringify(value, null, 1)
    .replaceAll(/,\n\s*/g, ', ')
    .replaceAll(/\n\s*/g, '');
  return typeof value === 'object' ? [compact, spaced] : [compact];
};
