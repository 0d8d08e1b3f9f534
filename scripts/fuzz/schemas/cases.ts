import * as fc from 'fast-check';
import type { Random } from '../../../test/support/grammar/gbnf-sampler.ts';
import { schemas } from '../../../test/support/grammar/random-schemas.ts';
import { hostilePattern, pick, randomPattern } from './patterns.ts';

export interface FuzzCase {
  /** A name for schemas of this kind in the report. */
  readonly family: string;
  readonly schema: unknown;
}

const list = <T>(count: number, item: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => item(at));
const named = (count: number, value: (at: number) => unknown, prefix = 'p'): Record<string, unknown> =>
  Object.fromEntries(list(count, (at) => [`${prefix}${at}`, value(at)]));
const text = { type: 'string' };
const whole = { type: 'integer' };

type Family = (size: (most: number) => number, random: Random) => unknown;

/** Kinds of schemas that are made to be expensive; `size(n)` is a number from 1 to n, small ones more often. */
const families: Readonly<Record<string, Family>> = {
  'a pattern': (_size, random) => ({ type: 'string', pattern: hostilePattern(random) }),
  'a pattern with lengths': (size, random) => ({
    type: 'string',
    pattern: randomPattern(random),
    minLength: size(2_000),
    maxLength: 2_000 + size(2_000),
  }),
  'patterns together': (size, random) => ({
    allOf: list(size(20), () => ({ type: 'string', pattern: hostilePattern(random) })),
  }),
  'a pattern excluded': (_size, random) => ({ type: 'string', not: { pattern: randomPattern(random) } }),
  'an enum under patterns': (size, random) => ({
    enum: list(size(20_000), (at) => (at % 3 === 0 ? 'a'.repeat(at % 90) : `value${at}!`)),
    allOf: list(size(50), () => ({ pattern: hostilePattern(random) })),
  }),
  'an enum of objects': (size) => ({ enum: list(size(9_000), (at) => ({ id: at, tags: [at, `t${at}`] })) }),
  'a large array as const': (size) => ({ const: list(size(40_000), (at) => `s${at}`), uniqueItems: true }),
  'enums excluded': (size) => ({ type: 'string', not: { enum: list(size(9_000), (at) => `v${at * 7919}`) } }),
  'names under patterns': (size, random) => ({
    type: 'object',
    properties: { ['a'.repeat(size(5_000))]: text, ...named(size(200), () => text, 'name_') },
    patternProperties: Object.fromEntries(list(size(12), () => [hostilePattern(random), whole])),
    additionalProperties: pick(random, [true, false, whole]),
  }),
  'oneOf without tags': (size) => ({
    oneOf: list(size(60), (at) => ({
      type: 'object',
      properties: { [`k${at}`]: text, b: whole },
      required: ['b'],
    })),
  }),
  'oneOf with tags': (size) => ({
    oneOf: list(size(900), (at) => ({
      type: 'object',
      properties: { kind: { const: `k${at}` } },
      required: ['kind'],
    })),
  }),
  'oneOf inside objects': (size) => {
    const branches = size(20);
    return {
      type: 'object',
      properties: named(size(40), (outer) => ({
        oneOf: list(branches, (at) => ({
          type: 'object',
          properties: { [`a${outer}_${at}`]: text, b: whole },
        })),
      })),
    };
  },
  'oneOf inside oneOf': (size) => nested(size(4), size(10), 'oneOf'),
  'anyOf inside anyOf': (size) => nested(size(5), size(8), 'anyOf'),
  'ifs beside each other': (size) => ({
    allOf: list(size(40), (at) => ({
      if: { properties: { [`a${at}`]: { const: at } }, required: [`a${at}`] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: [`b${at}`] },
      else: { required: [`c${at}`] },
    })),
  }),
  'ifs inside each other': (size) => ifs(size(12)),
  'choices that multiply': (size) => {
    const options = size(8);
    return {
      allOf: list(size(14), (at) => ({
        anyOf: list(options, (value) => ({
          properties: { [`k${at}`]: { const: value } },
          required: [`k${at}`],
        })),
      })),
    };
  },
  'references that double': (size, random) => {
    const [keyword, count] = [pick(random, ['allOf', 'anyOf', 'oneOf'] as const), size(60)];
    const $defs = named(count, (at) => ({
      [keyword]: [{ $ref: `#/$defs/p${at + 1}` }, { $ref: `#/$defs/p${at + 1}`, title: 'x' }],
    }));
    return {
      $ref: '#/$defs/p0',
      $defs: { ...$defs, [`p${count}`]: pick(random, [text, { enum: ['a', 1] }, {}]) },
    };
  },
  'lists without repetitions': (size) => {
    let schema: unknown = text;
    for (let level = size(14); level > 0; level--)
      schema = {
        type: 'array',
        uniqueItems: true,
        items: { type: 'object', properties: { a: schema, b: schema } },
      };
    return schema;
  },
  'many properties': (size, random) => ({
    type: 'object',
    properties: named(size(3_000), (at) => ({ type: 'string', maxLength: at })),
    additionalProperties: random() < 0.5,
    minProperties: random() < 0.5 ? size(200) : 0,
  }),
  numbers: (size, random) => ({
    type: 'object',
    properties: named(size(400), (at) => ({
      type: pick(random, ['integer', 'number']),
      minimum: (random() - 0.5) * 10 ** size(16),
      multipleOf: pick(random, [1, 7, 31, 997, 0.5, 0.01, 1e-7]),
      maximum: 10 ** 16 + at,
    })),
  }),
  divisors: (size) => ({ type: 'integer', allOf: list(size(20), (at) => ({ multipleOf: at + 2 })) }),
  dependencies: (size) => ({
    type: 'object',
    properties: named(size(60), () => text),
    dependentRequired: named(size(16), (at) => [`p${at + 1}`]),
    dependentSchemas: named(size(6), (at) => ({ properties: { [`q${at}`]: whole } })),
  }),
  'unevaluated properties': (size) => {
    const properties = named(size(40), () => text);
    return { type: 'object', unevaluatedProperties: false, allOf: list(size(60), () => ({ properties })) };
  },
  'nots inside each other': (size) => {
    let schema: unknown = { type: 'object', properties: named(size(20), () => text), required: ['p0'] };
    for (let level = size(30); level > 0; level--) schema = { not: { anyOf: [schema, { type: 'null' }] } };
    return schema;
  },
  'lists that contain': (size) => ({
    type: 'array',
    contains: { type: 'object', properties: named(size(50), () => text) },
    minContains: size(50),
    maxItems: size(3_000),
  }),
};

function nested(depth: number, width: number, keyword: string, path = ''): unknown {
  if (depth === 0) return { type: 'object', properties: { [`k${path}`]: text } };
  return { [keyword]: list(width, (at) => nested(depth - 1, width, keyword, `${path}_${at}`)) };
}

function ifs(depth: number): unknown {
  if (depth === 0) return {};
  return {
    if: { properties: { [`a${depth}`]: { const: depth } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: ifs(depth - 1),
    else: ifs(depth - 1),
  };
}

/** Half of them random, half made to be expensive. */
export function nextCase(random: Random): FuzzCase {
  if (random() < 0.5) {
    const [schema] = fc.sample(schemas, { seed: Math.floor(random() * 2 ** 31), numRuns: 1 });
    return { family: 'random', schema };
  }
  const family = pick(random, Object.keys(families));
  const size = (most: number): number => Math.max(1, Math.ceil(most * random() ** 2));
  return { family, schema: families[family]?.(size, random) };
}
