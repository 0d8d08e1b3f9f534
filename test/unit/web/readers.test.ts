import { expect, it } from 'vitest';
import { readersOf } from '../../../src/web/now/readers.ts';
import type { ModelsEvent, RunningRequest } from '../../../src/web/now/server-events.ts';

const requests = (states: readonly RunningRequest['state'][]) =>
  states.map((state, index) => ({ id: `${index}`, model: 'm', state }) as RunningRequest);

/** How many requests of a model in these states compute their prompts. */
const readers = (states: readonly RunningRequest['state'][], model: object) =>
  [
    ...readersOf(requests(states), [
      { id: 'm', state: 'loaded', parallel: 4, ...model },
    ] as unknown as ModelsEvent['data']),
  ].map(({ id }) => id);

it.each([
  ['as many as have slots, though the model has not told yet', { busy: 0, waiting: 0 }, ['1', '2', '3']],
  ['as many as the model says while others wait', { busy: 2, waiting: 5 }, ['1']],
  ['none while it is loaded', { state: 'loading', busy: 0, waiting: 0 }, []],
])('are %s', (_, model, expected) => {
  const waiting = Array.from({ length: 6 }, () => 'waiting' as const);
  expect(readers(['computing', ...waiting], model)).toEqual(expected);
});
