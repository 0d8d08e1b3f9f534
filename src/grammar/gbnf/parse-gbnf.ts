import { AppError } from '../../errors/errors.ts';
import { allChars, charRange, codePoint, otherChars, uniteChars, type CharSet } from '../char-set.ts';
import { charClass, choice, literal, ref, repeat, sequence, type Expression } from '../text/expression.ts';

/** Parentheses inside of parentheses. The parser calls itself for each of them. */
const maxNesting = 64;

const skipped = /(?:\s|#[^\n]*)*/y;
const ruleBegin = /([A-Za-z0-9_-]+)\s*::=/y;
const ruleName = /[A-Za-z0-9_-]+/y;
const times = /\{\s*(\d{1,9})\s*(,\s*(\d{1,9})?\s*)?\}/y;
const hexEscape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;

const namedEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  '"': '"',
  '[': '[',
  ']': ']',
  '-': '-',
  '^': '^',
};

/**
 * The rules of a client's grammar in GBNF, llama.cpp's language for grammars, by name. Throws AppError invalid_value
 * with the line of the mistake.
 */
export function parseGbnf(text: string): ReadonlyMap<string, Expression> {
  return new GbnfParser(text).rules();
}

class GbnfParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rules(): ReadonlyMap<string, Expression> {
    const rules = new Map<string, Expression>();
    this.#skip();
    while (this.#at < this.#text.length) {
      const [, name] = this.#take(ruleBegin) ?? [];
      if (name === undefined) throw this.#wrong("a rule such as 'name ::= …' is expected");
      if (rules.has(name)) throw this.#wrong(`the rule '${name}' is there twice`);
      rules.set(name, this.#choice(0));
    }
    return rules;
  }

  #choice(nesting: number): Expression {
    const options = [this.#sequence(nesting)];
    while (this.#takeChar('|')) options.push(this.#sequence(nesting));
    return choice(options);
  }

  #sequence(nesting: number): Expression {
    const parts: Expression[] = [];
    for (;;) {
      this.#skip();
      const item = this.#isRuleBegin() ? undefined : this.#item(nesting);
      if (item === undefined) return sequence(...parts);
      parts.push(this.#repeated(item));
    }
  }

  /** The expression of the next item; undefined where the sequence ends. */
  #item(nesting: number): Expression | undefined {
    const [name] = this.#take(ruleName) ?? [];
    if (name !== undefined) return ref(name);
    switch (this.#text[this.#at]) {
      case '"':
        return this.#literal();
      case '[':
        return this.#class();
      case '.':
        this.#at++;
        return charClass(allChars);
      case '(':
        return this.#group(nesting);
      case undefined:
      case '|':
      case ')':
        return undefined;
      case '<':
      case '!':
        throw this.#wrong('tokens in <…> are not supported; write their text');
      default:
        throw this.#wrong('a text in quotes, a class in brackets, or the name of a rule is expected');
    }
  }

  #group(nesting: number): Expression {
    if (nesting === maxNesting) throw this.#wrong(`parentheses are nested more than ${maxNesting} deep`);
    this.#at++;
    const inner = this.#choice(nesting + 1);
    if (!this.#takeChar(')')) throw this.#wrong("a ')' is missing");
    return inner;
  }

  #repeated(item: Expression): Expression {
    let expression = item;
    for (;;) {
      if (this.#takeChar('*')) expression = repeat(expression, 0, Infinity);
      else if (this.#takeChar('+')) expression = repeat(expression, 1, Infinity);
      else if (this.#takeChar('?')) expression = repeat(expression, 0, 1);
      else {
        const [all, min, more, max] = this.#take(times) ?? [];
        if (all === undefined) return expression;
        const least = Number(min);
        const most = more === undefined ? least : max === undefined ? Infinity : Number(max);
        if (most < least) throw this.#wrong('a repetition has a maximum below its minimum');
        expression = repeat(expression, least, most);
      }
    }
  }

  #literal(): Expression {
    let text = '';
    this.#at++;
    for (let char = this.#char('"'); char !== undefined; char = this.#char('"'))
      text += String.fromCodePoint(char);
    return literal(text);
  }

  #class(): Expression {
    this.#at++;
    const negated = this.#text[this.#at] === '^';
    if (negated) this.#at++;
    const sets: CharSet[] = [];
    for (let from = this.#char(']'); from !== undefined; from = this.#char(']')) {
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']';
      if (isRange) this.#at++;
      const to = isRange ? this.#char() : from;
      if (to === undefined || to < from) throw this.#wrong('a range of characters ends before it begins');
      sets.push(charRange(from, to));
    }
    const set = uniteChars(sets);
    return charClass(negated ? otherChars(set) : set);
  }

  /** The next character, an escape resolved; undefined, and passed over, where it is `end`. */
  #char(end?: string): number | undefined {
    if (end !== undefined && this.#text[this.#at] === end) {
      this.#at++;
      return undefined;
    }
    const char = this.#text.codePointAt(this.#at);
    if (char === undefined || char === codePoint('\n')) throw this.#wrong(`a '${end ?? ']'}' is missing`);
    if (char !== codePoint('\\')) {
      this.#at += String.fromCodePoint(char).length;
      return char;
    }
    const [all, ...digits] = this.#take(hexEscape) ?? [];
    const escaped = namedEscapes[this.#text[this.#at + 1] ?? ''];
    if (all === undefined && escaped === undefined) throw this.#wrong('an escape is not known');
    if (all === undefined) this.#at += 2;
    const code = all === undefined ? codePoint(escaped ?? '') : Number.parseInt(digits.join(''), 16);
    if (charRange(code, code).length === 0) throw this.#wrong('an escape stands for no character');
    return code;
  }

  #isRuleBegin(): boolean {
    ruleBegin.lastIndex = this.#at;
    return ruleBegin.test(this.#text);
  }

  #takeChar(char: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  #skip(): void {
    this.#take(skipped);
  }

  #wrong(what: string): AppError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return invalidGrammar(`${what} (line ${line})`);
  }
}

/** The error for a grammar that cannot be used; `what` is a part of a sentence that says why. */
export const invalidGrammar = (what: string) =>
  new AppError('invalid_value', `The grammar cannot be used: ${what}.`, { param: 'schema' });
