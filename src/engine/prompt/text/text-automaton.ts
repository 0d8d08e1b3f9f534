const codeUnits = 65_536;
/** The most states of an automaton: some 20 MB, built in 200 ms. */
const mostStates = 2 ** 18;

/**
 * Finds given texts in other texts, in time that grows with the searched text only (Aho and Corasick, 1975). It is an
 * automaton: it begins in state 0 and moves to another state with each code unit that it reads. A state stands for the
 * longest end of the text so far that is a beginning of one of the given texts.
 */
export class TextAutomaton {
  readonly texts: readonly string[];
  /** The states that follow the others, by state and code unit, and those that follow state 0, where prose is read. */
  readonly #following = new Map<number, number>();
  readonly #first = new Int32Array(codeUnits);
  /** For each state, the state of the next shorter such end of the text so far, whose number is lower. */
  readonly #shorter = [0];
  /** For each state, the length of the longest given text with which the text so far ends; 0: none. */
  readonly #found = [0];
  /** For each state, the length of the longest end of the text so far that can still become one of the given texts. */
  readonly #pending = [0];
  /** For each of the texts, the state that stands for it. */
  readonly #ends: readonly number[];

  /**
   * None of `texts` may be empty. Takes time and memory in proportion to their length together.
   * Throws RangeError when they have more than 262,144 different beginnings.
   */
  constructor(texts: readonly string[]) {
    this.texts = texts;
    const ends = texts.map(() => 0);
    let open = [...texts.entries()];
    // Shorter beginnings come first, so that those on which a longer one falls back are there.
    for (let length = 1; open.length > 0; length++) {
      for (const [index, text] of open)
        ends[index] = this.#stateBehind(ends[index] ?? 0, text.charCodeAt(length - 1), length);
      open = open.filter(([, text]) => text.length > length);
    }
    for (const [index, end] of ends.entries()) this.#found[end] = texts[index]?.length ?? 0;
    for (const [state, shorter] of this.#shorter.entries()) {
      this.#found[state] ||= this.#found[shorter] ?? 0;
      this.#pending[state] ||= this.#pending[shorter] ?? 0;
    }
    this.#ends = ends;
  }

  /** The state after `code`, a UTF-16 code unit, was read in `state`. */
  next(state: number, code: number): number {
    for (let from = state; from !== 0; from = this.#shorter[from] ?? 0) {
      const next = this.#following.get(from * codeUnits + code);
      if (next !== undefined) return next;
    }
    return this.#first[code] ?? 0;
  }

  /** Length of the longest of the texts with which the text so far ends; 0: it ends with none. */
  foundLength(state: number): number {
    return this.#found[state] ?? 0;
  }

  /** Length of the longest end of the text so far with which a longer one of the texts begins; 0: there is none. */
  pendingLength(state: number): number {
    return this.#pending[state] ?? 0;
  }

  /** Those of the texts that `text` contains. */
  containedIn(text: string): string[] {
    const reached = new Uint8Array(this.#shorter.length);
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = this.next(state, text.charCodeAt(at));
      reached[state] = 1;
    }
    for (let longer = reached.length - 1; longer > 0; longer--)
      if (reached[longer] === 1) reached[this.#shorter[longer] ?? 0] = 1;
    return this.texts.filter((_, index) => reached[this.#ends[index] ?? 0] === 1);
  }

  /** The state for the beginning of `length` code units that is one code unit longer than that of `state`. */
  #stateBehind(state: number, code: number, length: number): number {
    const known = state === 0 ? this.#first[code] : this.#following.get(state * codeUnits + code);
    if (known) return known;
    const added = this.#shorter.length;
    if (added >= mostStates) throw new RangeError(`texts with more than ${mostStates} different beginnings`);
    this.#shorter.push(state === 0 ? 0 : this.next(this.#shorter[state] ?? 0, code));
    this.#found.push(0);
    this.#pending.push(0);
    this.#pending[state] = length - 1;
    if (state === 0) this.#first[code] = added;
    else this.#following.set(state * codeUnits + code, added);
    return added;
  }
}
