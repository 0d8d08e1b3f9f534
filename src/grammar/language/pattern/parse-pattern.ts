import {
  charRange,
  charsOf,
  codePoint,
  intersectChars,
  isSingle,
  otherChars,
  uniteChars,
  type CharSet,
} from '../../char-set.ts';
import { PatternError, type PatternNode } from './pattern-node.ts';
import { dotChars, parseEscape } from './pattern-escapes.ts';
import type { Spending } from '../../budget/work.ts';

const maxPatternLength = 4_096;
const maxGroupDepth = 32;

/**
 * The tree of a pattern, which is a regular expression of JavaScript, read with the flag u. Supported are literals,
 * `.`, classes, escapes (`\d \w \s \p{…} \u…`), groups of any kind, `|`, quantifiers, `^`, `$`, `\b`, lookaheads and
 * lookbehinds. Throws PatternError on backreferences and inline flags.
 */
export function parsePattern(pattern: string, work: Spending): PatternNode {
  if (pattern.length > maxPatternLength)
    throw new PatternError(`it is longer than ${maxPatternLength} characters`);
  return new PatternParser(pattern, work).parse();
}

class PatternParser {
  readonly #pattern: string;
  readonly #work: Spending;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, work: Spending) {
    this.#pattern = pattern;
    this.#work = work;
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#pattern.length) throw new PatternError(`there is an unmatched ')'`);
    return node;
  }

  #choice(): PatternNode {
    if (++this.#depth > maxGroupDepth)
      throw new PatternError(`it nests groups deeper than ${maxGroupDepth} levels`);
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    this.#depth -= 1;
    return oneOrAll('choice', parts);
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#peek()))
      parts.push(this.#quantified(this.#atom()));
    return oneOrAll('sequence', parts);
  }

  #atom(): PatternNode {
    const char = this.#peek();
    if (char === '\\') return this.#escape();
    if (char === '(') return this.#group();
    if (char === '[') return { kind: 'chars', set: this.#class() };
    if (/[*+?]/.test(char)) throw new PatternError(`there is nothing to repeat before '${char}'`);
    const literal = codePoint(this.#pattern.slice(this.#at, this.#at + 2));
    this.#at += String.fromCodePoint(literal).length;
    if (char === '^') return { kind: 'start' };
    if (char === '$') return { kind: 'end' };
    return { kind: 'chars', set: char === '.' ? dotChars : charRange(literal, literal) };
  }

  #escape(): PatternNode {
    const letter = this.#pattern.charAt(this.#at + 1);
    if (letter === 'b' || letter === 'B') {
      this.#at += 2;
      return { kind: 'boundary', negative: letter === 'B' };
    }
    const { set, end } = parseEscape(this.#pattern, this.#at, false, this.#work);
    this.#at = end;
    return { kind: 'chars', set };
  }

  #group(): PatternNode {
    const opening = /^\((?:\?(?::|=|!|<[A-Za-z_$][\w$]*>|<=|<!|))?/.exec(this.#pattern.slice(this.#at));
    const opened = opening?.[0] ?? '(';
    if (opened === '(?')
      throw new PatternError(
        `'${this.#pattern.slice(this.#at, this.#at + 4)}' (inline flags) is not supported`,
      );
    this.#at += opened.length;
    const inner = this.#choice();
    if (!this.#take(')')) throw new PatternError(`there is an unmatched '('`);
    if (!/[=!]$/.test(opened)) return inner;
    return { kind: 'look', inner, negative: opened.endsWith('!'), behind: opened.startsWith('(?<') };
  }

  #quantified(atom: PatternNode): PatternNode {
    const match = /^(?:([*+?])|\{(\d{1,6})(?:(,)(\d{0,6}))?\})\??/.exec(
      this.#pattern.slice(this.#at, this.#at + 20),
    );
    if (match === null) return atom;
    this.#at += match[0].length;
    const [, sign, least, comma, most] = match;
    if (sign !== undefined)
      return { kind: 'repeat', inner: atom, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? Infinity : Number(most);
    if (max < min) throw new PatternError(`the repetition ${match[0]} is out of order`);
    return { kind: 'repeat', inner: atom, min, max };
  }

  #class(): CharSet {
    const start = this.#at;
    this.#at += 1;
    const negated = this.#take('^');
    const sets: CharSet[] = [];
    while (!this.#take(']')) {
      if (this.#at >= this.#pattern.length)
        throw new PatternError(`the class at ${start} has no closing ']'`);
      const from = this.#classAtom();
      const next = this.#pattern.charAt(this.#at + 1);
      if (this.#peek() !== '-' || next === ']' || next === '') {
        sets.push(from);
        continue;
      }
      this.#at += 1;
      const to = this.#classAtom();
      // `[\w-.]` is an error with the flag u; without it the hyphen stands for itself, as many people write it.
      if (!isSingle(from) || !isSingle(to)) sets.push(from, charsOf('-'), to);
      else if ((to[0] ?? 0) < (from[0] ?? 0)) throw new PatternError('a range in a class is out of order');
      else sets.push(charRange(from[0] ?? 0, to[0] ?? 0));
    }
    const set = uniteChars(sets);
    return negated ? otherChars(set) : intersectChars(set, otherChars([]));
  }

  #classAtom(): CharSet {
    if (this.#peek() === '\\') {
      const { set, end } = parseEscape(this.#pattern, this.#at, true, this.#work);
      this.#at = end;
      return set;
    }
    const literal = codePoint(this.#pattern.slice(this.#at, this.#at + 2));
    this.#at += String.fromCodePoint(literal).length;
    return charRange(literal, literal);
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at);
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at += 1;
    return true;
  }
}

function oneOrAll(kind: 'choice' | 'sequence', parts: readonly PatternNode[]): PatternNode {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind, parts };
}
