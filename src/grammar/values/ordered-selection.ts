import { remembered } from '../remembered.ts';
import { choiceTree, type TextChoice } from '../text/choice-tree.ts';
import { choice, emptyText, literal, nothing, ref, sequence, type Expression } from '../text/expression.ts';
import type { GrammarBuilder } from '../text/grammar-builder.ts';
import { limits } from '../budget/limits.ts';

export interface SelectionMember {
  /** The text with which the member begins; no two members have the same. */
  readonly text: string;
  readonly rest: Expression;
  readonly required: boolean;
}

export interface Selection {
  readonly open: string;
  readonly close: string;
  /** Members in the order in which they are written. */
  readonly members: readonly SelectionMember[];
  /** Members without a fixed text; any number of them may follow the others. */
  readonly free: readonly Expression[];
  readonly min: number;
  readonly max: number;
}

/**
 * A list in brackets, such as the members of an object: all required members, any of the optional ones in their order,
 * then free ones, `min` to `max` in all. The grammar's size grows with n·√n for n optional members, and after a comma
 * llama.cpp follows one alternative for each possible next character. Undefined when there are too many states.
 */
export function orderedSelection(
  builder: GrammarBuilder,
  name: string,
  selection: Selection,
): Expression | undefined {
  return new SelectionWriter(builder, name, selection).write();
}

const separator = sequence(literal(','), ref('ws'));

class SelectionWriter {
  readonly #builder: GrammarBuilder;
  readonly #name: string;
  readonly #selection: Selection;
  readonly #rules = new Map<string, Expression>();
  readonly #pending: (() => void)[] = [];
  /** For each position, that of the first required member at or after it. */
  readonly #nextRequired: number[];
  readonly #groupSize: number;
  /** Members are counted up to this; 0: not at all. */
  readonly #countCap: number;

  constructor(builder: GrammarBuilder, name: string, selection: Selection) {
    this.#builder = builder;
    this.#name = name;
    this.#selection = selection;
    const { members, min, max } = selection;
    this.#nextRequired = members.map(() => members.length);
    let next = members.length;
    for (let at = members.length - 1; at >= 0; at--) {
      if (members[at]?.required === true) next = at;
      this.#nextRequired[at] = next;
    }
    const required = members.filter((member) => member.required).length;
    const most = selection.free.length > 0 ? Infinity : members.length;
    this.#countCap = max < most ? max : min > required ? min : 0;
    this.#groupSize = members.length <= 24 ? 24 : Math.ceil(Math.sqrt(members.length));
  }

  write(): Expression | undefined {
    if (this.#selection.members.length * (this.#countCap + 1) > limits.countedStates) return undefined;
    if (this.#countCap > limits.repetition) return undefined;
    const { open, close, max, members } = this.#selection;
    // A max of 0 is handled here, as a cap of 0 means that nothing is counted.
    if (max === 0) return members.some((member) => member.required) ? nothing : literal(open + close);
    const list = sequence(literal(open), choice([...this.#next(0, 0), ...this.#end(0, 0)]));
    for (let step = this.#pending.pop(); step !== undefined; step = this.#pending.pop()) step();
    return list;
  }

  #end(at: number, count: number): readonly Expression[] {
    const done = this.#firstRequired(at) === this.#selection.members.length;
    const enough = this.#countCap === 0 || count >= this.#selection.min;
    return done && enough ? [literal(this.#selection.close)] : [];
  }

  #firstRequired(at: number): number {
    return this.#nextRequired[at] ?? this.#selection.members.length;
  }

  /** The members that may come at the position `at`, without the comma before them. */
  #next(at: number, count: number): readonly Expression[] {
    const { members, free, max } = this.#selection;
    if (this.#countCap > 0 && count >= max) return [];
    const stop = this.#firstRequired(at);
    const groupEnd = (Math.floor(at / this.#groupSize) + 1) * this.#groupSize;
    const last = Math.min(stop, members.length - 1);
    const options: Expression[] = [];
    if (at <= last) options.push(choiceTree(this.#choices(at, Math.min(last, groupEnd - 1), count)));
    if (last >= groupEnd)
      options.push(
        this.#rule(`later ${groupEnd} ${count}`, () => choiceTree(this.#choices(groupEnd, last, count))),
      );
    if (stop === members.length)
      for (const member of free) options.push(sequence(member, this.#rest(members.length, count + 1)));
    return options;
  }

  #choices(from: number, last: number, count: number): readonly TextChoice[] {
    return this.#selection.members.slice(from, last + 1).map((member, offset) => ({
      text: member.text,
      rest: this.#after(from + offset, count),
    }));
  }

  /** The rest of the member at `at`, whose text was written, and of the list. */
  #after(at: number, count: number): Expression {
    const member = this.#selection.members[at];
    if (member === undefined) return emptyText;
    return this.#rule(`after ${at} ${this.#capped(count)}`, () =>
      sequence(member.rest, this.#rest(at + 1, count + 1)),
    );
  }

  #rest(at: number, count: number): Expression {
    const capped = this.#capped(count);
    return this.#rule(`rest ${at} ${capped}`, () => {
      const more = choice(this.#next(at, capped));
      return choice([sequence(separator, more), ...this.#end(at, capped)]);
    });
  }

  #capped(count: number): number {
    // At the cap nothing more may follow, or enough members are there: larger counts would change nothing.
    return Math.min(count, this.#countCap);
  }

  #rule(key: string, build: () => Expression): Expression {
    return remembered(this.#rules, key, () => {
      const name = this.#builder.reserve(`${this.#name}-${key.split(' ')[0] ?? ''}`);
      this.#pending.push(() => this.#builder.set(name, build()));
      return ref(name);
    });
  }
}
