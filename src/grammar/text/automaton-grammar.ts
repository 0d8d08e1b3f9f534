import { remembered } from '../remembered.ts';
import { choice, emptyText, nothing, ref, repeat, sequence, type Expression } from './expression.ts';
import type { GrammarBuilder } from './grammar-builder.ts';
import { limits } from '../budget/limits.ts';
import type { AutomatonState } from '../language/automaton.ts';
import type { CharSet } from '../char-set.ts';

/** The expression for one of `chars` as it stands in the generated text. */
export type EncodeChars = (chars: CharSet) => Expression;

/**
 * An expression for the texts that the automaton `states` accepts: a rule for each state, with one alternative for each
 * edge. So llama.cpp never follows more alternatives than a state has edges. States in a row without a branch are
 * written as one sequence.
 */
export function automatonGrammar(
  builder: GrammarBuilder,
  states: readonly AutomatonState[],
  name: string,
  encode: EncodeChars,
): Expression {
  return states.length === 0 ? nothing : new AutomatonWriter(builder, states, name, encode).write();
}

class AutomatonWriter {
  readonly #builder: GrammarBuilder;
  readonly #states: readonly AutomatonState[];
  readonly #name: string;
  readonly #encode: EncodeChars;
  readonly #encoded = new Map<string, Expression>();
  readonly #keys = new Map<CharSet, string>();
  /** For each state, the length of the run of the same characters from it to the end; Infinity: there is none. */
  readonly #toEnd = new Map<number, number>();
  readonly #names = new Map<number, string>();
  readonly #pending: number[] = [];
  readonly #entries: number[];

  constructor(builder: GrammarBuilder, states: readonly AutomatonState[], name: string, encode: EncodeChars) {
    this.#builder = builder;
    this.#states = states;
    this.#name = name;
    this.#encode = encode;
    this.#entries = states.map(() => 0);
    for (const state of states)
      for (const edge of state.edges) this.#entries[edge.target] = (this.#entries[edge.target] ?? 0) + 1;
  }

  write(): Expression {
    const start = this.#from(0);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      this.#builder.set(this.#ruleName(next), this.#branches(next));
    return start;
  }

  /** The expression from the state `start` on: a run of single edges, up to the first state with a rule of its own. */
  #from(start: number): Expression {
    const steps: Expression[] = [];
    let run: { inner: Expression; count: number; optional: boolean } | undefined;
    const flush = () => {
      if (run !== undefined) steps.push(repeat(run.inner, run.optional ? 0 : run.count, run.count));
      run = undefined;
    };
    let at = start;
    for (;;) {
      const state = this.#states[at];
      const [edge] = state?.edges ?? [];
      if (state === undefined || edge === undefined) break;
      const optional = state.accepts && this.#endsWithSameChars(at);
      const plain = state.edges.length === 1 && (!state.accepts || optional);
      if (!plain || (at !== start && (this.#entries[at] ?? 0) > 1) || (at === start && this.#loops(start))) {
        flush();
        return sequence(...steps, this.#rule(at));
      }
      const inner = this.#one(edge.chars);
      if (
        run !== undefined &&
        (run.inner !== inner || run.optional !== optional || run.count >= limits.repetition)
      )
        flush();
      run ??= { inner, count: 0, optional };
      run.count += 1;
      at = edge.target;
    }
    flush();
    return steps.length === 0 ? emptyText : sequence(...steps);
  }

  /**
   * Whether the texts from `start` on are nothing but 0 to n of the same characters, with n allowed in one repetition:
   * then `x{0,n}` is written instead of n rules.
   */
  #endsWithSameChars(start: number): boolean {
    const run: number[] = [];
    let at = start;
    // The run is followed to its end, or to a state with a known length; then the lengths are counted backwards.
    while (!this.#toEnd.has(at)) {
      this.#toEnd.set(at, Infinity);
      const state = this.#states[at];
      const [edge] = state?.edges ?? [];
      if (state?.accepts === true && edge === undefined) this.#toEnd.set(at, 0);
      if (state?.accepts !== true || edge === undefined || state.edges.length > 1) break;
      const [next] = this.#states[edge.target]?.edges ?? [];
      const goesOn = next === undefined || this.#key(next.chars) === this.#key(edge.chars);
      if (!goesOn || (next !== undefined && (this.#entries[edge.target] ?? 0) > 1)) break;
      run.push(at);
      at = edge.target;
    }
    let length = this.#toEnd.get(at) ?? Infinity;
    for (const state of run.reverse()) this.#toEnd.set(state, ++length);
    return (this.#toEnd.get(start) ?? Infinity) <= limits.repetition;
  }

  #key(chars: CharSet): string {
    return remembered(this.#keys, chars, () => chars.join(','));
  }

  #loops(start: number): boolean {
    return (this.#entries[start] ?? 0) > (start === 0 ? 0 : 1);
  }

  #rule(state: number): Expression {
    const known = this.#names.has(state);
    const name = this.#ruleName(state);
    if (!known) this.#pending.push(state);
    return ref(name);
  }

  #ruleName(state: number): string {
    return remembered(this.#names, state, () => this.#builder.reserve(this.#name));
  }

  #branches(index: number): Expression {
    const state = this.#states[index];
    const options = (state?.edges ?? []).map((edge) =>
      sequence(
        this.#one(edge.chars),
        (this.#entries[edge.target] ?? 0) > 1 ? this.#target(edge.target) : this.#from(edge.target),
      ),
    );
    return choice(state?.accepts === true ? [...options, emptyText] : options);
  }

  #target(state: number): Expression {
    return (this.#states[state]?.edges.length ?? 0) === 0 ? emptyText : this.#rule(state);
  }

  /** The expression for one of `chars`, the same object for the same characters; a rule where it is a choice. */
  #one(chars: CharSet): Expression {
    return remembered(this.#encoded, this.#key(chars), () => {
      const encoded = this.#encode(chars);
      return encoded.kind === 'choice' ? this.#builder.define(`${this.#name}-char`, encoded) : encoded;
    });
  }
}
