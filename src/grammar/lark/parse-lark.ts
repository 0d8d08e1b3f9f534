import { PatternError } from '../language/pattern/pattern-node.ts';
import { commonTerminals } from './common-terminals.ts';

/** The body of a rule or a terminal of a Lark grammar. */
export type LarkNode =
  | { readonly kind: 'choice' | 'sequence'; readonly parts: readonly LarkNode[] }
  /** `times` is a quantifier of regular expressions. */
  | { readonly kind: 'repeat'; readonly inner: LarkNode; readonly times: string }
  /** A regular expression without alternatives outside groups. */
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string };

export interface LarkGrammar {
  /** Rules have names in lower case, terminals in upper case. */
  readonly definitions: ReadonlyMap<string, LarkNode>;
  /** Terminals that may stand between any two others. */
  readonly ignored: readonly LarkNode[];
}

const tokenPattern =
  /\s+|\/\/[^\n]*|#[^\n]*|(?<directive>%\w+)|(?<string>"(?:\\.|[^"\\\n])*"i?)|(?<regex>\/(?:\\.|[^\\/\n])+\/[a-z]*)|(?<name>[?!]{0,2}_*[a-zA-Z]\w*)|(?<number>\d+)|(?<sign>->|\.\.|[:|()[\]?*+~.,])/y;

interface Token {
  readonly kind: string;
  readonly text: string;
}

const end: Token = { kind: 'end', text: '' };
const maxDepth = 32;

/** The definitions of a grammar in Lark's language. Throws PatternError for any other text. */
export function parseLark(source: string): LarkGrammar {
  return new LarkParser(tokensOf(source)).parse();
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < source.length) {
    const at = tokenPattern.lastIndex;
    const found = tokenPattern.exec(source);
    if (found === null) throw new PatternError(`'${source.slice(at, at + 20)}' is not understood`);
    const [kind, text] = Object.entries(found.groups ?? {}).find(([, group]) => group !== undefined) ?? [];
    if (kind !== undefined && text !== undefined) tokens.push({ kind, text });
  }
  return tokens;
}

class LarkParser {
  readonly #tokens: readonly Token[];
  readonly #definitions = new Map<string, LarkNode>();
  readonly #ignored: LarkNode[] = [];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LarkGrammar {
    while (this.#peek() !== end) {
      const token = this.#next();
      if (token.kind === 'name') this.#define(token.text.replace(/^[?!]+/, ''));
      else if (token.text === '%import') this.#import();
      else if (token.text === '%ignore') this.#ignored.push(this.#choice());
      else throw unexpected(token);
    }
    return { definitions: this.#definitions, ignored: this.#ignored };
  }

  #define(name: string): void {
    // A priority chooses between parses of the same text. It does not matter which texts there are.
    if (this.#take('.')) this.#next();
    this.#expect(':');
    if (this.#definitions.has(name)) throw new PatternError(`'${name}' is defined twice`);
    this.#definitions.set(name, this.#choice());
  }

  #import(): void {
    const from = this.#next().text;
    if (from !== 'common') throw new PatternError(`'%import ${from}': only 'common' can be imported`);
    const names: string[] = [];
    if (this.#take('(')) {
      do names.push(this.#next().text);
      while (this.#take(','));
      this.#expect(')');
    } else {
      this.#expect('.');
      names.push(this.#next().text);
    }
    const alias = this.#take('->') ? this.#next().text : undefined;
    for (const name of names) {
      const text = commonTerminals.get(name);
      if (text === undefined) throw new PatternError(`'common.${name}' is not known`);
      this.#definitions.set(alias ?? name, { kind: 'pattern', text });
    }
  }

  #choice(): LarkNode {
    if (++this.#depth > maxDepth) throw new PatternError(`it nests groups deeper than ${maxDepth} levels`);
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    this.#depth -= 1;
    return { kind: 'choice', parts };
  }

  #sequence(): LarkNode {
    const parts: LarkNode[] = [];
    while (!this.#endsSequence()) parts.push(this.#quantified(this.#atom()));
    if (this.#take('->')) this.#next();
    return { kind: 'sequence', parts };
  }

  /** Whether the next token begins another alternative, another definition or a directive. */
  #endsSequence(): boolean {
    const { kind, text } = this.#peek();
    if (kind === 'end' || kind === 'directive' || ['|', ')', ']', '->'].includes(text)) return true;
    if (kind !== 'name') return false;
    return [':', '.'].includes(this.#peek(1).text);
  }

  #atom(): LarkNode {
    const token = this.#next();
    if (token.kind === 'name') return { kind: 'name', name: token.text };
    if (token.kind === 'regex') return { kind: 'pattern', text: regexOf(token.text) };
    if (token.kind === 'string') return this.#literal(token.text);
    if (token.text !== '(' && token.text !== '[') throw unexpected(token);
    const inner = this.#choice();
    this.#expect(token.text === '(' ? ')' : ']');
    return token.text === '(' ? inner : { kind: 'repeat', inner, times: '?' };
  }

  #literal(written: string): LarkNode {
    const text = textOf(written);
    if (!this.#take('..')) {
      const chars = Array.from(text, (char) => charPattern(char, written.endsWith('i')));
      return { kind: 'pattern', text: chars.join('') };
    }
    const bounds = [text, textOf(this.#next().text)].map((bound) => charPattern(bound, false));
    return { kind: 'pattern', text: `[${bounds.join('-')}]` };
  }

  #quantified(inner: LarkNode): LarkNode {
    const { text } = this.#peek();
    if (['?', '*', '+'].includes(text)) return { kind: 'repeat', inner, times: this.#next().text };
    if (!this.#take('~')) return inner;
    const least = this.#next().text;
    const most = this.#take('..') ? this.#next().text : least;
    return { kind: 'repeat', inner, times: `{${least},${most}}` };
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? end;
  }

  #next(): Token {
    const token = this.#peek();
    if (token === end) throw new PatternError('it ends in the middle of a definition');
    this.#at += 1;
    return token;
  }

  #take(text: string): boolean {
    if (this.#peek().text !== text) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new PatternError(`there is no '${text}' before '${this.#peek().text}'`);
  }
}

function unexpected({ text }: Token): PatternError {
  return new PatternError(`'${text.slice(0, 40)}' is not supported here`);
}

/** The text of a literal with its quotes. */
function textOf(written: string): string {
  try {
    const json = written.replace(/i$/, '').replaceAll(/\\x([\da-fA-F]{2})/g, '\\u00$1');
    return JSON.parse(json) as string;
  } catch {
    throw new PatternError(`the text ${written.slice(0, 40)} is not supported`);
  }
}

/** The regular expression of a pattern between slashes. */
function regexOf(written: string): string {
  const at = written.lastIndexOf('/');
  const flags = written.slice(at + 1);
  if (flags !== '') throw new PatternError(`the flag '${flags}' of a pattern is not supported`);
  return `(?:${written.slice(1, at)})`;
}

/** A regular expression for `char`; with `anyCase` also for its other case. */
function charPattern(char: string, anyCase: boolean): string {
  const cases = anyCase ? [...new Set([char.toLowerCase(), char.toUpperCase()])] : [char];
  const escaped = cases.map((one) => one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return escaped.length > 1 ? `(?:${escaped.join('|')})` : (escaped[0] ?? '');
}
