import {
  allChars,
  charsOf,
  hasChar,
  intersectChars,
  noChars,
  uniteChars,
  type CharSet,
} from '../char-set.ts';
import { absorbedParts } from './absorbed-parts.ts';
import type { Language, LanguageShape } from './language.ts';
import { LanguagePartitions, partOf } from './partition.ts';
import type { Spending } from '../budget/work.ts';

const uncounted: Spending = { spent: 0, spend() {}, spendOnce() {} };
const stepsPerDerivative = 10;

/**
 * Builds languages and their Brzozowski derivatives. The derivative of a language by a character is the language of the
 * texts that may follow that character. Derivatives are the states of the language's automaton; languages are
 * simplified when they are built, so that there are few. See Owens, Reppy, Turon, "Regular-expression derivatives
 * reexamined" (2009).
 */
export class Languages {
  readonly work: Spending;
  /** The languages of patterns that were translated before, by pattern. */
  readonly patterns = new Map<string, Language>();
  readonly #byKey = new Map<string, Language>();
  /** Known derivatives, by language and by the part of its partition that holds the character. */
  readonly #derivatives = new Map<number, (Language | undefined)[]>();
  readonly #partitions: LanguagePartitions;
  readonly none: Language;
  readonly emptyText: Language;
  readonly anyChar: Language;
  readonly anyText: Language;

  constructor(work: Spending = uncounted) {
    this.work = work;
    this.#partitions = new LanguagePartitions(work);
    this.none = this.#make('none', { op: 'chars', set: noChars }, false);
    this.emptyText = this.#make('empty', { op: 'empty-text' }, true);
    this.anyChar = this.chars(allChars);
    this.anyText = this.repeat(this.anyChar, 0, Infinity);
  }

  chars(set: CharSet): Language {
    if (set.length === 0) return this.none;
    return this.#make(`c${set.join(',')}`, { op: 'chars', set }, false);
  }

  text(text: string): Language {
    return this.sequence(Array.from(text, (char) => this.chars(charsOf(char))));
  }

  sequence(parts: readonly Language[]): Language {
    return parts.reduceRight((tail, head) => this.concat(head, tail), this.emptyText);
  }

  concat(head: Language, tail: Language): Language {
    if (head === this.none || tail === this.none) return this.none;
    if (head === this.emptyText) return tail;
    if (tail === this.emptyText) return head;
    if (head.op === 'concat') return this.concat(head.head, this.concat(head.tail, tail));
    return this.#make(`.${head.id},${tail.id}`, { op: 'concat', head, tail }, head.nullable && tail.nullable);
  }

  either(languages: readonly Language[]): Language {
    const parts = this.#flatten('either', languages).filter((part) => part !== this.none);
    if (parts.includes(this.anyText)) return this.anyText;
    const merged = absorbedParts(
      this.#mergeChars(parts, (sets) => uniteChars(sets)),
      this.work,
      (one, other, tail = this.emptyText) => {
        const [min, max] = [Math.min(one.min, other.min), Math.max(one.max, other.max)];
        return this.concat(this.repeat(one.inner, min, max), tail);
      },
    );
    const [only] = merged;
    if (only === undefined) return this.none;
    if (merged.length === 1) return only;
    const nullable = merged.some((part) => part.nullable);
    const rest = nullable ? merged.filter((part) => part !== this.emptyText) : merged;
    if (rest.length < merged.length && rest.some((part) => part.nullable)) return this.either(rest);
    return this.#make(`|${ids(merged)}`, { op: 'either', parts: merged }, nullable);
  }

