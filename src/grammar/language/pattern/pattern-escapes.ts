import { remembered } from '../../remembered.ts';
import {
  allChars,
  charRange,
  charsOf,
  codePoint,
  otherChars,
  subtractChars,
  uniteChars,
  type CharSet,
} from '../../char-set.ts';
import { PatternError } from './pattern-node.ts';
import type { Spending } from '../../budget/work.ts';

const digits = charRange(0x30, 0x39);
const wordChars = uniteChars([digits, charRange(0x41, 0x5a), charRange(0x61, 0x7a), charRange(0x5f, 0x5f)]);
/** White space and line terminators of ECMA-262. */
const spaces = uniteChars([
  charRange(0x09, 0x0d),
  charRange(0x2000, 0x200a),
  charsOf(' \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff'),
]);

/** The characters that `.` stands for without the flag s. */
export const dotChars: CharSet = subtractChars(allChars, charsOf('\n\r\u2028\u2029'));

const classEscapes: ReadonlyMap<string, CharSet> = new Map([
  ['d', digits],
  ['D', otherChars(digits)],
  ['w', wordChars],
  ['W', otherChars(wordChars)],
  ['s', spaces],
  ['S', otherChars(spaces)],
]);

const controlEscapes: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
]);

/** The characters that an escape stands for, and where the text after it begins. */
export interface Escape {
  readonly set: CharSet;
  readonly end: number;
}

/** The escape whose backslash is at `at` in `pattern`. Throws PatternError where it is not supported. */
export function parseEscape(pattern: string, at: number, inClass: boolean, work: Spending): Escape {
  const letter = pattern.charAt(at + 1);
  const set = classEscapes.get(letter);
  if (set !== undefined) return { set, end: at + 2 };
  const control = controlEscapes.get(letter) ?? (inClass && letter === 'b' ? 8 : undefined);
  if (control !== undefined) return single(control, at + 2);
  if (letter === 'p' || letter === 'P') return parseProperty(pattern, at, work);
  if (letter === 'x' || letter === 'u') return parseHex(pattern, at);
  if (letter === 'c') {
    const name = pattern.charAt(at + 2);
    if (/^[A-Za-z]$/.test(name)) return single(codePoint(name) % 32, at + 3);
  }
  if (letter === '0' && !/^[0-9]$/.test(pattern.charAt(at + 2))) return single(0, at + 2);
  if (/^[A-Za-z0-9]?$/.test(letter)) {
    const meaning = /[1-9k]/.test(letter) ? 'backreferences are' : 'this escape is';
    throw new PatternError(
      `\\${letter}: ${meaning} not supported; write the characters that are allowed instead`,
    );
  }
  const literal = codePoint(pattern.slice(at + 1));
  return single(literal, at + 1 + String.fromCodePoint(literal).length);
}

const single = (char: number, end: number): Escape => ({ set: charRange(char, char), end });

function parseHex(pattern: string, at: number): Escape {
  const rest = pattern.slice(at, at + 12);
  const pair = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(rest);
  if (pair !== null) {
    const units = [pair[1] ?? '', pair[2] ?? ''].map((hex) => Number.parseInt(hex, 16));
    return single(codePoint(String.fromCharCode(...units)), at + 12);
  }
  const match = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\})/.exec(rest);
  const hex = match?.[1] ?? match?.[2] ?? match?.[3];
  if (match === null || hex === undefined)
    throw new PatternError(`${pattern.slice(at, at + 2)} needs hexadecimal digits after it`);
  return single(Number.parseInt(hex, 16), at + match[0].length);
}

const properties = new Map<string, CharSet>();
/** The steps to join the set of a Unicode property with others, and to find that set. */
const stepsPerProperty = 300;
const stepsPerScan = 150_000;

function parseProperty(pattern: string, at: number, work: Spending): Escape {
  const match = /^\\([pP])\{([A-Za-z_=0-9]{1,64})\}/.exec(pattern.slice(at, at + 70));
  const name = match?.[2];
  if (match === null || name === undefined) throw new PatternError('\\p needs a property name in braces');
  work.spend(stepsPerProperty);
  work.spendOnce(`\\p{${name}}`, stepsPerScan);
  const set = remembered(properties, name, () => scanProperty(name));
  return { set: match[1] === 'P' ? otherChars(set) : set, end: at + match[0].length };
}

/** Put together when a pattern first uses a property. */
let everyChar: string | undefined;

/** The characters with the property `name`, found with JavaScript's own expressions. */
function scanProperty(name: string): CharSet {
  let runs: RegExp;
  try {
    runs = new RegExp(`\\p{${name}}+`, 'gu');
  } catch (error) {
    throw new PatternError(`\\p{${name}} is not a Unicode property`, { cause: error });
  }
  everyChar ??= textOfAll();
  const found: CharSet[] = [];
  for (const { 0: run } of everyChar.matchAll(runs)) {
    const unit = run.charCodeAt(run.length - 1);
    const last = isSurrogate(unit) ? codePoint(run.slice(-2)) : unit;
    found.push(
      charRange(codePoint(run), isPlain(last) && last % planeSize === 0 ? last + planeSize - 3 : last),
    );
  }
  return uniteChars(found);
}

const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

const planeSize = 0x10000;

/** Whether all characters of the plane of `char` are unassigned or for private use, but for the last two. */
const isPlain = (char: number) => char >= 0x40000 && char >> 16 !== 0xe;

/** All characters; of a plain plane the first, for all like it, and the last two, which are noncharacters. */
function textOfAll(): string {
  const parts: string[] = [];
  for (let from = 0; from <= 0x10ffff; from += 256) {
    const block = Array.from({ length: 256 }, (_, at) => from + at);
    if (!isPlain(from)) parts.push(isSurrogate(from) ? '' : String.fromCodePoint(...block));
    else if (from % planeSize === 0)
      parts.push(String.fromCodePoint(from, from + planeSize - 2, from + planeSize - 1));
  }
  return parts.join('');
}
