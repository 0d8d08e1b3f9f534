import { describe, expect, it } from 'vitest';
import { calls, isJson, says, thinksAnd, tool } from '../../../scripts/demo-model/evaluation/judge.ts';

const answer = (text: string, ...toolCalls: { name: string; arguments: Record<string, unknown> }[]) => ({
  text,
  thought: '',
  toolCalls,
});

describe('judging an answer', () => {
  it('wants exactly the calls, in order', () => {
    const [oslo, rome] = ['Oslo', 'Rome'].map((city) => ({ name: 'get_weather', arguments: { city } }));
    if (oslo === undefined || rome === undefined) throw new Error('two calls');
    const accepts = calls(['get_weather', { city: 'Oslo' }], ['get_weather', { city: 'Rome' }]);
    expect(accepts(answer('', oslo, rome))).toBe(true);
    expect(accepts(answer('', rome, oslo))).toBe(false);
    expect(accepts(answer('', oslo))).toBe(false);
    expect(accepts(answer('', oslo, { ...rome, arguments: { city: 'Rome', days: 2 } }))).toBe(false);
  });

  it('wants whole words, whatever the case, and no call', () => {
    const accepts = says('oslo', 17);
    expect(accepts(answer('The temperature in Oslo is 17.'))).toBe(true);
    expect(accepts(answer('The temperature in Oslo is 170.'))).toBe(false);
    expect(accepts(answer('Oslo: 17.', { name: 'get_weather', arguments: {} }))).toBe(false);
  });

  it('wants equal JSON', () => {
    const accepts = isJson({ name: 'Anna', age: 31 });
    expect(accepts(answer('{"age":31,"name":"Anna"}'))).toBe(true);
    expect(accepts(answer('{"age":"31","name":"Anna"}'))).toBe(false);
    expect(accepts(answer('{"age":31,'))).toBe(false);
  });

  it('wants thoughts before the answer', () => {
    const accepts = thinksAnd(says('yes'));
    expect(accepts({ ...answer('Yes.'), thought: 'So it is.' })).toBe(true);
    expect(accepts({ ...answer('Yes.'), thought: '\n' })).toBe(false);
  });

  it('reads optional parameters off the question mark', () => {
    expect(tool('roll', 'Roll dice.', { sides: 'integer', 'colour?': ['red'] }).parameters).toEqual({
      type: 'object',
      properties: { sides: { type: 'integer' }, colour: { type: 'string', enum: ['red'] } },
      required: ['sides'],
    });
  });
});
