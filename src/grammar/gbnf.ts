import { codePoint, rangesOf, type CharSet } from './char-set.ts';

const named: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/**
 * The literal that matches exactly `text` in GBNF, llama.cpp's language for grammars, with its quotes. Throws
 * RangeError where half a surrogate pair is in the text.
 */
export function gbnfLiteral(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('A lone surrogate cannot be part of a grammar.');
  return `"${Array.from(text, (char) => named.get(char) ?? visible(char)).join('')}"`;
}

/** The GBNF class of the characters of `set`. It is never negated: a negated class would also match invalid UTF-8. */
export function gbnfClass(set: CharSet): string {
  let body = '';
  for (const [from, to] of rangesOf(set)) {
    body += classChar(from);
    if (to > from) body += to === from + 1 ? classChar(to) : `-${classChar(to)}`;
  }
  return `[${body}]`;
}

function classChar(char: number): string {
  const text = String.fromCodePoint(char);
  if (/^[\]\\[-]$/.test(text)) return `\\${text}`;
  return text === '^' || text === '"' ? hex(char) : (named.get(text) ?? visible(text));
}

function visible(char: string): string {
  const code = codePoint(char);
  return code >= 0x20 && code <= 0x7e ? char : hex(code);
}

function hex(code: number): string {
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/** The text of a whole grammar: `root` as the body of its first rule, then `rules`. */
export function grammarText(root: string, rules: ReadonlyMap<string, string>): string {
  return [`root ::= ${root}`, ...[...rules].map(([name, text]) => `${name} ::= ${text}`), ''].join('\n');
}

/** GBNF rules for the documents of a schema, which can be joined with other rules. */
export interface CompiledSchema {
  /** The bodies of the rules by name. Names begin with the prefix, save for the primitive rules, which are shared. */
  readonly rules: ReadonlyMap<string, string>;
  /** The rule that matches one document. */
  readonly rootRule: string;
  /** Paths from the schema's root to keywords that are unknown and ignored, the first of them. */
  readonly ignored: readonly string[];
}
