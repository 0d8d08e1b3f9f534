import type { AutomatonState } from './automaton.ts';

/**
 * The automaton for those texts of `states` that have `min` to `max` characters: a copy of each state for every
 * length, save for copies that cannot end in time. Undefined when it has more than `maxStates`.
 */
export function withLengths(
  states: readonly AutomatonState[],
  min: number,
  max: number,
  maxStates: number,
): readonly AutomatonState[] | undefined {
  if (min === 0 && max === Infinity) return states;
  // Lengths from `min` on are alike when there is no upper bound.
  const levels = max === Infinity ? min : max;
  const alive = aliveLevels(states, min, max, levels);
  if (alive[0]?.[0] !== true) return [];
  const numbers = new Map<number, number>([[0, 0]]);
  const queue: { state: number; level: number }[] = [{ state: 0, level: 0 }];
  const copies: AutomatonState[] = [];
  for (const { state, level } of queue) {
    const original = states[state];
    if (original === undefined) continue;
    const next = max === Infinity ? Math.min(level + 1, levels) : level + 1;
    const edges = original.edges.flatMap(({ chars, target }) => {
      if (alive[next]?.[target] !== true) return [];
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

/** For every length and state: whether a text may go on from there and end within the bounds. */
function aliveLevels(
  states: readonly AutomatonState[],
  min: number,
  max: number,
  levels: number,
): readonly (readonly boolean[])[] {
  // States are trimmed: from `min` on, without an upper bound, each of them reaches an end.
  let following: readonly boolean[] = states.map((state) =>
    max === Infinity ? true : state.accepts && levels >= min,
  );
  const alive = [following];
  for (let level = levels - 1; level >= 0; level--) {
    const after = following;
    following = states.map(
      (state) => (state.accepts && level >= min) || state.edges.some((edge) => after[edge.target] === true),
    );
    alive.push(following);
  }
  return alive.reverse();
}
