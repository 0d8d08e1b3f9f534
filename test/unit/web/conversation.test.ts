import { expect, it } from 'vitest';
import { numbered } from '../../../src/web/chat/conversations/conversation.ts';

it('tells a fork from its original, and from other forks, by a number before its title', () => {
  const titles = ['Birds'];
  const fork = (title: string) => {
    const others = titles.map((other) => ({ title: other }));
    titles.push(numbered(title, others));
    return titles.at(-1);
  };
  expect(fork('Birds')).toBe('2 · Birds');
  expect(fork('Birds')).toBe('3 · Birds');
  expect(fork('2 · Birds')).toBe('4 · Birds');
  expect(fork('7 birds')).toBe('2 · 7 birds');
});
