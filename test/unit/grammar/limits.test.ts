import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { compileSchema } from '../../../src/grammar/compile-schema.ts';
import { GrammarCache } from '../../../src/engine/sandbox/do-job.ts';
import { gbnfClass, gbnfLiteral } from '../../../src/grammar/gbnf.ts';
import { schemaGrammar } from './schema-grammar.ts';
import { openGrammarEngine, type EngineGrammar } from '../../support/grammar/grammar-engine.ts';

let engine: (grammar: string) => EngineGrammar;
beforeAll(async () => {
  engine = await openGrammarEngine();
});

const many = (count: number, value: (index: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value(index)]));
const list = (count: number, value: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, index) => value(index));
const next = (index: number, count: number, by: (ref: unknown) => unknown): unknown =>
  index === count - 1 ? { type: 'integer' } : by({ $ref: `#/$defs/p${index + 1}` });
const chain = (count: number, by: (ref: unknown) => unknown) => ({
  $ref: '#/$defs/p0',
  $defs: many(count, (index) => next(index, count, by)),
});

function nested(depth: number): unknown {
  let schema: unknown = { type: 'integer' };
  for (let level = 0; level < depth; level++) schema = { type: 'array', items: schema };
  return schema;
}

/** Schemas made to be expensive: each must be converted or refused, and soon. */
const hostile: Record<string, unknown> = {
  deep: nested(5_000),
  wide: { type: 'object', properties: many(3_000, () => ({ type: 'string' })) },
  'many optional properties beside others': {
    type: 'object',
    properties: many(200, () => ({ type: 'string' })),
    additionalProperties: true,
  },
  'a long chain of references': chain(4_000, (ref) => ref),
  'a long chain of arrays': chain(1_000, (items) => ({ type: 'array', items })),
  'doubling by anyOf': chain(40, (ref) => ({ anyOf: [ref, { ...(ref as object) }] })),
  'doubling by allOf': chain(60, (ref) => ({ allOf: [ref, { ...(ref as object) }] })),
  'doubling by properties': chain(60, (ref) => ({ type: 'object', properties: { a: ref, b: ref } })),
  'a product of choices': {
    allOf: list(12, (i) => ({
      anyOf: list(6, (j) => ({ properties: { [`k${i}`]: { const: j } }, required: [`k${i}`] })),
    })),
  },
  'overlapping branches': {
    oneOf: list(40, (i) => ({
      type: 'object',
      properties: { [`a${i}`]: { type: 'string' }, b: { type: 'integer' } },
      required: ['b'],
    })),
  },
  'a large enum': { enum: list(5_000, (i) => `value ${i * 7919}`) },
  'an exponential pattern': { type: 'string', pattern: '^(a|b)*a(a|b){20}$' },
  'nested repetitions': { type: 'string', pattern: '^(([a-z]{1,50}-){1,50}[0-9]{1,50}){1,50}$' },
  'many lookaheads': {
    type: 'string',
    pattern: `^${list(14, (i) => `(?=.*${String.fromCharCode(97 + i)})`).join('')}.*$`,
  },
  'nested large arrays': {
    type: 'array',
    maxItems: 100_000,
    items: { type: 'array', maxItems: 100_000, items: { type: 'string', maxLength: 100_000 } },
  },
  'huge numbers': {
    type: 'object',
    properties: {
      a: { type: 'number', minimum: -1e308, maximum: 1e300 },
      b: { type: 'integer', minimum: 1e-300 },
    },
  },
};

describe('expensive schemas', () => {
  it.each(Object.entries(hostile))('%s: converted or refused', (_name, schema) => {
    const before = process.cpuUsage();
    try {
      const grammar = schemaGrammar(schema);
      expect(grammar.length).toBeLessThan(600_000);
      engine(grammar);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
    }
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(4_000);
  });

  it('get no rule whose parentheses nest deeply', () => {
    const names = list(60, (index) => 'a'.repeat(index + 1));
    const grammar = schemaGrammar({ enum: names });
    const { accepts } = engine(grammar);
    for (const name of names) expect(accepts(JSON.stringify(name))).toBe(true);
    expect(accepts(JSON.stringify('a'.repeat(61)))).toBe(false);
    let deepest = 0;
    let depth = 0;
    for (const char of grammar) {
      if (char === '(') depth += 1;
      if (char === ')') depth -= 1;
      deepest = Math.max(deepest, depth);
    }
    expect(deepest).toBeLessThan(10);
  });
});

describe('GrammarCache', () => {
  it('gives the same result for the same JSON, and keeps the order of properties apart', () => {
    const cache = new GrammarCache(2);
    const make = () => ({ type: 'object', properties: { a: {}, b: {} } });
    const first = cache.compile('key', make());
    expect(cache.compile('key', make())).toBe(first);
    expect(cache.compile('key', { type: 'object', properties: { b: {}, a: {} } })).not.toBe(first);
    expect(cache.compile('key', make(), { prefix: 'p-' })).not.toBe(first);
    expect(cache.compile('another', make())).not.toBe(first);
    // Others came in between: the first is gone.
    expect(cache.compile('key', make())).not.toBe(first);
    expect(cache.compile('key', make()).rules).toEqual(first.rules);
  });

  it('refuses again what it refused before', () => {
    const cache = new GrammarCache();
    for (let count = 0; count < 2; count++)
      expect(() => cache.compile('key', { type: 'x' })).toThrow(AppError);
  });
});

describe('texts for GBNF', () => {
  it('match themselves', () => {
    const text = 'a"b\\c\n\r\t\u0001é😀[]-^ <tool_call>';
    const { accepts } = engine(`root ::= ${gbnfLiteral(text)}\n`);
    expect(accepts(text)).toBe(true);
    expect(accepts(`${text} `)).toBe(false);
  });

  it('name the characters of a class', () => {
    const chars = Array.from('"\\]^-[a\n😀é');
    const set = chars.map((char) => char.codePointAt(0) ?? 0).sort((a, b) => a - b);
    const { accepts } = engine(`root ::= ${gbnfClass(set.flatMap((char) => [char, char]))}\n`);
    for (const char of chars) expect(accepts(char), char).toBe(true);
    for (const char of ['b', '/', '`']) expect(accepts(char), char).toBe(false);
  });

  it('refuse what no text can be', () => {
    expect(() => gbnfLiteral('\ud800')).toThrow(RangeError);
  });
});

describe('compileSchema', () => {
  it('names rules after the properties and puts the prefix before all but the primitive ones', () => {
    const { rules, rootRule } = compileSchema(
      {
        type: 'object',
        properties: {
          birthDate: { type: 'string', format: 'date' },
          age: { type: 'integer', minimum: 0, maximum: 9 },
        },
      },
      { prefix: 't0-' },
    );
    expect(rootRule).toMatch(/^t0-document/);
    expect([...rules.keys()].some((name) => name.startsWith('t0-date'))).toBe(true);
    for (const name of rules.keys())
      expect(name).toMatch(/^(t0-[a-z0-9-]+|ws|null|boolean|number|integer|string|char|escape|unicode|hex)$/);
  });

  it('is the same at every call', () => {
    const schema = {
      anyOf: [
        { type: 'object', properties: { a: {}, b: { enum: [1, 2] } } },
        { type: 'string', pattern: '^a+$' },
      ],
    };
    expect([...compileSchema(schema).rules]).toEqual([...compileSchema(structuredClone(schema)).rules]);
  });
});
