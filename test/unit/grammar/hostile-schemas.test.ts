import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { compileSchema } from '../../../src/grammar/compile-schema.ts';
import { limits } from '../../../src/grammar/budget/limits.ts';
import { Work } from '../../../src/grammar/budget/work.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const list = (count: number, value: (at: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, at) => value(at));
const named = (count: number, value: (at: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, value(at)]));
const pattern = (one: string) => ({ type: 'string', pattern: one });
const letter = (at: number): string => String.fromCodePoint(0x61 + at);
const choices = (depth: number, width: number, path = ''): unknown =>
  depth === 0
    ? { type: 'object', properties: { [`k${path}`]: text } }
    : { oneOf: list(width, (at) => choices(depth - 1, width, `${path}_${at}`)) };
const untagged = (count: number, at: number) => ({
  oneOf: list(count, (branch) => ({
    type: 'object',
    properties: { [`a${at}_${branch}`]: text, b: whole },
    required: ['b'],
  })),
});
const condition = (at: number) => ({
  if: { properties: { [`a${at}`]: { const: at } }, required: [`a${at}`] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: [`b${at}`] },
  else: { required: [`c${at}`] },
});
const tagged = (count: number) => ({
  oneOf: list(count, (at) => ({
    type: 'object',
    properties: { kind: { const: `k${at}` }, value: text },
    required: ['kind'],
  })),
});
const slowName = `${'a'.repeat(60)}!`;

