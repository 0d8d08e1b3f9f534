import { sourcesOf, type AutomatonState } from './automaton.ts';
import type { Spending } from '../budget/work.ts';

/**
 * The automaton for the texts of `states` with `min` to `max` characters. It has a copy of each state for each length,
 * without copies from which no accepting state can be reached in time. Undefined when it has more than `maxStates`.
 */
export function withLengths(
  states: readonly AutomatonState[],
  min: number,
  max: number,
  maxStates: number,
  work?: Spending,
): readonly AutomatonState[] | undefined {
  if (min === 0 && max === Infinity) return states;
  // Without an upper bound, all lengths from `min` on are treated alike.
  const levels = max === Infinity ? min : max;
  const isAlive = min === 0 ? aliveByDistance(states, max) : aliveByLevel(states, min, max, levels, work);
  if (!isAlive(0, 0)) return [];
  const numbers = new Map<number, number>([[0, 0]]);
  const queue: { state: number; level: number }[] = [{ state: 0, level: 0 }];
  const copies: AutomatonState[] = [];
  for (const { state, level } of queue) {
    const original = states[state];
    if (original === undefined) continue;
    work?.spend(2 + original.edges.length);
    const next = max === Infinity ? Math.min(level + 1, levels) : level + 1;
    const edges = original.edges.flatMap(({ chars, target }) => {
      if (next > levels || !isAlive(next, target)) return [];
      const key = next * states.length + target;
      let number = numbers.get(key);
      if (number === undefined) {
        numbers.set(key, (number = queue.length));
        queue.push({ state: target, level: next });
      }
      return [{ chars, target: number }];
    });
    if (queue.length > maxStates) return undefined;
    copies.push({ accepts: original.accepts && level >= min, edges });
  }
  return copies;
}

/** Whether a text that is in `state` after `level` characters can end within the bounds. */
type IsAlive = (level: number, state: number) => boolean;

function aliveByDistance(states: readonly AutomatonState[], max: number): IsAlive {
  const sources = sourcesOf(states);
  const distances = states.map(({ accepts }) => (accepts ? 0 : Infinity));
  const queue = states.flatMap(({ accepts }, state) => (accepts ? [state] : []));
  for (const state of queue)
    for (const source of sources[state] ?? []) {
      if (distances[source] !== Infinity) continue;
      distances[source] = (distances[state] ?? 0) + 1;
      queue.push(source);
    }
  return (level, state) => level + (distances[state] ?? Infinity) <= max;
}

function aliveByLevel(
  states: readonly AutomatonState[],
  min: number,
  max: number,
  levels: number,
  work: Spending | undefined,
): IsAlive {
  // Every state can reach an accepting one: without an upper bound, all are alive from `min` on.
  let after = Uint8Array.from(states, (state) =>
    max === Infinity || (state.accepts && levels >= min) ? 1 : 0,
  );
  const alive = [after];
  const edges = states.reduce((sum, state) => sum + state.edges.length, states.length);
  for (let level = levels - 1; level >= 0; level--) {
    work?.spend(1 + (edges >> 3));
    const following = after;
    after = Uint8Array.from(states, (state) =>
      (state.accepts && level >= min) || state.edges.some((edge) => following[edge.target] === 1) ? 1 : 0,
    );
    alive.push(after);
  }
  return (level, state) => alive[levels - level]?.[state] === 1;
}
