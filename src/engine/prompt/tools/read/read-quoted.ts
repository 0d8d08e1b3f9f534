import type { ReadOutcome } from './call-reading.ts';
import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';

/** The quotes around texts. */
export interface Quotes {
  /** Quotes between which nothing is escaped: the text ends where the quote comes again. */
  readonly rawQuotes: readonly string[];
  /** Quotes as in Python: a backslash escapes. An apostrophe inside a word does not end the text. */
  readonly quotes: readonly string[];
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Thrown where reading cannot go on, with how it went; `readLooseArguments` catches it. */
export class Stop extends Error {
  readonly outcome: ReadOutcome;
  constructor(outcome: ReadOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}

/**
 * The text between quotes that begins here; undefined when no quote is here. A quote ends the text only where one of
 * the characters `follow` comes next.
 */
export function* readQuoted(
  chars: CharStream,
  { rawQuotes, quotes }: Quotes,
  follow: readonly string[],
): Reading<string | undefined> {
  for (const quote of rawQuotes) {
    if (!(yield* chars.acceptExactly(quote))) continue;
    let text = '';
    const found = yield* chars.until([quote], (piece) => {
      text += piece;
    });
    if (found === undefined) throw new Stop('cut');
    chars.skip(quote.length);
    return text;
  }
  const quote = yield* present(chars);
  if (!quotes.includes(quote)) return undefined;
  chars.skip(1);
  let text = '';
  for (;;) {
    const char = yield* present(chars);
    chars.skip(1);
    if (char === '\\') text += yield* readEscape(chars);
    else if (char !== quote || !(yield* isFollowed(chars, follow))) text += char;
    else return text;
  }
}

/** The character that the escape after a backslash stands for. */
function* readEscape(chars: CharStream): Reading<string> {
  const char = yield* present(chars);
  chars.skip(1);
  if (char === 'u') {
    const digits = yield* chars.lookAhead(4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) return '\\u';
    chars.skip(4);
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
  if ('\\\'"/'.includes(char)) return char;
  return escapes[char] ?? `\\${char}`;
}

/** Whether one of `follow`, or the end of the text, comes next after white space. */
function* isFollowed(chars: CharStream, follow: readonly string[]): Reading<boolean> {
  for (let length = 1; ; length++) {
    const ahead = yield* chars.lookAhead(length);
    const char = ahead.charAt(length - 1);
    if (char === '') return true;
    if (!isSpace(char)) return follow.includes(char);
  }
}

/** The next character that is not white space; throws Stop at the end of the text. */
export function* next(chars: CharStream): Reading<string> {
  yield* chars.skipSpaces();
  return yield* present(chars);
}

/** The next character; throws Stop at the end of the text. */
export function* present(chars: CharStream): Reading<string> {
  const char = yield* chars.peek();
  if (char === '') throw new Stop('cut');
  return char;
}

/** Passes over white space and the character `text`; throws Stop where another one is there. */
export function* take(chars: CharStream, text: string): Reading<void> {
  if ((yield* next(chars)) !== text) throw new Stop('malformed');
  chars.skip(1);
}
