import { Slices } from '../../timing/slices.ts';
import { anyWord, keyOf } from './words.ts';

/** Where a quote stands: in parts of a document from the first to the last, at offsets in these. The ends are behind it. */
export interface QuotePlace {
  readonly first: number;
  readonly start: number;
  readonly last: number;
  readonly end: number;
}

/** The text of a place, in which parts follow each other as pages do. */
export const textBetween = (parts: readonly string[], { first, start, last, end }: QuotePlace): string =>
  parts
    .slice(first, last + 1)
    .map((part, index) => part.slice(index === 0 ? start : 0, first + index === last ? end : undefined))
    .join('\n\n');

interface Quotable<Citation> {
  readonly parts: readonly string[];
  readonly cite: (place: QuotePlace) => Citation;
}

/** Between documents: no quote goes on there. */
const boundary = -1;
/** Of places at which one word begins quotes: a book has no word more often, and a text that is made to do harm may. */
const mostPlaces = 2 ** 13;

/** The words of the documents that an answer may quote, and the citation of a place in each. */
export class QuoteIndex<Citation> {
  readonly #documents: Quotable<Citation>[] = [];
  readonly #ids = new Map<string, number>();
  /** Of each word that a document has. */
  readonly #places: number[][] = [];
  /** Of all documents behind each other: the words, and where they begin and end in their parts. */
  readonly #words: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** The first word of each part. */
  readonly #parts: { readonly document: number; readonly part: number; readonly word: number }[] = [];

  /** A document with these parts, such as pages, may be quoted, and `cite` tells where. */
  add(parts: readonly string[], cite: (place: QuotePlace) => Citation): void {
    this.#documents.push({ parts, cite });
  }

  get isEmpty(): boolean {
    return this.#documents.length === 0;
  }

  /** `generation` when the words are known. Documents that do not fit the model are not looked at. */
  async readyFor<Running extends { readonly accepted: Promise<void> }>(
    generation: Running,
  ): Promise<Running> {
    if (this.isEmpty) return generation;
    await generation.accepted;
    const slices = new Slices();
    for (const [document, { parts }] of this.#documents.entries()) {
      this.#push(boundary, 0, 0);
      for (const [part, text] of parts.entries()) {
        this.#parts.push({ document, part, word: this.#words.length });
        for (const { 0: word, index } of text.matchAll(anyWord)) {
          this.#addWord(keyOf(word), index, index + word.length);
          if (this.#words.length % 256 === 0 && slices.isOver) await slices.next();
        }
      }
    }
    return generation;
  }

  /** The number of a word; undefined: no document has it. */
  idOf(word: string): number | undefined {
    return this.#ids.get(keyOf(word));
  }

  /** The places of a word in all documents. */
  placesOf(id: number | undefined): readonly number[] {
    return this.#places[id ?? boundary] ?? [];
  }

  wordAt(place: number): number | undefined {
    return this.#words[place];
  }

  /** The citation of `words` words, the first of which is at `place`. */
  cite(place: number, words: number): Citation | undefined {
    const partAt = (word: number) => this.#parts.findLast((part) => part.word <= word);
    const [first, last] = [partAt(place), partAt(place + words - 1)];
    return this.#documents[first?.document ?? boundary]?.cite({
      first: first?.part ?? 0,
      start: this.#starts[place] ?? 0,
      last: last?.part ?? 0,
      end: this.#ends[place + words - 1] ?? 0,
    });
  }

  #addWord(key: string, start: number, end: number): void {
    const id = this.#ids.get(key) ?? this.#ids.size;
    if (id === this.#ids.size) this.#ids.set(key, id);
    const places = (this.#places[id] ??= []);
    if (places.length < mostPlaces) places.push(this.#words.length);
    this.#push(id, start, end);
  }

  #push(id: number, start: number, end: number): void {
    this.#words.push(id);
    this.#starts.push(start);
    this.#ends.push(end);
  }
}
