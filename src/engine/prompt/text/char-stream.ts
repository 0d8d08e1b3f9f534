/** A reader of text that pauses (it yields) wherever it needs text that has not come yet. */
export type Reading<T> = Generator<void, T, void>;

/** Text that comes in pieces and is read as if it were whole: readers never see where it was cut. */
export class CharStream {
  #buffer = '';
  #at = 0;
  /** How many characters were read before those of the buffer. */
  #before = 0;
  #ended = false;

  /** How many characters were read. */
  get position(): number {
    return this.#before + this.#at;
  }

  append(text: string): void {
    this.#before += this.#at;
    this.#buffer = this.#buffer.slice(this.#at) + text;
    this.#at = 0;
  }

  end(): void {
    this.#ended = true;
  }

  /** The next character, or the one that is `offset` characters behind it; '' at the end. */
  *peek(offset = 0): Reading<string> {
    while (this.#at + offset >= this.#buffer.length) {
      if (this.#ended) return '';
      yield;
    }
    return this.#buffer.charAt(this.#at + offset);
  }

  skip(length: number): void {
    this.#at += length;
  }

  *skipSpaces(): Reading<void> {
    while (isSpace(yield* this.peek())) this.#at++;
  }

  /** Passes the text before the first character that is one of `ends` to `emit` as it comes; whether one came. */
  *untilChar(ends: RegExp, emit: (text: string) => void): Reading<boolean> {
    for (;;) {
      if ((yield* this.peek()) === '') return false;
      const pending = this.#buffer.slice(this.#at);
      const found = pending.search(ends);
      const text = found < 0 ? pending : pending.slice(0, found);
      this.#at += text.length;
      if (text !== '') emit(text);
      if (found >= 0) return true;
    }
  }

  /**
   * How many characters match `literal` at this place; -1 when something else is here. White space in the literal
   * matches any white space, or none. With `orEnd`, a literal that the end of the text cuts off matches too.
   */
  *match(literal: string, orEnd = false): Reading<number> {
    let offset = 0;
    for (const wanted of literal) {
      if (isSpace(wanted)) {
        while (isSpace(yield* this.peek(offset))) offset++;
        continue;
      }
      for (let unit = 0; unit < wanted.length; unit++, offset++) {
        const char = yield* this.peek(offset);
        if (char === '') return orEnd ? offset : -1;
        if (char !== wanted.charAt(unit)) return -1;
      }
    }
    return offset;
  }

  /** Whether `literal` matches here, as with `match`; if so, it is read. */
  *accept(literal: string, orEnd = false): Reading<boolean> {
    const length = yield* this.match(literal, orEnd);
    if (length < 0) return false;
    this.#at += length;
    return true;
  }

  /** Whether exactly `text` is here; if so, it is read. */
  *acceptExactly(text: string): Reading<boolean> {
    for (let index = 0; index < text.length; index++)
      if ((yield* this.peek(index)) !== text.charAt(index)) return false;
    this.#at += text.length;
    return true;
  }

  /** The first of `markers` that comes, which is not read; undefined when none does. `emit` gets the text before it. */
  *until(markers: readonly string[], emit: (text: string) => void): Reading<string | undefined> {
    for (;;) {
      const rest = this.#buffer.slice(this.#at);
      const found = earliest(rest, markers);
      // Another marker may still become whole: one that begins earlier, or a longer one at the same place.
      const open = this.#ended ? rest.length : rest.length - longestBeginning(rest, markers);
      if (found !== undefined && found.at < open) {
        this.#at += found.at;
        if (found.at > 0) emit(rest.slice(0, found.at));
        return found.marker;
      }
      this.#at += open;
      if (open > 0) emit(rest.slice(0, open));
      if (this.#ended) return undefined;
      yield;
    }
  }

  /** The next `length` characters, or fewer where the text ends; they are not read. */
  *lookAhead(length: number): Reading<string> {
    while (this.#buffer.length - this.#at < length && !this.#ended) yield;
    return this.#buffer.slice(this.#at, this.#at + length);
  }

  /** The first of `texts` that is here, exactly, with `behind` after it; it is read, without `behind`. */
  *acceptOneOf(texts: readonly string[], behind: string): Reading<string | undefined> {
    for (const text of texts) {
      if (!(yield* this.acceptExactly(text + behind))) continue;
      this.#at -= behind.length;
      return text;
    }
    return undefined;
  }
}

/** Turns text that comes in pieces into events: the same ones however the text was cut. */
export abstract class EventReader<Event> {
  protected readonly chars = new CharStream();
  #run: Reading<void> | undefined;
  #events: Event[] = [];

  /** Reads `chars` to their end and emits their content. */
  protected abstract read(): Reading<void>;

  protected emit(event: Event): void {
    this.#events.push(event);
  }

  /** The events that `text` adds. */
  push(text: string): readonly Event[] {
    this.chars.append(text);
    return this.#resume();
  }

  /** The events that were held back, to be called when the text has ended. */
  finish(): readonly Event[] {
    this.chars.end();
    return this.#resume();
  }

  #resume(): readonly Event[] {
    this.#run ??= this.read();
    this.#run.next();
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

export const isSpace = (char: string) => char === ' ' || char === '\n' || char === '\t' || char === '\r';

function earliest(text: string, markers: readonly string[]): { at: number; marker: string } | undefined {
  let best: { at: number; marker: string } | undefined;
  for (const marker of markers) {
    const at = (best ? text.slice(0, best.at + marker.length) : text).indexOf(marker);
    if (at >= 0 && (best === undefined || at < best.at || marker.length > best.marker.length))
      best = { at, marker };
  }
  return best;
}

/** Length of the longest end of `text` with which one of `markers` begins, but which is not the whole marker. */
export function longestBeginning(text: string, markers: readonly string[]): number {
  let longest = 0;
  for (const marker of markers) {
    const first = marker.charAt(0);
    let at = text.indexOf(first, text.length + 1 - marker.length);
    while (at >= 0 && !marker.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
    if (at >= 0) longest = Math.max(longest, text.length - at);
  }
  return longest;
}
