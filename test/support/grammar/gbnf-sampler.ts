/** Reads GBNF as llama.cpp does, and makes random texts of it. Throws on anything that it does not know. */

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly ranges: readonly (readonly [from: number, to: number])[] }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly inner: Node; readonly min: number; readonly max: number };

/** Draws uniformly from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** A repeatable source of randomness (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Samples texts of one grammar, whose start is `root`. */
export class GbnfSampler {
  readonly #rules = new Map<string, Node>();
  /** Levels of rules that a rule needs at least before it ends. */
  readonly #heights = new Map<string, number>();

  constructor(grammar: string) {
    for (const line of grammar.split('\n')) {
      if (line === '') continue;
      const at = line.indexOf(' ::= ');
      if (at < 0) throw new Error(`Not a rule: ${line}`);
      this.#rules.set(line.slice(0, at), new RuleParser(line.slice(at + 5)).parse());
    }
    for (let changed = true; changed;) {
      changed = false;
      for (const [name, node] of this.#rules) {
        const height = this.#height(node) + 1;
        if (height < (this.#heights.get(name) ?? Infinity)) {
          this.#heights.set(name, height);
          changed = true;
        }
      }
    }
    for (const name of this.#rules.keys())
      if (!this.#heights.has(name)) throw new Error(`The rule ${name} never ends.`);
  }

  /** One text. Below `depth` levels of rules it takes the shortest way to the end. */
  sample(random: Random, depth = 40): string {
    const parts: string[] = [];
    let budget = 3_000;
    const walk = (node: Node, left: number): void => {
      switch (node.kind) {
        case 'text':
          parts.push(node.text);
          return;
        case 'class':
          parts.push(pickChar(node.ranges, random));
          return;
        case 'rule': {
          const rule = this.#rules.get(node.name);
          if (rule === undefined) throw new Error(`There is no rule ${node.name}.`);
          budget -= 1;
          walk(rule, left - 1);
          return;
        }
        case 'sequence':
          for (const part of node.parts) walk(part, left);
          return;
        case 'choice': {
          const hurried = left <= 0 || budget <= 0;
          const lowest = Math.min(...node.options.map((option) => this.#height(option)));
          const options = hurried
            ? node.options.filter((option) => this.#height(option) === lowest)
            : node.options;
          const option = options[Math.floor(random() * options.length)];
          if (option !== undefined) walk(option, left);
          return;
        }
        case 'repeat': {
          const hurried = left <= 0 || budget <= 0;
          const most = hurried ? node.min : Math.min(node.max, node.min + (random() < 0.1 ? 40 : 3));
          const times = node.min + Math.floor(random() * (most - node.min + 1));
          for (let time = 0; time < times; time++) walk(node.inner, left - 1);
        }
      }
    };
    walk({ kind: 'rule', name: 'root' }, depth);
    return parts.join('');
  }

  #height(node: Node): number {
    switch (node.kind) {
      case 'text':
      case 'class':
        return 0;
      case 'rule':
        return this.#heights.get(node.name) ?? Infinity;
      case 'sequence':
        return Math.max(0, ...node.parts.map((part) => this.#height(part)));
      case 'choice':
        return Math.min(...node.options.map((option) => this.#height(option)));
      case 'repeat':
        return node.min === 0 ? 0 : this.#height(node.inner);
    }
  }
}

function pickChar(ranges: readonly (readonly [number, number])[], random: Random): string {
  // Every range as likely as any other: otherwise nearly all characters would be rare ones.
  const [from, to] = ranges[Math.floor(random() * ranges.length)] ?? [0x3f, 0x3f];
  const edge = random();
  const code = edge < 0.1 ? from : edge < 0.2 ? to : from + Math.floor(random() * (to - from + 1));
  return String.fromCodePoint(code);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\\', '\\'],
  ['"', '"'],
  ['[', '['],
  [']', ']'],
  ['-', '-'],
]);

class RuleParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Node {
    const node = this.#choice();
    if (this.#at < this.#text.length)
      throw new Error(`Unexpected text in a rule: ${this.#text.slice(this.#at)}`);
    return node;
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return { kind: 'choice', options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    for (;;) {
      this.#spaces();
      const char = this.#text.charAt(this.#at);
      if (char === '' || char === '|' || char === ')') return { kind: 'sequence', parts };
      parts.push(this.#repeated(this.#item()));
    }
  }

  #item(): Node {
    if (this.#take('(')) {
      const inner = this.#choice();
      if (!this.#take(')')) throw new Error('A parenthesis is not closed.');
      return inner;
    }
    if (this.#take('"')) {
      let text = '';
      while (!this.#next('"')) text += this.#char();
      return { kind: 'text', text };
    }
    if (this.#take('[')) return { kind: 'class', ranges: this.#ranges() };
    const name = /^[A-Za-z0-9-]+/.exec(this.#text.slice(this.#at))?.[0];
    if (name === undefined) throw new Error(`Unexpected text in a rule: ${this.#text.slice(this.#at)}`);
    this.#at += name.length;
    return { kind: 'rule', name };
  }

  #ranges(): readonly (readonly [number, number])[] {
    const ranges: [number, number][] = [];
    while (!this.#next(']')) {
      const from = this.#char().codePointAt(0) ?? 0;
      const to = this.#next('-') ? (this.#char().codePointAt(0) ?? 0) : from;
      ranges.push([from, to]);
    }
    return ranges;
  }

  #repeated(inner: Node): Node {
    const match = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})/.exec(this.#text.slice(this.#at));
    if (match === null) return inner;
    this.#at += match[0].length;
    const [, sign, least, comma, most] = match;
    if (sign !== undefined)
      return { kind: 'repeat', inner, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? Infinity : Number(most);
    if (min > 2_000 || (max !== Infinity && max > 2_000)) throw new Error('llama.cpp ignores such a bound.');
    return { kind: 'repeat', inner, min, max };
  }

  #char(): string {
    const rest = this.#text.slice(this.#at);
    const hex = /^\\(?:x([0-9A-F]{2})|u([0-9A-F]{4})|U([0-9A-F]{8}))/.exec(rest);
    if (hex !== null) {
      this.#at += hex[0].length;
      return String.fromCodePoint(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16));
    }
    if (rest.startsWith('\\')) {
      const char = escapes.get(rest.charAt(1));
      if (char === undefined) throw new Error(`llama.cpp knows no such escape: ${rest.slice(0, 2)}`);
      this.#at += 2;
      return char;
    }
    if (rest === '') throw new Error('The rule ends inside a literal or class.');
    const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    this.#at += char.length;
    return char;
  }

  #spaces(): void {
    while (this.#text.charAt(this.#at) === ' ') this.#at += 1;
  }

  #next(char: string): boolean {
    if (this.#text.charAt(this.#at) !== char) return false;
    this.#at += 1;
    return true;
  }

  #take(char: string): boolean {
    this.#spaces();
    return this.#next(char);
  }
}
