import {
  allChars,
  charsOf,
  hasChar,
  intersectChars,
  noChars,
  otherChars,
  uniteChars,
  type CharSet,
} from './char-set.ts';

/**
 * A regular language over Unicode scalar values, as an expression with intersection and complement. Equal
 * expressions of one `Languages` are the same object.
 */
export type Language = { readonly id: number; readonly nullable: boolean } & (
  | { readonly op: 'chars'; readonly set: CharSet }
  | { readonly op: 'empty-text' }
  | { readonly op: 'concat'; readonly head: Language; readonly tail: Language }
  | { readonly op: 'either' | 'both'; readonly parts: readonly Language[] }
  | { readonly op: 'not'; readonly inner: Language }
  | { readonly op: 'repeat'; readonly inner: Language; readonly min: number; readonly max: number }
  | { readonly op: 'multiple'; readonly divisor: number; readonly remainder: number }
);

type Shape = Language extends infer L ? (L extends Language ? Omit<L, 'id' | 'nullable'> : never) : never;

/**
 * Builds languages and takes their Brzozowski derivatives: what may follow a character. Reference: Owens, Reppy,
 * Turon, "Regular-expression derivatives reexamined" (2009). Simplifying on construction keeps the number of
 * different derivatives, and with it the automaton, small.
 */
export class Languages {
  readonly #byKey = new Map<string, Language>();
  readonly #derivatives = new Map<number, Map<number, Language>>();
  readonly #partitions = new Map<number, readonly CharSet[]>();
  readonly none: Language;
  readonly emptyText: Language;
  readonly anyChar: Language;
  readonly anyText: Language;

  constructor() {
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
    const merged = this.#mergeChars(parts, (sets) => uniteChars(sets));
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

  /** Decimal digits whose value is a multiple of `divisor`; a point between them changes nothing. */
  multiple(divisor: number, remainder = 0): Language {
    return this.#make(`%${divisor},${remainder}`, { op: 'multiple', divisor, remainder }, remainder === 0);
  }

  /** What may follow `char` in a text of `language`. */
  derivative(language: Language, char: number): Language {
    let known = this.#derivatives.get(language.id);
    if (known === undefined) this.#derivatives.set(language.id, (known = new Map<number, Language>()));
    const found = known.get(char);
    if (found !== undefined) return found;
    const derived = this.#derive(language, char);
    known.set(char, derived);
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

  /** A partition of all characters: those of one part lead to the same derivative. */
  partition(language: Language): readonly CharSet[] {
    const known = this.#partitions.get(language.id);
    if (known !== undefined) return known;
    const parts = this.#divide(language);
    this.#partitions.set(language.id, parts);
    return parts;
  }

  #divide(language: Language): readonly CharSet[] {
    switch (language.op) {
      case 'chars':
        return [language.set, otherChars(language.set)].filter((set) => set.length > 0);
      case 'empty-text':
        return [allChars];
      case 'concat':
        if (!language.head.nullable) return this.partition(language.head);
        return crossed(this.partition(language.head), this.partition(language.tail));
      case 'either':
      case 'both':
        return language.parts.map((part) => this.partition(part)).reduce(crossed, [allChars]);
      case 'not':
      case 'repeat':
        return this.partition(language.inner);
      case 'multiple':
        return [...Array.from('0123456789.', charsOf), otherChars(charsOf('0123456789.'))];
    }
  }

  #flatten(op: 'either' | 'both', languages: readonly Language[]): Language[] {
    const flat = languages.flatMap((part) => (part.op === op ? part.parts : [part]));
    return [...new Set(flat)].sort((a, b) => a.id - b.id);
  }

  #mergeChars(parts: Language[], merge: (sets: CharSet[]) => CharSet): Language[] {
    const sets = parts.flatMap((part) => (part.op === 'chars' ? [part.set] : []));
    if (sets.length < 2) return parts;
    const others = parts.filter((part) => part.op !== 'chars');
    return [...others, this.chars(merge(sets))].sort((a, b) => a.id - b.id);
  }

  #make(key: string, shape: Shape, nullable: boolean): Language {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const language: Language = { ...shape, id: this.#byKey.size, nullable };
    this.#byKey.set(key, language);
    return language;
  }
}

const ids = (parts: readonly Language[]) => parts.map((part) => part.id).join(',');

function crossed(left: readonly CharSet[], right: readonly CharSet[]): readonly CharSet[] {
  if (left.length === 1) return right;
  if (right.length === 1) return left;
  return left.flatMap((a) => right.map((b) => intersectChars(a, b)).filter((set) => set.length > 0));
}
