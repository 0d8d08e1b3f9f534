import type { CallReading, ReadOutcome } from './call-reading.ts';
import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';

/** How values without JSON's rules are written. */
export interface LooseShape {
  readonly open: '(' | '{';
  readonly close: ')' | '}';
  readonly assign: '=' | ':';
  /** Quotes that end where they come again, whatever stands between. */
  readonly rawQuotes: readonly string[];
  /** Quotes as in Python: a backslash escapes, and an apostrophe inside a word does not end the text. */
  readonly quotes: readonly string[];
}

export const pythonicShape: LooseShape = {
  open: '(',
  close: ')',
  assign: '=',
  rawQuotes: [],
  quotes: ["'", '"'],
};

export const bareKeysShape = (quote: string): LooseShape => ({
  open: '{',
  close: '}',
  assign: ':',
  rawQuotes: [quote],
  quotes: ['"'],
});

const deepestNesting = 64;
const wordEnds = [',', ')', ']', '}', ':', '='];
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Why reading stopped short; thrown inside a reader only, and caught by `readLooseArguments`. */
class Stop extends Error {
  readonly outcome: ReadOutcome;
  constructor(outcome: ReadOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** Reads `(key='text', other=5)` and the like, one piece of JSON for each argument. */
export function* readLooseArguments(reading: CallReading, shape: LooseShape): Reading<ReadOutcome> {
  try {
    yield* readMembers(reading.chars, shape, shape.assign, shape.close, 0, (piece) =>
      reading.argumentsPiece(piece),
    );
    return 'whole';
  } catch (error) {
    if (error instanceof Stop) return error.outcome;
    throw error;
  }
}

function* readMembers(
  chars: CharStream,
  shape: LooseShape,
  assign: string,
  close: string,
  depth: number,
  emit: (piece: string) => void,
): Reading<void> {
  yield* take(chars, close === ')' ? '(' : '{');
  let separator = '{';
  for (;;) {
    const char = yield* next(chars);
    if (char === ',') {
      chars.skip(1);
      continue;
    }
    if (char === close) break;
    const key = yield* readKey(chars, shape, assign);
    const value = yield* readLooseValue(chars, shape, depth + 1);
    emit(`${separator}${JSON.stringify(key)}:${value}`);
    separator = ',';
  }
  chars.skip(1);
  emit(separator === '{' ? '{}' : '}');
}

function* readKey(chars: CharStream, shape: LooseShape, assign: string): Reading<string> {
  const quoted = yield* readQuoted(chars, shape, [assign]);
  let key = quoted ?? '';
  if (quoted === undefined) {
    for (;;) {
      const char = yield* present(chars);
      if (char === assign) break;
      if (wordEnds.includes(char)) throw new Stop('malformed');
      key += char;
      chars.skip(1);
    }
  }
  yield* take(chars, assign);
  return quoted ?? key.trim();
}

function* readLooseValue(chars: CharStream, shape: LooseShape, depth: number): Reading<string> {
  if (depth > deepestNesting) throw new Stop('malformed');
  const char = yield* next(chars);
  if (char === '{') {
    let text = '';
    yield* readMembers(chars, shape, ':', '}', depth, (piece) => {
      text += piece;
    });
    return text;
  }
  if (char === '[' || char === '(') return yield* readList(chars, shape, char === '[' ? ']' : ')', depth);
  const quoted = yield* readQuoted(chars, shape, [',', shape.close, ']', '}', ')']);
  return quoted === undefined ? yield* readWord(chars) : JSON.stringify(quoted);
}

function* readList(chars: CharStream, shape: LooseShape, close: string, depth: number): Reading<string> {
  chars.skip(1);
  const items: string[] = [];
  for (;;) {
    const char = yield* next(chars);
    if (char === close) break;
    if (char === ',') chars.skip(1);
    else items.push(yield* readLooseValue(chars, shape, depth + 1));
  }
  chars.skip(1);
  return `[${items.join(',')}]`;
}

/** A number or one of the words of JSON or Python; any other bare word is text. */
function* readWord(chars: CharStream): Reading<string> {
  let text = '';
  for (;;) {
    const char = yield* present(chars);
    if (wordEnds.includes(char) || isSpace(char)) break;
    text += char;
    chars.skip(1);
  }
  // Where templates write nothing for null, models learn to.
  if (text === '') return yield* readNothing(chars);
  const word = { True: 'true', False: 'false', None: 'null' }[text] ?? text;
  try {
    JSON.parse(word);
    return word;
  } catch {
    return JSON.stringify(text);
  }
}

function* readNothing(chars: CharStream): Reading<string> {
  const char = yield* next(chars);
  if (char === ':' || char === '=') throw new Stop('malformed');
  return 'null';
}

/** Undefined when no quote is here. `follow`: what may come after the quote that ends the text. */
function* readQuoted(
  chars: CharStream,
  shape: LooseShape,
  follow: readonly string[],
): Reading<string | undefined> {
  for (const quote of shape.rawQuotes) {
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
  if (!shape.quotes.includes(quote)) return undefined;
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

function* isFollowed(chars: CharStream, follow: readonly string[]): Reading<boolean> {
  for (let length = 1; ; length++) {
    const ahead = yield* chars.lookAhead(length);
    const char = ahead.charAt(length - 1);
    if (char === '') return true;
    if (!isSpace(char)) return follow.includes(char);
  }
}

/** The next character that is not white space. */
function* next(chars: CharStream): Reading<string> {
  yield* chars.skipSpaces();
  return yield* present(chars);
}

function* present(chars: CharStream): Reading<string> {
  const char = yield* chars.peek();
  if (char === '') throw new Stop('cut');
  return char;
}

function* take(chars: CharStream, text: string): Reading<void> {
  if ((yield* next(chars)) !== text) throw new Stop('malformed');
  chars.skip(1);
}
