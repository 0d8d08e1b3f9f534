import { expect, it } from 'vitest';
import { withNames, type Colours } from '../../../src/web/usage/colours.ts';

const models = ['wren', 'heron', 'atlas', 'crane', 'finch', 'tern', 'owl'];
const fresh: Colours = new Map();

it('leaves each model its colour whatever others are used, and gives new ones those that none had', () => {
  // Whoever comes first, and in whatever order they are met.
  for (const [index, first] of models.entries()) {
    let kept = withNames(fresh, [first]);
    const colour = kept.get(first);
    for (const other of models.toSpliced(index, 1)) {
      kept = withNames(kept, [other]);
      kept = withNames(kept, [other, first]);
      expect(kept.get(first)).toBe(colour);
    }
    kept = withNames(kept, models);
    expect(kept.get(first)).toBe(colour);
    expect(new Set(kept.values()).size).toBe(models.length);
  }
});

it('never has two in sight with one colour, and forgets those that were not seen for longest', () => {
  let kept = fresh;
  for (let first = 0; first < 100; first += 3) {
    const names = Array.from({ length: 7 }, (_, index) => `model ${(first + index * index) % 90}`);
    const shown = [...new Set(names)];
    kept = withNames(kept, shown);
    expect(new Set(shown.map((name) => kept.get(name))).size).toBe(shown.length);
  }
  expect(kept.size).toBeLessThanOrEqual(64);
});

it('leaves each of eight its colour whoever is ahead, and has one left for others where there are more', () => {
  const eight = [...models, 'stork'];
  let kept = withNames(fresh, eight);
  const colours = new Map(kept);
  expect([...colours.values()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  for (let ahead = 0; ahead < eight.length; ahead += 1) {
    kept = withNames(kept, [...eight.slice(ahead), ...eight.slice(0, ahead)]);
    for (const name of eight) expect(kept.get(name)).toBe(colours.get(name));
  }
  const nine = withNames(kept, ['ibis', ...eight]);
  for (const name of ['ibis', ...eight.slice(0, 6)]) expect(nine.get(name)).toBeLessThan(8);
});