/** Steps of about 100 ns each that a schema which is honoured may take; `refused` ones end within the limit. */
const schemas: Readonly<Record<string, readonly [outcome: number | 'refused', schema: unknown]>> = {
  'repetitions inside repetitions': [2_500_000, pattern('^((a{1,14}){1,14}){1,14}$')],
  'longer ones': [2_500_000, pattern('^((a{1,30}){1,30}){1,30}$')],
  'repetitions that overlap': [4_000_000, pattern('^(((a|b|c){1,30}x?){1,30}y?){1,30}$')],
  'many optional letters': [2_500_000, pattern(`^${'\\p{L}?'.repeat(300)}$`)],
  'optional letters of several kinds': [5_000_000, pattern(`^${'\\p{L}?\\p{Lu}?\\p{N}?\\w?'.repeat(40)}$`)],
  'an automaton that doubles': ['refused', pattern('^(a|b)*a(a|b){20}$')],
  'many lookaheads': ['refused', pattern(`^${list(14, (at) => `(?=.*${letter(at)})`).join('')}.*$`)],
  'many Unicode properties': [
    'refused',
    pattern(
      `[${'L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs C Cc Cf Co sc=Latin sc=Greek sc=Thai sc=Han sc=Lao sc=Yi scx=Han scx=Lao scx=Yi'.replaceAll(/\S+/g, '\\p{$&}').replaceAll(' ', '')}]`,
    ),
  ],
  'a pattern that takes V8 for ever': ['refused', { ...pattern('^(a+)+$'), enum: [slowName] }],
  'the same beside a value that matches': [100_000, { ...pattern('^(a+)+$'), enum: [slowName, 'aa'] }],
  'the same for names of properties': [
    1_000_000,
    {
      type: 'object',
      properties: { [slowName]: text },
      patternProperties: { '^(a+)+$': text, '(.*)*z': whole },
    },
  ],
  'the same for a long name': [
    6_000_000,
    {
      type: 'object',
      properties: { [`${'a'.repeat(50_000)}!`]: text },
      patternProperties: { '^(a+)+$': text },
      additionalProperties: false,
    },
  ],
  'many values under many patterns': [
    'refused',
    {
      enum: list(20_000, (at) => `value${at}`),
      allOf: list(50, (at) => ({ pattern: `^(v|va)*.*u.*[0-9]{${at % 3}}` })),
    },
  ],
  'objects of untagged choices': [
    'refused',
    { type: 'object', properties: named(30, (at) => untagged(20, at)) },
  ],
  'choices inside choices': ['refused', choices(2, 10)],
  'an enum of objects': [1_500_000, { enum: list(8_000, (at) => ({ id: at, name: `n${at}` })) }],
  'two enums of objects': [
    1_500_000,
    { allOf: [{ enum: list(6_000, (id) => ({ id })) }, { enum: list(6_000, (id) => ({ id })) }] },
  ],
  'a long const without repetitions': [
    1_000_000,
    { const: list(40_000, (at) => `s${at}`), uniqueItems: true },
  ],
  'a long const with a repetition': [
    'refused',
    { const: list(20_000, (at) => [at % 19_999]), uniqueItems: true },
  ],
  'many conditions': ['refused', { allOf: list(25, condition) }],
  'many tagged branches': [2_000_000, tagged(900)],
  'many constants to choose from': [1_000_000, { oneOf: list(500, (id) => ({ const: { id } })) }],
  'many excluded numbers': ['refused', { type: 'number', not: { enum: list(3_000, (at) => at * 1.5) } }],
  'many excluded texts': [6_000_000, { type: 'string', not: { enum: list(9_000, (at) => `v${at}`) } }],
  'many divisors': [
    'refused',
    { type: 'integer', allOf: list(20, (at) => ({ multipleOf: at + 2 })), minimum: 3 },
  ],
  'names under patterns that overlap': [
    'refused',
    {
      type: 'object',
      patternProperties: Object.fromEntries(
        list(40, (at) => [`${letter(at % 26)}.*${at}`, text]) as [string, unknown][],
      ),
    },
  ],
  'references that double': [
    'refused',
    {
      $ref: '#/$defs/p0',
      enum: [1],
      $defs: {
        ...named(60, (at) => ({
          allOf: [{ $ref: `#/$defs/p${at + 1}` }, { $ref: `#/$defs/p${at + 1}`, title: 'x' }],
        })),
        p60: whole,
      },
    },
  ],
  'a recursive choice': [
    'refused',
    {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          oneOf: list(15, (at) => ({
            type: 'object',
            properties: { [`a${at}`]: { $ref: '#/$defs/node' }, next: { $ref: '#/$defs/node' } },
            required: ['next'],
          })),
        },
      },
    },
  ],
  'one large schema for many lists': [
    'refused',
    {
      $defs: { large: { type: 'object', properties: named(2_000, () => text) } },
      type: 'object',
      properties: named(500, () => ({ type: 'array', uniqueItems: true, items: { $ref: '#/$defs/large' } })),
    },
  ],
  'evaluated again and again': [
    'refused',
    {
      type: 'object',
      unevaluatedProperties: false,
      allOf: list(60, (at) => ({ properties: named(40, () => text), ...condition(at) })),
    },
  ],
  'many long texts': ['refused', { anyOf: list(900, (at) => ({ type: 'string', maxLength: at + 1 })) }],
  'many texts of one length': [
    1_000_000,
    {
      type: 'array',
      items: {
        anyOf: list(200, (at) => ({
          type: 'object',
          properties: { [`k${at}`]: { type: 'string', maxLength: 1_000 } },
        })),
      },
    },
  ],
  'many ranges of numbers': [
    'refused',
    {
      type: 'object',
      properties: named(400, (at) => ({ minimum: at * 1.2345678, maximum: 1e6 + at * 3.3333 })),
    },
  ],
};

describe('schemas that are made to be expensive', () => {
  it.each(Object.entries(schemas))('%s', (_name, [outcome, schema]) => {
    const work = new Work();
    const error = refusalOf(schema, work);
    if (outcome === 'refused') {
      expect(['invalid_json_schema', 'schema_too_complex']).toContain(error?.code);
      // The last count may be of a large piece.
      expect(work.spent).toBeLessThan(1.1 * limits.work);
    } else {
      expect(error).toBeUndefined();
      expect(work.spent).toBeLessThan(outcome);
    }
  });

  it('say which keyword cost most', () => {
    const error = refusalOf(
      { type: 'object', properties: { a: text, b: { allOf: list(25, condition) } } },
      new Work(),
    );
    expect([error?.code, error?.param]).toEqual(['schema_too_complex', 'properties.b.allOf[0].if']);
    expect(error?.message).toContain("most of it for 'if' at 'properties.b.allOf[0].if'");
  });

  it('end as soon as the work that they are given is done', () => {
    const work = new Work(10_000);
    expect(refusalOf(tagged(300), work)?.code).toBe('schema_too_complex');
    expect(work.spent).toBeLessThan(20_000);
  });
});

function refusalOf(schema: unknown, work: Work): AppError | undefined {
  try {
    compileSchema(schema, { work });
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
