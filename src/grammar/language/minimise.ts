import { remembered } from '../remembered.ts';
import { sourcesOf, type AutomatonState } from './automaton.ts';
import { uniteChars, type CharSet } from '../char-set.ts';
import type { Spending } from '../budget/work.ts';

const maxStates = 1_500;

/**
 * The smallest automaton for the same language. States are divided into classes until all states of a class agree in
 * the class to which each character leads. A state is looked at again only when one of its targets changed its class.
 */
export function minimised(states: readonly AutomatonState[], work?: Spending): readonly AutomatonState[] {
  if (states.length > maxStates) return states;
  return new Refinement(states, work).result();
}

class Refinement {
  readonly #states: readonly AutomatonState[];
  readonly #work: Spending | undefined;
  readonly #sets = new CharSets();
  readonly #edges: readonly (readonly (readonly [set: number, target: number])[])[];
  readonly #sources: readonly number[][];
  readonly #classOf: number[];
  readonly #members: Set<number>[] = [new Set<number>(), new Set<number>()];

  constructor(states: readonly AutomatonState[], work: Spending | undefined) {
    this.#states = states;
    this.#work = work;
    this.#edges = states.map(({ edges }) =>
      edges.map((edge) => [this.#sets.number(edge.chars), edge.target] as const),
    );
    this.#sources = sourcesOf(states);
    this.#classOf = states.map(({ accepts }) => (accepts ? 1 : 0));
    for (const [state, number] of this.#classOf.entries()) this.#members[number]?.add(state);
  }

  result(): readonly AutomatonState[] {
    let changed: ReadonlySet<number> = new Set(this.#states.keys());
    while (changed.size > 0) changed = this.#split(changed);
    return this.#merged();
  }

  /** Divides the classes of the states `doubtful` where they differ; returns the states that lead to moved ones. */
  #split(doubtful: ReadonlySet<number>): ReadonlySet<number> {
    const byClass = Map.groupBy(doubtful, (state) => this.#classOf[state] ?? 0);
    const moved: number[] = [];
    for (const [number, group] of byClass) {
      const members = this.#members[number] ?? new Set<number>();
      // The members that are not in doubt agree, so one of them is looked at for all.
      let settled: string | undefined;
      if (group.length < members.size)
        for (const member of members)
          if (!doubtful.has(member)) {
            settled = this.#signature(member);
            break;
          }
      const bySignature = Map.groupBy(group, (state) => this.#signature(state));
      settled ??= [...bySignature].reduce((a, b) => (b[1].length > a[1].length ? b : a))[0];
      for (const [signature, parts] of bySignature)
        if (signature !== settled) moved.push(...this.#move(parts));
    }
    return new Set(moved.flatMap((state) => this.#sources[state] ?? []));
  }

  /** Moves `states`, which are of one class, to a new class. */
  #move(states: readonly number[]): readonly number[] {
    const number = this.#members.length;
    this.#members.push(new Set(states));
    for (const state of states) {
      this.#members[this.#classOf[state] ?? 0]?.delete(state);
      this.#classOf[state] = number;
    }
    return states;
  }

  #signature(state: number): string {
    const parts = [...this.#byClass(state)].map(([target, set]) => `${target}:${set}`);
    this.#work?.spend(2 + 2 * parts.length);
    return parts.sort().join('|');
  }

  /** For each class to which `state` leads, the number of the set of characters that lead there. */
  #byClass(state: number): ReadonlyMap<number, number> {
    const edges = Map.groupBy(this.#edges[state] ?? [], ([, target]) => this.#classOf[target] ?? 0);
    return new Map(
      [...edges].map(([number, group]) => [number, this.#sets.union(group.map(([set]) => set))]),
    );
  }

  /** The automaton with one state for each class, in the order of their first states: state 0 stays the start. */
  #merged(): readonly AutomatonState[] {
    const first = new Map<number, number>();
    for (const [state, number] of this.#classOf.entries()) if (!first.has(number)) first.set(number, state);
    const order = new Map([...first.keys()].map((number, index) => [number, index]));
    return [...first.values()].flatMap((state) => {
      const original = this.#states[state];
      if (original === undefined) return [];
      const edges = [...this.#byClass(state)].map(([target, set]) => ({
        target: order.get(target) ?? 0,
        chars: this.#sets.get(set),
      }));
      return [{ accepts: original.accepts, edges }];
    });
  }
}

/** Gives equal sets of characters the same number, so that they can be compared quickly. */
class CharSets {
  readonly #sets: CharSet[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #unions = new Map<string, number>();

  number(set: CharSet): number {
    return remembered(this.#numbers, set.join(','), () => this.#sets.push(set) - 1);
  }

  get(number: number): CharSet {
    return this.#sets[number] ?? [];
  }

  union(numbers: readonly number[]): number {
    const [only] = numbers;
    if (only !== undefined && numbers.length === 1) return only;
    const key = [...numbers].sort((a, b) => a - b).join(',');
    return remembered(this.#unions, key, () => this.number(uniteChars(numbers.map((one) => this.get(one)))));
  }
}
