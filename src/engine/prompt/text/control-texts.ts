/**
 * Keeps texts of messages from becoming control tokens, such as `<|im_end|>`. Where a message holds the text of a
 * control token, a mark is put before its last character: two private-use characters that no message has side by
 * side. The template renders the marked text as it would render the plain one. The rendered prompt is then cut at
 * the marks and tokenised piece by piece. So no piece holds a whole control text, save where the template wrote it.
 */
import { randomInt } from 'node:crypto';
import { Slices } from '../../../timing/slices.ts';
import { TextAutomaton } from './text-automaton.ts';

const firstPrivateUse = 0xf0000; // Supplementary Private Use Area-A: 65,534 characters
const lastPrivateUse = 0xffffd;
/** How much of a text is searched in one go, which takes a few milliseconds of the main thread. */
const sliceChars = 65_536;
const hashBase = 0x01000193;
/** With more control texts than this, a text is not compared with each: it is taken to be a part of one of them. */
const mostCompared = 16;

/** The name in a control text with brackets around it: templates may write brackets around keys and names. */
const insideBrackets = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;

/** The control texts of a vocabulary, prepared for being found in messages. */
export interface ControlPattern {
  readonly texts: TextAutomaton;
  /** Hashes of the ends of these texts. A text with the same hash by chance is cut once too often, without harm. */
  readonly ends: ReadonlySet<number>;
  /** Control texts with brackets on both sides, by the name in them; each without its first and last character. */
  readonly bracketed: ReadonlyMap<string, readonly string[]>;
  /** Length of the longest control text, in UTF-16 code units. */
  readonly longest: number;
}

/** The pattern for `breakControlTexts`; undefined where nothing is to break. Throws RangeError for too many texts. */
export function compileControlPattern(controlTexts: readonly string[]): ControlPattern | undefined {
  const breakable = controlTexts.filter((text) => Array.from(text).length > 1);
  if (breakable.length === 0) return undefined;
  const bracketed = new Map<string, string[]>();
  for (const text of breakable) {
    const name = nameIn(text);
    if (name === undefined || text.startsWith(name) || text.endsWith(name)) continue;
    const sameName = bracketed.get(name);
    if (sameName === undefined) bracketed.set(name, [text.slice(1, -1)]);
    else sameName.push(text.slice(1, -1));
  }
  return {
    texts: new TextAutomaton(breakable),
    ends: hashesOfEnds(breakable),
    bracketed,
    longest: breakable.reduce((longest, { length }) => Math.max(longest, length), 0),
  };
}

/**
 * `texts` with every control text broken by `mark`, and the mark; the mark is undefined when nothing was broken. Text
 * of the template beside it could complete a control text: then a mark is also put at that end of the text.
 * Takes time in proportion to the length of the texts, and lets other work run in between.
 */
export async function breakControlTexts(
  texts: readonly string[],
  pattern: ControlPattern | undefined,
): Promise<{ readonly texts: readonly string[]; readonly mark: string | undefined }> {
  if (pattern === undefined) return { texts, mark: undefined };
  const mark = unusedMark(texts);
  const broken: string[] = [];
  const slices = new Slices();
  for (const text of texts) {
    const parts: string[] = [];
    if (slices.isOver) await slices.next();
    let state = 0;
    for (let from = 0; from < text.length;) {
      const to = sliceEnd(text, from);
      const slice = breakSlice(text.slice(from, to), pattern.texts, state, mark);
      parts.push(slice.text);
      state = slice.state;
      from = to;
      if (slices.isOver) await slices.next();
    }
    const isMiddle = couldBeMiddle(text, pattern);
    if (isMiddle || couldBeEnd(text, pattern)) parts.unshift(mark);
    if (isMiddle || pattern.texts.pendingLength(state) > 0) parts.push(mark);
    broken.push(parts.join(''));
  }
  return broken.every((text, index) => text === texts[index])
    ? { texts, mark: undefined }
    : { texts: broken, mark };
}

/**
 * `slice` of a text with a mark in each control text that ends in it, and the state of `texts` after it; `state` is
 * the one before it.
 */
function breakSlice(slice: string, texts: TextAutomaton, state: number, mark: string) {
  const parts: string[] = [];
  let start = 0;
  let current = state;
  for (let at = 0; at < slice.length; at++) {
    current = texts.next(current, slice.charCodeAt(at));
    if (texts.foundLength(current) === 0) continue;
    const cut = isSecondHalf(slice, at) ? at - 1 : at;
    parts.push(slice.slice(start, cut));
    start = cut;
    // Control texts that begin before the mark are broken by it, so the search begins anew behind the mark.
    current = 0;
    for (let again = cut; again <= at; again++) current = texts.next(current, slice.charCodeAt(again));
  }
  parts.push(slice.slice(start));
  return { text: parts.join(mark), state: current };
}

/** Where the slice of `text` that begins at `from` ends, which is never in the middle of a character. */
function sliceEnd(text: string, from: number): number {
  const end = Math.min(from + sliceChars, text.length);
  return isSecondHalf(text, end) ? end + 1 : end;
}

/** Whether `text` begins with the end of a control text, of which the template could write the beginning. */
function couldBeEnd(text: string, { ends, longest }: ControlPattern): boolean {
  const most = Math.min(text.length, longest - 1);
  for (let at = 0, hash = 0, power = 1; at < most; at++) {
    hash = (hash + Math.imul(text.charCodeAt(at) + 1, power)) | 0;
    if (ends.has(hash)) return true;
    power = Math.imul(power, hashBase);
  }
  return false;
}

/** Hashes of all ends of `texts`, the whole texts left out. A hash is the sum of the code units times powers. */
function hashesOfEnds(texts: readonly string[]): Set<number> {
  const hashes = new Set<number>();
  for (const text of texts)
    for (let at = text.length - 1, hash = 0; at > 0; at--) {
      hash = (Math.imul(hash, hashBase) + text.charCodeAt(at) + 1) | 0;
      hashes.add(hash);
    }
  return hashes;
}

/** Whether `text` could become a control text by brackets that the template writes around it. */
function couldBeMiddle(text: string, { bracketed, longest }: ControlPattern): boolean {
  if (text.length >= longest) return false;
  const sameName = bracketed.get(nameIn(text) ?? '') ?? [];
  return sameName.length > mostCompared || sameName.some((inner) => inner.includes(text));
}

const nameIn = (text: string) => insideBrackets.exec(text)?.[0];

function isSecondHalf(text: string, at: number): boolean {
  const isHalf = (code: number, first: number) => code >= first && code < first + 0x400;
  return isHalf(text.charCodeAt(at), 0xdc00) && isHalf(text.charCodeAt(at - 1), 0xd800);
}

/** Two different characters that no text has side by side. As they differ, marks cannot overlap. A few draws do. */
export function unusedMark(texts: readonly string[]): string {
  while (true) {
    const first = randomInt(firstPrivateUse, lastPrivateUse);
    const mark = String.fromCodePoint(first, randomInt(first + 1, lastPrivateUse + 1));
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
}
