import type { AutomatonState } from './automaton.ts';
import { uniteChars, type CharSet } from './char-set.ts';

/** Rounds of refinement after which an automaton is left as it is. */
const maxRounds = 60;
const maxStates = 1_000;

/** The smallest automaton for the same language (Moore's refinement), where that takes few rounds. */
export function minimised(states: readonly AutomatonState[]): readonly AutomatonState[] {
  if (states.length > maxStates) return states;
  let classes: readonly number[] = states.map((state) => (state.accepts ? 1 : 0));
  let count = new Set(classes).size;
  for (let round = 0; round < maxRounds; round++) {
    const numbers = new Map<string, number>();
    const next = states.map((state, index) => {
      const edges = byClass(state, classes).map(([target, chars]) => `${target}:${chars.join(',')}`);
      const signature = `${classes[index]}|${edges.sort().join('|')}`;
      let number = numbers.get(signature);
      if (number === undefined) numbers.set(signature, (number = numbers.size));
      return number;
    });
    classes = next;
    if (numbers.size === count) return merged(states, classes);
    count = numbers.size;
  }
  return states;
}

/** The edges of `state` by the class that they lead to. */
function byClass(state: AutomatonState, classes: readonly number[]): (readonly [number, CharSet])[] {
  const sets = new Map<number, CharSet[]>();
  for (const edge of state.edges) {
    const target = classes[edge.target] ?? 0;
    const known = sets.get(target);
    if (known === undefined) sets.set(target, [edge.chars]);
    else known.push(edge.chars);
  }
  return [...sets].map(([target, parts]) => [target, uniteChars(parts)] as const);
}

/** One state per class; the numbers follow the order of first appearance, so that state 0 stays the start. */
function merged(states: readonly AutomatonState[], classes: readonly number[]): readonly AutomatonState[] {
  const representatives = new Map<number, number>();
  for (const [index, number] of classes.entries())
    if (!representatives.has(number)) representatives.set(number, index);
  const order = new Map([...representatives.keys()].map((number, index) => [number, index]));
  return [...representatives.values()].flatMap((index) => {
    const state = states[index];
    if (state === undefined) return [];
    const edges = byClass(state, classes).map(([target, chars]) => ({
      target: order.get(target) ?? 0,
      chars,
    }));
    return [{ accepts: state.accepts, edges }];
  });
}
