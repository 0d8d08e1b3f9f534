import { describe, expect, it } from 'vitest';
import { Choices } from '../../../../../scripts/demo/text/corpus/text/choices.ts';
import { entries, Entry, lines, pairs, rows } from '../../../../../scripts/demo/text/corpus/text/data.ts';
import { drawIntent } from '../../../../../scripts/demo/text/corpus/text/exchanges.ts';
import { compose, draw } from '../../../../../scripts/demo/text/corpus/text/forms.ts';
import { fill } from '../../../../../scripts/demo/text/corpus/text/slots.ts';

/** The texts of a thousand draws, each once. */
const drawn = (form: string, slots = {}): Set<string> => {
  const choices = new Choices(1);
  return new Set(Array.from({ length: 1000 }, () => compose(choices, form, slots)));
};

describe('forms', () => {
  it('choose one option of each group, from the inside out', () => {
    expect([...drawn('(a|b (c|d)|)!')].toSorted()).toEqual(['!', 'a!', 'b c!', 'b d!']);
  });

  it('fill slots that are given before those that are drawn', () => {
    expect([...drawn('{days}: {Thing}', { days: 'today', thing: 'lamp' })]).toEqual(['today: Lamp']);
    expect([...drawn('{days}')].toSorted()).toEqual(lines('days').toSorted());
  });

  it('draw every number of a range, and change what they are told to', () => {
    expect([...drawn('{-1..2}')].toSorted()).toEqual(['-1', '0', '1', '2']);
    expect([...drawn('{plural:thing}', { thing: 'ferry' })]).toEqual(['ferries']);
    expect([...drawn('{two digits:3..3}')]).toEqual(['03']);
  });

  it('calculate, and look up in tables', () => {
    const slots = { number: 37, ones: 7 };
    expect([...drawn('{number - ones}, {number / 10}, {number % 10}', slots)]).toEqual(['30, 3, 7']);
    const plurals = '{plurals of animals:animal}';
    expect([...drawn(plurals, { animal: 'goose' })]).toEqual(['geese']);
    expect([...drawn(plurals, { animal: 'cat' })]).toEqual(['cats']);
  });

  it('are drawn as often as their weights say', () => {
    const choices = new Choices(2);
    const counts = Array.from({ length: 10_000 }, () => draw(choices, 'offered tools'));
    const share = counts.filter((count) => count === '4').length / counts.length;
    expect(share).toBeCloseTo(0.14, 1);
  });

  it('keep slots that nobody fills', () => {
    expect(fill('{a} and {b}, {A}', { a: 'x' })).toBe('x and {b}, X');
  });

  it('say which section is missing', () => {
    expect(() => draw(new Choices(1), 'no such section')).toThrow('[no such section]');
    expect(() => compose(new Choices(1), '{no such section}')).toThrow('[no such section]');
  });
});

describe('sections about what is asked', () => {
  it('give the answer and the steps for what they draw', () => {
    const { slots, answer, steps = [] } = drawIntent(new Choices(3), 'three number riddles');
    const [a = 0, b = 0, c = 0] = ['a', 'b', 'c'].map((name) => Number(slots?.[name]));
    expect(answer).toBe(`${a} + ${b} + ${c} = ${a + b + c}.`);
    expect(steps).toEqual([`${a} + ${b} = ${a + b}`, `${a + b} + ${c} = ${a + b + c}`]);
  });

  it('keep what is given', () => {
    const { slots } = drawIntent(new Choices(3), 'even or odd riddles', { number: 4 });
    expect(slots).toMatchObject({ number: 4, 'last digit': '4' });
  });

  it('have the questions of other sections too, where there are such', () => {
    const questions = (to: string) =>
      drawIntent(new Choices(1), 'letter list questions', { from: 'C', to }).questions;
    const more = lines('questions for letters to Z');
    expect(questions('Z').slice(-more.length)).toEqual(more);
    expect(questions('Z').length).toBe(questions('X').length + more.length);
  });
});

describe('data files', () => {
  it('insert texts and lists of ways to ask', () => {
    expect(lines('capital questions')).toContain('from (which|what) city is {place} (governed|ruled|run)?');
    const asked = lines('capital questions').filter((text) => text.includes('the capital of {place}'));
    expect(asked.length).toBeGreaterThan(5);
    for (const text of lines('lead-ins')) expect(text).not.toMatch(/<[a-z]|^@/u);
  });

  it('part rows into cells', () => {
    expect(rows('countries')).toContainEqual(['Fiji', 'Suva', 'Oceania']);
    expect(new Map(pairs('chemical symbols')).get('iron')).toBe('Fe');
  });

  it('repeat a record for each value', () => {
    const answers = entries('small talk').map((entry) => entry.get('answer'));
    for (const part of ['morning', 'afternoon', 'evening'])
      expect(answers).toContain(`Good ${part}! How can I help you?`);
  });

  it('refuse a record without a key', () => {
    expect(() => new Entry(['just a text'])).toThrow('just a text');
    expect(() => new Entry(['key: text']).get('other')).toThrow('"other"');
  });
});
