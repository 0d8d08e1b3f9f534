import { fc } from '../properties.ts';

type Schema = Record<string, unknown> | boolean;

const names = ['a', 'b', 'ab', 'kind', 'x-y', 'é"\\'];
const name = fc.constantFrom(...names);
const patterns = [
  '^[a-z]+$',
  '^x-',
  '\\d{2,4}',
  '^(foo|bar)?$',
  '^(?!a).*$',
  '^[^"\\\\]{1,3}$',
  'a|^b$|c$',
  '^\\S+( \\S+)*$',
  '^[\\w.-]*$',
  '^\\p{L}{2}',
];
const formats = ['date', 'time', 'date-time', 'email', 'uuid', 'uri', 'ipv4', 'ipv6', 'hostname', 'duration'];
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 10, 'a', 'b', 'foo', '', 'é"\\'),
  fc.integer({ min: -200, max: 200 }),
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom([], {}, { a: 1 }, [1, 'a'], { kind: 'a', b: [null] }) },
);
const count = fc.integer({ min: 0, max: 4 });
const bound = fc.oneof(
  fc.integer({ min: -150, max: 150 }),
  fc.integer({ min: -2000, max: 2000 }).map((n) => n / 8),
  fc.integer({ min: -2000, max: 2000 }).map((n) => n / 1000),
);

/** A record of which every member may be absent. */
const some = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(model, { requiredKeys: [] });

const text = some({
  minLength: count,
  maxLength: fc.integer({ min: 0, max: 12 }),
  pattern: fc.constantFrom(...patterns),
}).map((keywords) => ({ type: 'string', ...keywords }));

const number = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    bounds: some({
      minimum: bound,
      maximum: bound,
      exclusiveMinimum: bound,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(1, 2, 3, 5, 10, 0.5, 1.5, 0.25, 0.1, 0.01),
    }),
  })
  .map(({ type, bounds }) => ({ type, ...keepAtMost(bounds, 2) }));

function keepAtMost(keywords: Record<string, unknown>, most: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(keywords).slice(0, most));
}

/** Schemas with all keywords that are honoured, some of them contradictory, referring to each other. */
export const schemas: fc.Arbitrary<Schema> = fc
  .letrec<{ schema: Schema; object: Schema; array: Schema; combined: Schema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      {
        weight: 3,
        arbitrary: fc.constantFrom({ type: 'boolean' }, { type: 'null' }, { type: 'string' }, true, {}),
      },
      { weight: 2, arbitrary: text },
      { weight: 2, arbitrary: number },
      { weight: 1, arbitrary: fc.constantFrom(...formats).map((format) => ({ type: 'string', format })) },
      {
        weight: 2,
        arbitrary: fc.array(value, { minLength: 1, maxLength: 5 }).map((values) => ({ enum: values })),
      },
      { weight: 1, arbitrary: value.map((one) => ({ const: one })) },
      { weight: 1, arbitrary: fc.constantFrom({ $ref: '#/$defs/one' }, { $ref: '#/$defs/two' }) },
      { weight: 1, arbitrary: fc.constant({ type: ['string', 'integer', 'null'] }) },
      { weight: 5, arbitrary: tie('object') },
      { weight: 3, arbitrary: tie('array') },
      { weight: 3, arbitrary: tie('combined') },
    ),
    object: some({
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 4 }),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      patternProperties: fc.dictionary(fc.constantFrom('^x-', '^[a-z]+$', 'b$'), tie('schema'), {
        maxKeys: 2,
      }),
      propertyNames: fc.constantFrom({ maxLength: 3 }, { pattern: '^[a-z-]+$' }, { enum: ['a', 'b', 'c'] }),
      minProperties: fc.integer({ min: 0, max: 2 }),
      maxProperties: fc.integer({ min: 1, max: 4 }),
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 }),
    }).map((keywords) => ({ type: 'object', ...keywords })),
    array: some({
      items: tie('schema'),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      minItems: count,
      maxItems: fc.integer({ min: 0, max: 5 }),
      uniqueItems: fc.boolean(),
      contains: tie('schema'),
      minContains: fc.integer({ min: 0, max: 2 }),
    }).map((keywords) => ({ type: 'array', ...keywords })),
    combined: fc
      .tuple(
        some({
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          not: tie('schema'),
          if: tie('schema'),
        }).map((keywords) => keepAtMost(keywords, 2)),
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        some({ then: tie('schema'), else: tie('schema') }),
        fc.oneof(fc.constant({}), tie('object'), text, number),
      )
      .map(([combination, branches, base]) => ({
        ...(typeof base === 'boolean' ? {} : base),
        ...combination,
        ...('if' in combination ? branches : {}),
      })),
  }))
  .schema.chain((schema): fc.Arbitrary<Schema> => {
    if (typeof schema === 'boolean') return fc.constant(schema);
    const definition = fc.constantFrom(
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/two' }, kind: { const: 'one' } },
        required: ['kind'],
      },
      { type: 'array', items: { $ref: '#/$defs/one' }, maxItems: 2 },
      { type: 'integer', minimum: 3 },
      { anyOf: [{ $ref: '#/$defs/two' }, { type: 'null' }] },
    );
    const other = fc.constantFrom(
      { type: 'string', maxLength: 3 },
      { type: 'object', properties: { b: { $ref: '#/$defs/one' } }, additionalProperties: false },
    );
    return fc.record({ one: definition, two: other }).map(($defs) => ({ ...schema, $defs }));
  });
