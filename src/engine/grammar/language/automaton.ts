import { uniteChars, type CharSet } from './char-set.ts';
import type { Language } from './language.ts';
import type { Languages } from './languages.ts';

export interface AutomatonEdge {
  readonly chars: CharSet;
  readonly target: number;
}

export interface AutomatonState {
  readonly accepts: boolean;
  /** Disjoint sets, one edge per target. */
  readonly edges: readonly AutomatonEdge[];
}

export interface Automaton {
  readonly states: readonly AutomatonState[];
  /** False: there are too many states, and what needs those that are farthest from the start is left out. */
  readonly whole: boolean;
}

/**
 * The deterministic automaton of `language`: state 0 starts, and every state can reach one that accepts. An empty
 * language gives no states; one that needs more than `maxStates` gives undefined.
 */
export function buildAutomaton(
  languages: Languages,
  language: Language,
  maxStates: number,
): readonly AutomatonState[] | undefined {
  const { states, whole } = exploreAutomaton(languages, language, maxStates);
  return whole ? states : undefined;
}

/**
 * The same with at most `maxStates` in any case, found in about `maxSteps`: those nearest to the start. It then lacks
 * the longer texts.
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

function withoutDeadEnds(states: readonly AutomatonState[]): readonly AutomatonState[] {
  const sources: number[][] = states.map(() => []);
  for (const [source, state] of states.entries())
    for (const edge of state.edges) sources[edge.target]?.push(source);
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
