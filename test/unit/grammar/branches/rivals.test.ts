import { expect, it } from 'vitest';
import { rivalsOf } from '../../../../src/grammar/branches/rivals.ts';

const tags = (members: Record<string, readonly string[]>) =>
  new Map(Object.entries(members).map(([tag, texts]) => [tag, new Set(texts)]));

it('are those that share a text of the tag that most have, and those without it', () => {
  const branches = [
    tags({ '.kind': ['a'] }),
    tags({ '.kind': ['b', 'c'], '.other': ['x'] }),
    tags({ '.kind': ['c'] }),
    tags({ '.other': ['y'] }),
  ];
  expect(rivalsOf(branches)).toEqual([[3], [2, 3], [1, 3], [0, 1, 2]]);
});

it('are all others where nothing tells them apart', () => {
  expect(rivalsOf([tags({}), tags({}), tags({})])).toEqual([
    [1, 2],
    [0, 2],
    [0, 1],
  ]);
});
