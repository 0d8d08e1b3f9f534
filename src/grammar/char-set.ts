/**
 * A set of characters (Unicode scalar values), as a flat list of inclusive ranges `[from, to, from, to, …]`, sorted and
 * disjoint. No set holds surrogates, as a generated string must be encodable as UTF-8.
 */
export type CharSet = readonly number[];

const lastScalar = 0x10ffff;

export const noChars: CharSet = [];
export const allChars: CharSet = [0, 0xd7ff, 0xe000, lastScalar];

/** The characters of texts without quotes: no control characters except tab and line break, and no surrogates. */
export const textChars: CharSet = [0x09, 0x0a, 0x20, 0x7e, 0xa0, 0xd7ff, 0xe000, lastScalar];

export const charRange = (from: number, to: number): CharSet => intersectChars([from, to], allChars);

/** The ranges of `set`, the first and the last character of each. */
export function rangesOf(set: CharSet): (readonly [from: number, to: number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < set.length; at += 2) ranges.push([set[at] ?? 0, set[at + 1] ?? 0]);
  return ranges;
}

/** The characters of `set`, one by one. */
export const codesIn = (set: CharSet): number[] =>
  rangesOf(set).flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));

/** Whether `set` has one character. */
export const isSingle = (set: CharSet): boolean => set.length === 2 && set[0] === set[1];

/** The set of the characters of `text`. */
export function charsOf(text: string): CharSet {
  return uniteChars(Array.from(text, (char) => charRange(codePoint(char), codePoint(char))));
}

/** The first code point of `text`, which is not empty. */
export const codePoint = (text: string): number => text.codePointAt(0) ?? 0;

export function uniteChars(sets: readonly CharSet[]): CharSet {
  const ranges: [number, number][] = [];
  for (const set of sets)
    for (let at = 0; at < set.length; at += 2) ranges.push([set[at] ?? 0, set[at + 1] ?? 0]);
  ranges.sort((a, b) => a[0] - b[0]);
  const united: number[] = [];
  for (const [from, to] of ranges) {
    const last = united.length - 1;
    if (last > 0 && from <= (united[last] ?? 0) + 1) united[last] = Math.max(united[last] ?? 0, to);
    else united.push(from, to);
  }
  return united;
}

export function intersectChars(left: CharSet, right: CharSet): CharSet {
  const common: number[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    const from = Math.max(left[l] ?? 0, right[r] ?? 0);
    const leftEnd = left[l + 1] ?? 0;
    const rightEnd = right[r + 1] ?? 0;
    const to = Math.min(leftEnd, rightEnd);
    if (from <= to) common.push(from, to);
    if (leftEnd < rightEnd) l += 2;
    else r += 2;
  }
  return common;
}

/** All characters that are not in `set`. */
export function otherChars(set: CharSet): CharSet {
  const others: number[] = [];
  let next = 0;
  for (const [from, to] of rangesOf(set)) {
    if (next < from) others.push(next, from - 1);
    next = to + 1;
  }
  if (next <= lastScalar) others.push(next, lastScalar);
  return intersectChars(others, allChars);
}

export const subtractChars = (from: CharSet, what: CharSet): CharSet =>
  intersectChars(from, otherChars(what));

export function hasChar(set: CharSet, char: number): boolean {
  let low = 0;
  let high = set.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (char < (set[2 * middle] ?? 0)) high = middle - 1;
    else if (char > (set[2 * middle + 1] ?? 0)) low = middle + 1;
    else return true;
  }
  return false;
}
