/** Code units of UTF-16. */
const codeUnits = 65_536;
/** The most states of an automaton: some 10 MB, built in 100 ms. */
const mostStates = 2 ** 18;

/**
 * Finds given texts in other texts, in time that grows with the searched text only (Aho and Corasick, 1975). It is an
 * automaton: it begins in state 0 and moves to another state with each code unit that it reads. A state stands for the
 * longest end of what was read with which one of the given texts begins.
 */
export class TextAutomaton {
  readonly texts: readonly string[];
  readonly #tree: TextTree;
  /** For each state, the state of the next shorter such end of what was read. */
  readonly #shorter: Int32Array;
  /** For each state, the length of the longest given text with which what was read ends; 0: none. */
  readonly #found: Int32Array;
  /** For each state, the length of the longest end of what was read that can still become one of the given texts. */
  readonly #pending: Int32Array;

  /**
   * None of `texts` may be empty. Takes time and memory in proportion to their length together.
   * Throws RangeError when they have more than 262,144 different beginnings.
   */
  constructor(texts: readonly string[]) {
    this.texts = texts;
    const tree = new TextTree(texts);
    this.#tree = tree;
    this.#shorter = new Int32Array(tree.size);
    this.#found = new Int32Array(tree.size);
    this.#pending = new Int32Array(tree.size);
    const continued = tree.continued();
    for (const text of texts) this.#found[tree.find(text)] = text.length;
    for (const state of tree.statesByDepth) {
      const parent = tree.parentOf(state);
      const shorter = parent === 0 ? 0 : this.#follow(this.#shorter[parent] ?? 0, tree.letterOf(state));
      this.#shorter[state] = shorter;
      this.#found[state] ||= this.#found[shorter] ?? 0;
      this.#pending[state] = continued[state] === 1 ? tree.depthOf(state) : (this.#pending[shorter] ?? 0);
    }
  }

  /** The state after `code`, a UTF-16 code unit, was read in `state`. */
  next(state: number, code: number): number {
    const letter = this.#tree.letterOfCode(code);
    return letter === 0 ? 0 : this.#follow(state, letter);
  }

  /** Length of the longest of the texts with which what was read ends; 0: it ends with none. */
  foundLength(state: number): number {
    return this.#found[state] ?? 0;
  }

  /** Length of the longest end of what was read with which a longer one of the texts begins; 0: there is none. */
  pendingLength(state: number): number {
    return this.#pending[state] ?? 0;
  }

  /** Those of the texts that `text` contains. */
  containedIn(text: string): string[] {
    const reached = new Uint8Array(this.#tree.size);
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = this.next(state, text.charCodeAt(at));
      reached[state] = 1;
    }
    for (const longer of this.#tree.statesByDepth.toReversed())
      if (reached[longer] === 1) reached[this.#shorter[longer] ?? 0] = 1;
    return this.texts.filter((one) => reached[this.#tree.find(one)] === 1);
  }

  #follow(state: number, letter: number): number {
    for (let from = state; ; from = this.#shorter[from] ?? 0) {
      const next = this.#tree.child(from, letter);
      if (next !== 0 || from === 0) return next;
    }
  }
}

/** The tree of all beginnings of some texts (a trie). Its nodes are states; the root is state 0. */
class TextTree {
  /** All states but the root, those of short beginnings first. */
  readonly statesByDepth: Int32Array;
  /** For each code unit, 1 where one of the texts holds it. */
  readonly #isUsed = new Uint8Array(codeUnits);
  readonly #parents: Int32Array;
  readonly #parentLetters: Int32Array;
  readonly #depths: Int32Array;
  #size = 1;
  /** A hash table with open addressing: states by parent and letter; 0 is a free place. */
  readonly #children: Int32Array;

  constructor(texts: readonly string[]) {
    const totalChars = texts.reduce((total, { length }) => total + length, 0);
    const capacity = Math.min(totalChars + 1, mostStates);
    this.#children = new Int32Array(2 ** Math.ceil(Math.log2(2 * capacity)));
    this.#parents = new Int32Array(capacity);
    this.#parentLetters = new Int32Array(capacity);
    this.#depths = new Int32Array(capacity);
    for (const text of texts)
      for (let at = 0, state = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        this.#isUsed[code] = 1;
        const letter = this.letterOfCode(code);
        state = this.child(state, letter) || this.#add(state, letter);
      }
    this.statesByDepth = this.#sortByDepth();
  }

  get size(): number {
    return this.#size;
  }

  parentOf(state: number): number {
    return this.#parents[state] ?? 0;
  }

  /** The letter of the edge that leads to `state`. */
  letterOf(state: number): number {
    return this.#parentLetters[state] ?? 0;
  }

  depthOf(state: number): number {
    return this.#depths[state] ?? 0;
  }

  /** The letter that stands for the code unit `code` on edges; 0 where none of the texts holds it. */
  letterOfCode(code: number): number {
    return this.#isUsed[code] === 1 ? code + 1 : 0;
  }

  /** The state to which the edge `letter` of `state` leads; 0: there is no such edge. */
  child(state: number, letter: number): number {
    return this.#children[this.#placeOf(state, letter)] ?? 0;
  }

  /** The state of the whole `text`, which is one of the texts. */
  find(text: string): number {
    let state = 0;
    for (let at = 0; at < text.length; at++)
      state = this.child(state, this.letterOfCode(text.charCodeAt(at)));
    return state;
  }

  /** For each state, 1 where one of the texts is longer than the beginning that the state stands for. */
  continued(): Uint8Array {
    const continued = new Uint8Array(this.size);
    for (let state = 1; state < this.#size; state++) continued[this.parentOf(state)] = 1;
    return continued;
  }

  #add(parent: number, letter: number): number {
    const state = this.size;
    if (state >= mostStates) throw new RangeError(`texts with more than ${mostStates} different beginnings`);
    this.#children[this.#placeOf(parent, letter)] = state;
    this.#parents[state] = parent;
    this.#parentLetters[state] = letter;
    this.#depths[state] = this.depthOf(parent) + 1;
    this.#size++;
    return state;
  }

  #placeOf(parent: number, letter: number): number {
    const mask = this.#children.length - 1;
    const hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(letter, 0x85ebca6b);
    for (let place = (hash ^ (hash >>> 15)) & mask; ; place = (place + 1) & mask) {
      const state = this.#children[place] ?? 0;
      if (state === 0 || (this.#parents[state] === parent && this.#parentLetters[state] === letter))
        return place;
    }
  }

  #sortByDepth(): Int32Array {
    const places = new Int32Array(this.size + 1);
    const depths = this.#depths.subarray(0, this.size);
    for (const depth of depths) places[depth + 1] = (places[depth + 1] ?? 0) + 1;
    for (let depth = 1; depth <= this.size; depth++)
      places[depth] = (places[depth] ?? 0) + (places[depth - 1] ?? 0);
    const states = new Int32Array(this.size);
    for (const [state, depth] of depths.entries()) {
      const place = places[depth] ?? 0;
      states[place] = state;
      places[depth] = place + 1;
    }
    return states.subarray(1);
  }
}
