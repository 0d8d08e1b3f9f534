import { fc } from '../properties.ts';

export type BoundedSchema = Readonly<Record<string, unknown>>;

/** Texts that break careless readers of calls, the markers of the templates among them. */
const nastyTexts = [
  'a',
  'kilo gram',
  'say "hi"',
  "it's",
  '',
  '12',
  'true',
  'é 日本 😀',
  'a\nb',
  'C:\\n',
  '}]',
  '</tool_call>',
  '<tool_call>',
  '[TOOL_CALLS]',
  '{"name"',
];
const names = ['a', 'b', 'city', 'name', 'arguments', 'x-y', 'is_on', 'é', 'two words'];

const text = fc.record({ type: fc.constant('string'), maxLength: fc.nat(14) });
const choice = fc
  .uniqueArray(
    fc.oneof(fc.constantFrom<unknown>(...nastyTexts), fc.constantFrom<unknown>(null, true, 0, -1.5)),
    { minLength: 1, maxLength: 4 },
  )
  .map((values) => ({ enum: values }));
const count = fc
  .tuple(fc.integer({ min: -2000, max: 2000 }), fc.nat(3000), fc.constantFrom('integer', 'number'))
  .map(([minimum, range, type]) => ({ type, minimum, maximum: minimum + range }));
const formatted = fc.constantFrom(
  { type: 'string', format: 'date' },
  { type: 'string', format: 'uuid' },
  { type: 'string', pattern: '^[A-Z]{2}-\\d{1,4}$' },
);
const nested: fc.DepthIdentifier = fc.createDepthIdentifier();
const bounds = { depthIdentifier: nested, maxDepth: 2 };

const { object } = fc.letrec<{ value: BoundedSchema; object: BoundedSchema }>((tie) => ({
  value: fc.oneof(
    bounds,
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: count },
    { weight: 2, arbitrary: choice },
    { weight: 1, arbitrary: formatted },
    { weight: 1, arbitrary: fc.constant({ type: 'boolean' }) },
    {
      weight: 1,
      arbitrary: fc
        .nat(8)
        .map((maxLength) => ({ type: ['string', 'integer', 'null'], maxLength, minimum: 0, maximum: 99 })),
    },
    { weight: 2, arbitrary: tie('value').map((schema) => ({ anyOf: [schema, { type: 'null' }] })) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('array'), items: tie('value'), maxItems: fc.nat(3) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('array'),
        prefixItems: fc.array(tie('value'), { minLength: 1, maxLength: 2 }),
        items: fc.constant(false),
      }),
    },
    { weight: 2, arbitrary: tie('object') },
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
      fc.uniqueArray(fc.constantFrom(...names)),
    )
    .map(([properties, wanted]) => ({
      type: 'object',
      properties,
      required: wanted.filter((name) => Object.hasOwn(properties, name)),
      additionalProperties: false,
    })),
}));

/**
 * Schemas of objects whose documents are all short, so that even random weights come to an end: bounded texts,
 * numbers, enums, lists, tuples, objects in objects, values that may be null, properties that may be absent.
 */
export const boundedSchemas: fc.Arbitrary<BoundedSchema> = object;
