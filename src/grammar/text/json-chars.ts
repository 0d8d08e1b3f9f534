import { charClass, choice, literal, type Expression } from './expression.ts';
import {
  charRange,
  charsOf,
  codesIn,
  hasChar,
  intersectChars,
  isSingle,
  rangesOf,
  subtractChars,
  uniteChars,
  type CharSet,
} from '../char-set.ts';

const controls = charRange(0x00, 0x1f);
const mustEscape = uniteChars([controls, charsOf('"\\')]);

/** The characters that JSON writes as a backslash and one more character, the most usual first. */
const shortEscapes: readonly (readonly [char: string, written: string])[] = [
  ['"', '"'],
  ['\\', '\\'],
  ['\n', 'n'],
  ['\t', 't'],
  ['\r', 'r'],
  ['\b', 'b'],
  ['\f', 'f'],
];

/**
 * One character of `set` as it is written in a JSON string: itself where JSON allows that, else its escape. Control
 * characters without a short escape are left out, unless the set has no other characters.
 */
export function jsonChar(set: CharSet): Expression {
  const raw = fewRanges(subtractChars(set, mustEscape));
  if (isSingle(raw) && set.length === 2) return literal(String.fromCodePoint(raw[0] ?? 0));
  const options: Expression[] = raw.length > 0 ? [charClass(raw)] : [];
  const escapes = shortEscapes.filter(([char]) => hasChar(set, char.codePointAt(0) ?? 0));
  for (const [, written] of escapes) options.push(literal(`\\${written}`));
  if (options.length > 0) return choice(options);
  const rare = codesIn(intersectChars(set, controls));
  return choice(rare.map((code) => literal(`\\u${code.toString(16).padStart(4, '0')}`)));
}

/**
 * `set` with at most 48 ranges, as llama.cpp compares every candidate token with every range: the first 24 and the
 * largest of the others. Of a property such as \\p{L} these hold all larger scripts.
 */
export function fewRanges(set: CharSet): CharSet {
  const kept = 48;
  if (set.length <= 2 * kept) return set;
  const ranges = rangesOf(set);
  const first = ranges.splice(0, kept / 2);
  const largest = ranges.sort((a, b) => b[1] - b[0] - (a[1] - a[0])).slice(0, kept / 2);
  return uniteChars([...first, ...largest].map((range) => [...range]));
}
