/**
 * Keeps what people write from becoming control tokens. Wherever a message holds the text of one, a mark (two
 * private-use characters that no message has side by side) is put before its last character. The template renders
 * the marked text as it would the plain one; the rendered prompt is cut at the marks and tokenised piece by piece,
 * so that no piece holds a whole control text except where the template itself wrote it.
 */
import { randomInt } from 'node:crypto';
import { Slices } from '../../slices.ts';
import { TextAutomaton } from './text-automaton.ts';

const firstPrivateUse = 0xf0000; // Supplementary Private Use Area-A: 65,534 characters
const lastPrivateUse = 0xffffd;
/** So much of a text is searched at once: a few milliseconds of the main thread. */
const sliceChars = 65_536;
const hashBase = 0x01000193;
/** A text is not compared with more than so many: it is taken to be a part of one of them. */
const mostCompared = 16;

/** Templates write tags of keys and names: a name between brackets. This is the name; its ends are no brackets. */
const insideBrackets = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;

/** What is to be broken in messages. */
export interface ControlPattern {
  readonly texts: TextAutomaton;
  /** Hashes of the texts' ends; that another text has the same one does no harm. */
  readonly ends: ReadonlySet<number>;
  /** Texts that have brackets on both sides, by the name between these; without their first and last characters. */
  readonly bracketed: ReadonlyMap<string, readonly string[]>;
  /** In UTF-16 units. */
  readonly longest: number;
}

/** Finds the texts of control tokens; undefined when the vocabulary has none. Throws RangeError when they are too long. */
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
 * `texts` with every control text broken by `mark`, and the mark itself; undefined mark: nothing to break.
 * A text that begins, ends or is such that the template could make it one is cut off from what the template writes.
 * Takes time in proportion to the length of the texts, with other work between its parts.
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

/** `slice` of a text, before which `texts` was in `state`, with a mark within each text that ends in it. */
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
    // What goes on from before the mark is broken already.
    current = 0;
    for (let again = cut; again <= at; again++) current = texts.next(current, slice.charCodeAt(again));
  }
  parts.push(slice.slice(start));
  return { text: parts.join(mark), state: current };
}

/** Where the slice of `text` from `from` on ends: between two characters. */
function sliceEnd(text: string, from: number): number {
  const end = Math.min(from + sliceChars, text.length);
  return isSecondHalf(text, end) ? end + 1 : end;
}

/** Whether the template could write before `text` what makes its beginning the end of a control text. */
function couldBeEnd(text: string, { ends, longest }: ControlPattern): boolean {
  const most = Math.min(text.length, longest - 1);
  for (let at = 0, hash = 0, power = 1; at < most; at++) {
    hash = (hash + Math.imul(text.charCodeAt(at) + 1, power)) | 0;
    if (ends.has(hash)) return true;
    power = Math.imul(power, hashBase);
  }
  return false;
}

/** Of all that `texts` end with, but not of the whole texts. The hash of a text adds its code units times powers. */
function hashesOfEnds(texts: readonly string[]): Set<number> {
  const hashes = new Set<number>();
  for (const text of texts)
    for (let at = text.length - 1, hash = 0; at > 0; at--) {
      hash = (Math.imul(hash, hashBase) + text.charCodeAt(at) + 1) | 0;
      hashes.add(hash);
    }
  return hashes;
}

/** Whether `text` is what the template could write brackets around. */
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

/** Two characters that are not the same, so that a mark never overlaps another. A few draws always find one. */
function unusedMark(texts: readonly string[]): string {
  while (true) {
    const first = randomInt(firstPrivateUse, lastPrivateUse);
    const mark = String.fromCodePoint(first, randomInt(first + 1, lastPrivateUse + 1));
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
}
