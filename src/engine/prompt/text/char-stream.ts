/** A piece of reading that pauses wherever more text has to come first. */
export type Reading<T> = Generator<void, T, void>;

/** Text that arrives in pieces, read as if it were whole: what a reader sees never depends on the pieces. */
export class CharStream {
  #buffer = '';
  #at = 0;
  #ended = false;

  append(text: string): void {
    this.#buffer = this.#buffer.slice(this.#at) + text;
    this.#at = 0;
  }

  end(): void {
    this.#ended = true;
  }

  /** The next character; '' at the end. */
  *peek(): Reading<string> {
    while (this.#at >= this.#buffer.length) {
      if (this.#ended) return '';
      yield;
    }
    return this.#buffer.charAt(this.#at);
  }

  /** All that came and was not read yet, at least one character; '' at the end. */
  *pending(): Reading<string> {
    yield* this.peek();
    return this.#buffer.slice(this.#at);
  }

  skip(length: number): void {
    this.#at += length;
  }

  *skipSpaces(): Reading<void> {
    while (isSpace(yield* this.peek())) this.#at++;
  }

  /** Hands white space on as it comes, until something else is ahead or the text ended. */
  *passSpaces(emit: (spaces: string) => void): Reading<void> {
    for (;;) {
      const pending = yield* this.pending();
      const length = pending.length - pending.trimStart().length;
      this.#at += length;
      if (length > 0) emit(pending.slice(0, length));
      if (length < pending.length || pending === '') return;
    }
  }

  /**
   * Length of `literal` at this place, -1 when something else is here. White space in the literal matches any,
   * none included; a literal that the end of the text cuts short matches when `orEnd` is set.
   */
  *match(literal: string, orEnd = false): Reading<number> {
    let offset = 0;
    for (const wanted of literal) {
      if (isSpace(wanted)) {
        while (isSpace(yield* this.#charAt(offset))) offset++;
        continue;
      }
      for (let unit = 0; unit < wanted.length; unit++, offset++) {
        const char = yield* this.#charAt(offset);
        if (char === '') return orEnd ? offset : -1;
        if (char !== wanted.charAt(unit)) return -1;
      }
    }
    return offset;
  }

  /** Whether `literal` was here and is now behind. */
  *accept(literal: string, orEnd = false): Reading<boolean> {
    const length = yield* this.match(literal, orEnd);
    if (length < 0) return false;
    this.#at += length;
    return true;
  }

  /** Whether exactly `text` was here and is now behind. */
  *acceptExactly(text: string): Reading<boolean> {
    for (let index = 0; index < text.length; index++)
      if ((yield* this.#charAt(index)) !== text.charAt(index)) return false;
    this.#at += text.length;
    return true;
  }

  /** Hands text on until one of `markers`, which stays ahead and comes back; undefined: the text ended. */
  *until(markers: readonly string[], emit: (text: string) => void): Reading<string | undefined> {
    for (;;) {
      const rest = this.#buffer.slice(this.#at);
      const found = earliest(rest, markers);
      // A marker that begins earlier, or at the same place and is longer, may still become whole.
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

  /** What comes until the text ends, or its first `length` characters. */
  *lookAhead(length: number): Reading<string> {
    while (this.#buffer.length - this.#at < length && !this.#ended) yield;
    return this.#buffer.slice(this.#at, this.#at + length);
  }

  *#charAt(offset: number): Reading<string> {
    while (this.#at + offset >= this.#buffer.length) {
      if (this.#ended) return '';
      yield;
    }
    return this.#buffer.charAt(this.#at + offset);
  }
}

export const isSpace = (char: string) => char === ' ' || char === '\n' || char === '\t' || char === '\r';

function earliest(text: string, markers: readonly string[]): { at: number; marker: string } | undefined {
  let best: { at: number; marker: string } | undefined;
  for (const marker of markers) {
    const at = text.indexOf(marker);
    if (
      at >= 0 &&
      (best === undefined || at < best.at || (at === best.at && marker.length > best.marker.length))
    )
      best = { at, marker };
  }
  return best;
}

/** Length of the longest end of `text` that begins one of `markers` without being it. */
function longestBeginning(text: string, markers: readonly string[]): number {
  let longest = 0;
  for (const marker of markers)
    for (let length = Math.min(marker.length - 1, text.length); length > longest; length--)
      if (text.endsWith(marker.slice(0, length))) longest = length;
  return longest;
}
