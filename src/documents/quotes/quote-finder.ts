import { Slices } from '../../timing/slices.ts';
import type { QuoteIndex } from './quote-index.ts';
import { gapAndWord, mayGoOn } from './words.ts';

/** A piece of an answer, or the citation for the quote that came in the pieces before. */
export type QuotePiece<Citation> =
  | { readonly text: string; readonly isQuote: boolean }
  | { readonly citation: Citation };

/** A word of the answer and the gap before it; the last one may have no word. */
interface Unit {
  readonly gap: string;
  readonly word: string;
  readonly id: number | undefined;
}

/** Fewer words or letters in the same order may be chance. Between quotation marks nobody writes by chance. */
const leastUnmarked = { words: 6, letters: 24 };
const leastMarked = { words: 2, letters: 8 };

const opening = /(?:["“”„‘‚'«»‹›「『《]|«\s)[*_]*$|(?<=^|\n)[ \t]*>[ \t]*$/;
/** The marks with which a quote may end, by the mark with which it begins. */
const closers: Readonly<Record<string, string>> = {
  '"': '"', '“': '”"', '”': '”', '„': '“”', '‘': '’', '‚': '‘’', "'": "'", '«': '»', '»': '«', '‹': '›', '›': '‹', '「': '」', '『': '』', '《': '》',
}; // prettier-ignore
/** Belongs to the word before it. */
const trailing = /^\u00A0?[.,;:!?…)\]"”“«»‹›’‘'」』》*_]{1,4}/;

/**
 * Finds the quotes in an answer while it is written: whole texts between quotation marks or in block quotes, and longer
 * runs of words without any. It holds back words as long as they may become a quote, and the last one. Pieces are the
 * same however the answer comes in.
 */
export class QuoteFinder<Citation> {
  readonly #index: QuoteIndex<Citation>;
  /** The text that is not a whole word yet. */
  #rest = '';
  /** Words that follow each other at `#places`. */
  #held: Unit[] = [];
  #places: readonly number[] = [];
  /** The held words are a quote, and were told. */
  #isQuote = false;
  #pieces: QuotePiece<Citation>[] = [];

  constructor(index: QuoteIndex<Citation>) {
    this.#index = index;
  }

  add(text: string): readonly QuotePiece<Citation>[] {
    this.#rest += text;
    this.#readRest(false);
    return this.#told();
  }

  /** The pieces that were held back. */
  end(): readonly QuotePiece<Citation>[] {
    this.#readRest(true);
    this.#take({ gap: '', word: '', id: undefined });
    return this.#told();
  }

  #told(): readonly QuotePiece<Citation>[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  #readRest(isWhole: boolean): void {
    let read = 0;
    for (;;) {
      gapAndWord.lastIndex = read;
      const [all, gap = '', word = ''] = gapAndWord.exec(this.#rest) ?? [''];
      const next = this.#rest.slice(read + all.length, read + all.length + 20);
      if (all === '' || (!isWhole && (word === '' ? next === '' : mayGoOn.test(next)))) break;
      read += all.length;
      this.#take({ gap, word, id: this.#index.idOf(word) });
    }
    this.#rest = this.#rest.slice(read);
  }

  #take(unit: Unit): void {
    const [first] = this.#held;
    if (first === undefined) return this.#begin(unit);
    const isClosed = closes(first.gap, unit);
    const next = isClosed ? [] : this.#places.filter((at) => this.#follows(at, unit));
    if (next.length > 0) {
      this.#held.push(unit);
      this.#places = next;
      if (this.#isQuote) this.#write(unit.gap + unit.word, true);
      else if (this.#holds(leastUnmarked)) this.#confirm();
      return;
    }
    if (!this.#isQuote && isClosed && this.#holds(leastMarked)) this.#confirm();
    if (this.#isQuote) return this.#begin(this.#finish(unit));
    const others = this.#held.slice(1);
    this.#held = [];
    this.#write(first.gap + first.word, false);
    // A quote may begin with the second.
    for (const other of [...others, unit]) this.#take(other);
  }

  #follows(place: number, { id }: Unit): boolean {
    return id !== undefined && this.#index.wordAt(place + this.#held.length) === id;
  }

  #begin(unit: Unit): void {
    const { gap, word, id } = unit;
    this.#places = this.#index.placesOf(id);
    if (this.#places.length === 0) return this.#write(gap + word, false);
    const [marks = ''] = opening.exec(gap) ?? [];
    this.#write(gap.slice(0, gap.length - marks.length), false);
    this.#held = [{ ...unit, gap: marks }];
  }

  #holds(least: { readonly words: number; readonly letters: number }): boolean {
    const letters = this.#held.reduce((sum, { word }) => sum + lettersOf(word), 0);
    return this.#held.length >= least.words && letters >= least.letters;
  }

  #confirm(): void {
    this.#isQuote = true;
    this.#write(this.#held.map(({ gap, word }) => gap + word).join(''), true);
  }

  /** Ends the quote before `unit`, the rest of which comes back. */
  #finish(unit: Unit): Unit {
    const [behind = ''] = trailing.exec(unit.gap) ?? [];
    this.#write(behind, true);
    const citation = this.#index.cite(this.#places[0] ?? 0, this.#held.length);
    if (citation !== undefined) this.#pieces.push({ citation });
    this.#held = [];
    this.#isQuote = false;
    return { ...unit, gap: unit.gap.slice(behind.length) };
  }

  #write(text: string, isQuote: boolean): void {
    const last = this.#pieces.at(-1);
    if (text === '') return;
    if (last === undefined || 'citation' in last || last.isQuote !== isQuote)
      this.#pieces.push({ text, isQuote });
    else this.#pieces.splice(-1, 1, { text: last.text + text, isQuote });
  }
}

const sliceChars = 256;

/** A text in pieces, with other work between them: to look for all quotes of a long one takes some time. */
export async function* inSlices(text: string): AsyncGenerator<string> {
  const slices = new Slices();
  for (let at = 0; at < text.length; at += sliceChars) {
    yield text.slice(at, at + sliceChars);
    if (slices.isOver) await slices.next();
  }
}

/** A character that is a word by itself says as much as some letters. */
const lettersOf = (word: string) => (word.length === 1 && word >= '\u0E00' ? 3 : word.length);

/** Whether a quote that begins with `marks` ends before a word. */
function closes(marks: string, { gap, word }: Unit): boolean {
  if (marks === '') return false;
  if (marks.includes('>')) return word === '' || /\n(?![ \t]*>)/.test(gap);
  const closing = closers[marks[0] ?? ''] ?? '';
  const behind = (marks.startsWith('«') ? /^\s?\S*/ : /^\S*/).exec(gap)?.[0] ?? '';
  return Array.from(behind).some((char) => closing.includes(char));
}
