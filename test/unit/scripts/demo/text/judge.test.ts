import { describe, expect, it } from 'vitest';
import {
  calls,
  introducesItself,
  isJson,
  lists,
  runs,
  says,
  saysLetter,
  spells,
  thinksAnd,
  tool,
} from '../../../../../scripts/demo/text/evaluation/judge.ts';

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

  it('wants who it is, not just the word hearth', () => {
    for (const text of ['My name is hearth-demo.', 'I am a very small model.', "Hi, I'm hearth."])
      expect(introducesItself(answer(text))).toBe(true);
    for (const text of ['Run `hearth usage`.', 'I do not know: I am a tiny model.', 'I am Anna.'])
      expect(introducesItself(answer(text))).toBe(false);
  });

  it('wants all letters of a spelling, whatever separates them', () => {
    for (const text of ['l-a-m-p', 'L, A, M, P', 'It is l a m p.'])
      expect(spells('lamp')(answer(text))).toBe(true);
    for (const text of ['lamp', 'l-a-m', 'c-l-a-m-p', 'l-a-m-p-s'])
      expect(spells('lamp')(answer(text))).toBe(false);
  });

  it('wants a letter by itself', () => {
    for (const text of ['It is g.', 'G', 'The letter "g".', 'g-u-y starts with g.'])
      expect(saysLetter('g')(answer(text))).toBe(true);
    for (const text of ['It is u.', 'guitar', 'g-u-i-t-a-r', 'b-a-g'])
      expect(saysLetter('g')(answer(text))).toBe(false);
  });

  it('wants a run without gaps, from its first to its last', () => {
    for (const text of ['4, 5, 6', 'I count: 4, 5 and 6.', '4 5 6', '1. 4\n2. 5\n3. 6'])
      expect(runs(4, 5, 6)(answer(text))).toBe(true);
    for (const text of ['4, 6', '3, 4, 5, 6', '4, 5, 6, 7', '4, 5', '14, 5, 6', '4, 5, 60'])
      expect(runs(4, 5, 6)(answer(text))).toBe(false);
  });

  it('wants as many different things of a kind as were asked for', () => {
    const accepts = lists(2, ['cat', 'dog', 'cow']);
    for (const text of ['1. cat\n2. dog', 'Two animals: cat, cow.', 'Cat and dog', '- dog\n- cow'])
      expect(accepts(answer(text))).toBe(true);
    for (const text of ['1. cat\n2. cat', 'cat', 'cat, dog, cow', 'cat, table', ''])
      expect(accepts(answer(text))).toBe(false);
  });

  it('reads optional parameters off the question mark', () => {
    expect(tool('roll', 'Roll dice.', { sides: 'integer', 'colour?': ['red'] }).parameters).toEqual({
      type: 'object',
      properties: { sides: { type: 'integer' }, colour: { type: 'string', enum: ['red'] } },
      required: ['sides'],
    });
  });
});
