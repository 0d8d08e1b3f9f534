import { uniteChars, type CharSet } from '../char-set.ts';
import type { Language } from './language.ts';
import type { Languages } from './languages.ts';

/** The way from one state to another, for each of these characters. */
export interface AutomatonEdge {
  readonly chars: CharSet;
  readonly target: number;
}

/**
 * A state of a deterministic finite automaton. It reads a text character by character, beginning in state 0, and
 * follows the edge for each character. A text is accepted when the state at its end accepts.
 */
export interface AutomatonState {
  readonly accepts: boolean;
  /** At most one edge for each character, and one for each target. */
  readonly edges: readonly AutomatonEdge[];
}

export interface Automaton {
  readonly states: readonly AutomatonState[];
  /** False when there are too many states: those farthest from the start are left out, and the texts that need them. */
  readonly whole: boolean;
}

/**
 * The automaton that accepts the texts of `language`. Its states are derivatives of the language, and every state can
 * reach one that accepts; a language without texts has no states. There are at most `maxStates`, found in about
 * `maxSteps`: those nearest to the start. Where these are not all, the longer texts are left out.
 */
export function exploreAutomaton(
  languages: Languages,
  language: Language,
  maxStates: number,
  maxSteps = Infinity,
): Automaton {
  const numbers = new Map<Language, number>([[language, 0]]);
  const queue: Language[] = [language];
  const states: AutomatonState[] = [];
  const start = languages.work.spent;
  let room = maxStates;
  let whole = true;
  for (const state of queue) {
    const byTarget = new Map<number, CharSet[]>();
    for (const part of languages.partition(state)) {
      const next = languages.derivative(state, part[0] ?? 0);
      if (next === languages.none) continue;
      let target = numbers.get(next);
      if (target === undefined) {
        target = queue.length;
        whole &&= target < room;
        if (target >= room) continue;
        numbers.set(next, target);
        queue.push(next);
      }
      const sets = byTarget.get(target);
      if (sets === undefined) byTarget.set(target, [part]);
      else sets.push(part);
    }
    const edges = [...byTarget].map(([target, sets]) => ({ chars: uniteChars(sets), target }));
    languages.work.spend(edges.reduce((sum, edge) => sum + 3 + edge.chars.length, 5));
    states.push({ accepts: state.nullable, edges });
    if (languages.work.spent - start > maxSteps) room = Math.min(room, queue.length);
  }
  return { states: withoutDeadEnds(states), whole };
}

/** For each state, those with an edge that leads to it. */
export function sourcesOf(states: readonly AutomatonState[]): readonly number[][] {
  const sources: number[][] = states.map(() => []);
  for (const [source, { edges }] of states.entries())
    for (const { target } of edges) sources[target]?.push(source);
  return sources;
}

/** `states` without those from which no accepting state can be reached. */
function withoutDeadEnds(states: readonly AutomatonState[]): readonly AutomatonState[] {
  const sources = sourcesOf(states);
  const alive = new Set<number>(states.flatMap((state, index) => (state.accepts ? [index] : [])));
  for (const index of alive) for (const source of sources[index] ?? []) alive.add(source);
  if (!alive.has(0)) return [];
  const renumbered = new Map([...alive].sort((a, b) => a - b).map((old, index) => [old, index]));
  return states.flatMap((state, index) => {
    if (!alive.has(index)) return [];
    const edges = state.edges.flatMap((edge) => {
      const target = renumbered.get(edge.target);
      return target === undefined ? [] : [{ chars: edge.chars, target }];
    });
    return [{ accepts: state.accepts, edges }];
  });
}
