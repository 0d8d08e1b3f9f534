import { expect, it } from 'vitest';
import { numbered } from '../../../src/web/chat/conversations/copies.ts';

it('tells a fork from its original, and from other forks, by a number behind its title', () => {
  const titles = ['Birds'];
  const fork = (title: string) => {
    const others = titles.map((other) => ({ title: other }));
    titles.push(numbered(title, others));
    return titles.at(-1);
  };
  expect(fork('Birds')).toBe('Birds (2)');
  expect(fork('Birds')).toBe('Birds (3)');
  expect(fork('Birds (2)')).toBe('Birds (4)');
  expect(fork('7 birds')).toBe('7 birds (2)');
});
