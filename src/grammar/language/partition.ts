import { remembered } from '../remembered.ts';
import { allChars, charsOf, otherChars, rangesOf, type CharSet } from '../char-set.ts';
import type { Language } from './language.ts';
import type { Spending } from '../budget/work.ts';

/** All characters, divided into disjoint sets. */
export interface Partition {
  readonly id: number;
  readonly parts: readonly CharSet[];
  /** The ranges of all parts, sorted: first character, last character, index of the part. */
  readonly ranges: readonly (readonly [from: number, to: number, part: number])[];
}

/**
 * The partition for each language: its derivatives by the characters of one part are the same. Equal partitions are the
 * same object, so that no two need to be crossed twice.
 */
export class LanguagePartitions {
  readonly #work: Spending;
  readonly #known = new Map<number, Partition>();
  readonly #byKey = new Map<string, Partition>();
  readonly #crossed = new Map<string, Partition>();
  readonly #whole: Partition;

  constructor(work: Spending) {
    this.#work = work;
    this.#whole = this.#made([allChars]);
  }

  #made(parts: readonly CharSet[]): Partition {
    const filled = parts.filter((part) => part.length > 0);
    const key = filled.map((part) => part.join(',')).join(';');
    this.#work.spend(2 + (key.length >> 3));
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const ranges = filled.flatMap((part, index) =>
      rangesOf(part).map(([from, to]) => [from, to, index] as const),
    );
    ranges.sort((a, b) => a[0] - b[0]);
    const partition = { id: this.#byKey.size, parts: filled, ranges };
    this.#byKey.set(key, partition);
    return partition;
  }

  /** The partition whose parts are the common characters of each part of `left` and each part of `right`. */
  #crossing(left: Partition, right: Partition): Partition {
    if (left === right || right === this.#whole) return left;
    if (left === this.#whole) return right;
    const key = left.id < right.id ? `${left.id},${right.id}` : `${right.id},${left.id}`;
    return remembered(this.#crossed, key, () => this.#made(this.#common(left, right)));
  }

  #common(left: Partition, right: Partition): readonly CharSet[] {
    const parts = new Map<number, number[]>();
    this.#work.spend(left.ranges.length + right.ranges.length);
    for (let l = 0, r = 0; l < left.ranges.length && r < right.ranges.length;) {
      const [leftFrom, leftTo, leftPart] = left.ranges[l] ?? [0, 0, 0];
      const [rightFrom, rightTo, rightPart] = right.ranges[r] ?? [0, 0, 0];
      const from = Math.max(leftFrom, rightFrom);
      const to = Math.min(leftTo, rightTo);
      if (from <= to) {
        const number = leftPart * right.parts.length + rightPart;
        const part = parts.get(number);
        if (part === undefined) parts.set(number, [from, to]);
        else if (part.at(-1) === from - 1) part[part.length - 1] = to;
        else part.push(from, to);
      }
      if (leftTo < rightTo) l += 1;
      else r += 1;
    }
    return [...parts.values()];
  }

  of(language: Language): Partition {
    let known = this.#known.get(language.id);
    if (known === undefined) this.#known.set(language.id, (known = this.#divide(language)));
    return known;
  }

  #divide(language: Language): Partition {
    this.#work.spend(1);
    switch (language.op) {
      case 'chars':
        return this.#made([language.set, otherChars(language.set)]);
      case 'empty-text':
        return this.#whole;
      case 'concat':
        if (!language.head.nullable) return this.of(language.head);
        return this.#crossing(this.of(language.head), this.of(language.tail));
      case 'either':
      case 'both':
        return this.#ofAll(language.parts);
      case 'not':
      case 'repeat':
        return this.of(language.inner);
      case 'multiple':
        return this.#made([...Array.from('0123456789.', charsOf), otherChars(charsOf('0123456789.'))]);
    }
  }

  #ofAll(languages: readonly Language[]): Partition {
    this.#work.spend(languages.length);
    const different = new Set(languages.map((language) => this.of(language)));
    return [...different].reduce((left, right) => this.#crossing(left, right), this.#whole);
  }
}

/** The index of the part of `partition` that holds `char`. */
export function partOf({ ranges }: Partition, char: number): number {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to, part] = ranges[middle] ?? [0, 0, 0];
    if (char < from) high = middle - 1;
    else if (char > to) low = middle + 1;
    else return part;
  }
  return -1;
}
