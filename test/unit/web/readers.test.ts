import { expect, it } from 'vitest';
import { readersOf } from '../../../src/web/now/requests/readers.ts';

it.each([
  ['as many as have slots, though the model has not told yet', { busy: 0, waiting: 0 }, [1, 2, 3]],
  ['as many as the model says while others wait', { busy: 2, waiting: 5 }, [1]],
  ['none while it is loaded', { state: 'loading', busy: 0, waiting: 0 }, []],
])('are %s', (_, told, expected) => {
  const running = Array.from({ length: 7 }, (_none, id) => ({
    id,
    model: 'm',
    state: id === 0 ? ('computing' as const) : ('waiting' as const),
  }));
  const readers = readersOf(running, [{ id: 'm', state: 'loaded', parallel: 4, ...told }]);
  expect([...readers].map(({ id }) => id)).toEqual(expected);
});
