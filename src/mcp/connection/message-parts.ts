const [quote, backslash, colon, openBracket, openBrace, comma, lineFeed, carriageReturn] =
  new TextEncoder().encode('"\\:[{,\n\r');

/**
 * Objects and lists of one message: to parse so many takes 60 ms, and all that fit into 8 MiB 1.3 s. One faulty schema of
 * 100,000 levels still leaves the server its other tools.
 */
export const mostParts = 130_000;
/** Fields and elements are parsed faster. */
const [partsPerField, partsPerElement] = [0.2, 0.1];

/** Counts the parts of the messages of a stream that are to be parsed, before they are parsed. */
export class MessageParts {
  readonly #newlines: number;
  #parts = 0;
  #newlinesInARow = 0;
  #last: number | undefined;
  #isInString = false;
  #isEscaped = false;

  /** `newlines`: how many in a row end a message; Infinity: there is one only. */
  constructor(newlines: number) {
    this.#newlines = newlines;
  }

  /** Whether a message has too much, with the bytes that come next. */
  isTooMuchWith(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      this.#note(byte);
      if (this.#parts > mostParts) return true;
    }
    return false;
  }

  #note(byte: number): void {
    const isNewline = byte === lineFeed || byte === carriageReturn;
    const isSecondHalf = byte === lineFeed && this.#last === carriageReturn;
    this.#last = byte;
    if (isNewline) {
      // No string of JSON has a newline, and the text around JSON has no strings.
      this.#isInString = false;
      this.#isEscaped = false;
      if (!isSecondHalf) this.#newlinesInARow += 1;
      if (this.#newlinesInARow >= this.#newlines) this.#parts = 0;
      return;
    }
    this.#newlinesInARow = 0;
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
    } else if (byte === quote) this.#isInString = true;
    else if (byte === openBrace || byte === openBracket) this.#parts += 1;
    else if (byte === colon) this.#parts += partsPerField;
    else if (byte === comma) this.#parts += partsPerElement;
  }
}
