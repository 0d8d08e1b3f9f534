import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { compileSchema, type CompileOptions } from '../../../src/grammar/compile-schema.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const string = { type: 'string' };
const integer = { type: 'integer' };

const refused: readonly (readonly [param: string | null, schema: unknown])[] = [
  [null, false],
  [null, 5],
  [null, 'x'],
  ['properties.age.multipleOf', object({ age: { type: 'number', multipleOf: 0.1 } })],
  ['properties.tags.uniqueItems', object({ tags: { type: 'array', uniqueItems: true, minItems: 9 } })],
  ['items.maxContains', { items: { type: 'array', contains: integer, maxContains: 2 } }],
  ['contains', { type: 'array', prefixItems: [string], contains: integer }],
  ['contains', { type: 'array', items: string, uniqueItems: true, contains: { const: 'a' } }],
  ['properties.name.required', object({ name: { type: 'string', required: true } })],
  ['items.enum', { type: 'array', items: { type: 'string', enum: 'a' } }],
  ['$defs.a.pattern', { $ref: '#/$defs/a', $defs: { a: { type: 'string', pattern: '(a)\\1' } } }],
  ['pattern', { type: 'string', pattern: '\\bword\\b' }],
  ['pattern', { type: 'string', pattern: '(?<=a)b' }],
  ['pattern', { type: 'string', pattern: '(a' }],
  ['pattern', { type: 'string', pattern: '.*a.{30}b' }],
  ['$dynamicRef', { $dynamicRef: '#a' }],
  ['items.divisibleBy', { type: 'array', items: { divisibleBy: 2 } }],
  ['$ref', { $ref: '#/$defs/none' }],
  ['$ref', { $ref: 'https://example.com/schema.json' }],
  ['$ref', { $ref: '#' }],
  ['$ref', object({ self: { $ref: '#' } }, { required: ['self'] })],
  ['type', { type: 'text' }],
  ['required', { type: 'object', required: true }],
  ['minLength', { type: 'string', minLength: -1 }],
  ['minLength', { type: 'string', minLength: 20_000 }],
  ['minLength', { type: 'string', minLength: 5, maxLength: 3 }],
  ['properties.a.minimum', object({ a: { type: 'integer', minimum: 5, maximum: 3 } }, { required: ['a'] })],
  ['required', object({ a: integer }, { required: ['b'], additionalProperties: false })],
  ['minProperties', { type: 'object', additionalProperties: integer, minProperties: 3 }],
  ['multipleOf', { type: 'integer', multipleOf: 100_000 }],
  ['multipleOf', { type: 'number', multipleOf: 1.25 }],
  ['minimum', { type: 'integer', minimum: 1e18 }],
  ['allOf', { allOf: [string, integer] }],
  ['not', { not: { type: 'array', prefixItems: [string] }, type: 'array' }],
];

/** Misspelt keywords: errors in a strict schema, annotations in others. */
const misspelt: typeof refused = [
  ['properties.s.minLenght', object({ s: { type: 'string', minLenght: 1 } })],
  ['requires', { requires: ['a'] }],
  ['requried', object({ a: string }, { requried: ['a'] })],
  ['additionalproperties', object({ a: string }, { additionalproperties: false })],
  ['items.minLenght', { type: 'array', items: { type: 'string', minLenght: 3 } }],
  ['max_length', { type: 'string', max_length: 3 }],
];

describe('what is an annotation', () => {
  it.each([
    'title',
    '$comment',
    'deprecated',
    'x-order',
    'markdownDescription',
    'discriminator',
    'contentEncoding',
    'xml',
    'id',
    'example',
    'examples',
  ])('%s', (keyword) => {
    expect(compileSchema({ type: 'null', [keyword]: 'any' }).rules.get('document')).toBe('"null"');
  });
});

describe('what nobody knows', () => {
  it.each(['self', 'mystery', 'group', '_format', 'min'])('is ignored and named: %s', (keyword) => {
    const { rules, ignored } = compileSchema({ type: 'null', [keyword]: 'any' });
    expect(rules.get('document')).toBe('"null"');
    expect(ignored).toEqual([keyword]);
  });

  it('is named by its path, formats and parts of a negation included', () => {
    const { ignored } = compileSchema({
      $defs: { zip: { type: 'string', format: 'zip-code' }, unused: { mystery: 1 } },
      type: 'object',
      properties: { zip: { $ref: '#/$defs/zip' }, n: { not: { type: 'null', mystery: 1 } } },
      anyOf: [{ alien: 1 }, { alien: 2 }],
    });
    expect(ignored.toSorted()).toEqual([
      '$defs.zip.format',
      'anyOf[0].alien',
      'anyOf[1].alien',
      'properties.n.not.mystery',
    ]);
  });

  it('is named twenty times at most', () => {
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, { mystery: at }]));
    expect(compileSchema({ type: 'object', properties }).ignored).toHaveLength(20);
  });
});

describe('what is nearly a keyword', () => {
  it.each(misspelt)('is ignored and named: %s', (param, schema) => {
    expect(compileSchema(schema).ignored).toEqual([param]);
  });

  it.each(misspelt)('is refused in a strict schema: %s', (param, schema) => {
    const error = refusalOf(schema, { strict: true });
    expect([error.code, error.param]).toEqual(['invalid_json_schema', param]);
    expect(error.message).toMatch(/write '\w+'/);
  });
});

describe('what is refused', () => {
  it.each(refused)('at %s', (param, schema) => {
    const error = refusalOf(schema);
    expect([error.code, error.param]).toEqual(['invalid_json_schema', param]);
    expect(error.message.length).toBeGreaterThan(20);
  });
});

function refusalOf(schema: unknown, options: CompileOptions = {}): AppError {
  try {
    compileSchema(schema, options);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The schema was not refused.');
}