  both(languages: readonly Language[]): Language {
    const parts = this.#flatten('both', languages).filter((part) => part !== this.anyText);
    if (parts.includes(this.none)) return this.none;
    if (parts.includes(this.emptyText))
      return parts.every((part) => part.nullable) ? this.emptyText : this.none;
    const merged = this.#mergeChars(parts, (sets) => sets.reduce(intersectChars, allChars));
    const [only] = merged;
    if (only === undefined) return this.anyText;
    if (merged.includes(this.none)) return this.none;
    if (merged.length === 1) return only;
    return this.#make(
      `&${ids(merged)}`,
      { op: 'both', parts: merged },
      merged.every((part) => part.nullable),
    );
  }

  not(inner: Language): Language {
    if (inner === this.none) return this.anyText;
    if (inner === this.anyText) return this.none;
    if (inner.op === 'not') return inner.inner;
    return this.#make(`!${inner.id}`, { op: 'not', inner }, !inner.nullable);
  }

  repeat(inner: Language, min: number, max: number): Language {
    if (max === 0 || inner === this.emptyText) return this.emptyText;
    if (inner === this.none) return min === 0 ? this.emptyText : this.none;
    if (min === 1 && max === 1) return inner;
    if (inner.op === 'repeat' && inner.min === 0 && inner.max === Infinity) return inner;
    const least = inner.nullable ? 0 : min;
    return this.#make(`*${inner.id},${least},${max}`, { op: 'repeat', inner, min: least, max }, least === 0);
  }

  /** Decimal digits that, behind the digits of `remainder`, make a multiple of `divisor`; a point is passed over. */
  multiple(divisor: number, remainder = 0): Language {
    return this.#make(`%${divisor},${remainder}`, { op: 'multiple', divisor, remainder }, remainder === 0);
  }

  /** The language of the texts that may follow `char`, where that is the first character of a text of `language`. */
  derivative(language: Language, char: number): Language {
    const part = partOf(this.#partitions.of(language), char);
    let known = this.#derivatives.get(language.id);
    if (known === undefined) this.#derivatives.set(language.id, (known = []));
    const found = known[part];
    if (found !== undefined) return found;
    this.work.spend(stepsPerDerivative);
    const derived = this.#derive(language, char);
    known[part] = derived;
    return derived;
  }

  #derive(language: Language, char: number): Language {
    switch (language.op) {
      case 'chars':
        return hasChar(language.set, char) ? this.emptyText : this.none;
      case 'empty-text':
        return this.none;
      case 'concat': {
        const through = this.concat(this.derivative(language.head, char), language.tail);
        if (!language.head.nullable) return through;
        return this.either([through, this.derivative(language.tail, char)]);
      }
      case 'either':
        return this.either(language.parts.map((part) => this.derivative(part, char)));
      case 'both':
        return this.both(language.parts.map((part) => this.derivative(part, char)));
      case 'not':
        return this.not(this.derivative(language.inner, char));
      case 'repeat': {
        const rest = this.repeat(language.inner, Math.max(0, language.min - 1), language.max - 1);
        return this.concat(this.derivative(language.inner, char), rest);
      }
      case 'multiple': {
        if (char === 0x2e) return language;
        const digit = char - 0x30;
        if (digit < 0 || digit > 9) return this.none;
        return this.multiple(language.divisor, (language.remainder * 10 + digit) % language.divisor);
      }
    }
  }

  /** All characters in parts, those of one part having the same derivative. */
  partition(language: Language): readonly CharSet[] {
    return this.#partitions.of(language).parts;
  }

  #flatten(op: 'either' | 'both', languages: readonly Language[]): Language[] {
    const flat = languages.flatMap((part) => (part.op === op ? part.parts : [part]));
    this.work.spend(3 + 3 * flat.length);
    return [...new Set(flat)].sort((a, b) => a.id - b.id);
  }

  #mergeChars(parts: Language[], merge: (sets: CharSet[]) => CharSet): Language[] {
    const sets = parts.flatMap((part) => (part.op === 'chars' ? [part.set] : []));
    if (sets.length < 2) return parts;
    const others = parts.filter((part) => part.op !== 'chars');
    return [...others, this.chars(merge(sets))].sort((a, b) => a.id - b.id);
  }

  #make(key: string, shape: LanguageShape, nullable: boolean): Language {
    this.work.spend(3 + (key.length >> 3));
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const language: Language = { ...shape, id: this.#byKey.size, nullable };
    this.#byKey.set(key, language);
    return language;
  }
}

const ids = (parts: readonly Language[]) => parts.map((part) => part.id).join(',');
