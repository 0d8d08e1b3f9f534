import { expect, it } from 'vitest';
import { ArgumentTypes } from '../../../../../../src/engine/prompt/tools/schema/argument-types.ts';
import { processorMs } from '../../../../../support/watch/processor-time.ts';

const typesOf = (a: object, $defs: object = {}) => [
  ...new ArgumentTypes({ properties: { a }, $defs } as never).typesOf('a'),
];

it('follows references, and takes what refers to itself for anything', () => {
  expect(typesOf({ $ref: '#/$defs/text' }, { text: { type: 'string' } })).toEqual(['string']);
  const looped = { again: { $ref: '#/$defs/again' } };
  expect(typesOf({ allOf: [{ $ref: '#/$defs/again' }, { type: 'number' }] }, looped)).toEqual(['number']);
});

it('reads parts that refer to each other many times over once', () => {
  const every = Array.from({ length: 20 }, (_, index) => ({ $ref: `#/$defs/d${index}` }));
  const $defs = Object.fromEntries(every.map((_, index) => [`d${index}`, { anyOf: every }]));
  const startedAtMs = processorMs();
  expect(typesOf({ anyOf: every }, $defs)).toHaveLength(6);
  expect(processorMs() - startedAtMs).toBeLessThan(200);
});
