import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';
import { NoCall, type CallReading } from '../call-codec.ts';
import { next, present, reachItem, take } from './read-json.ts';

/** How arguments that are not written as JSON look, such as `(key='text', other=5)`. */
export interface LooseShape {
  readonly open: '(' | '{';
  readonly assign: '=' | ':';
  /** Quotes between which nothing is escaped: the text ends where the quote comes again. */
  readonly rawQuotes: readonly string[];
  /** Quotes as in Python: a backslash escapes. An apostrophe inside a word does not end the text. */
  readonly quotes: readonly string[];
}

const deepestNesting = 64;
const wordEnds = [',', ')', ']', '}', ':', '='];
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Reads arguments that look as `shape` says, and hands on a piece of JSON for each. */
export const readLooseArguments = (
  { chars, argumentsPiece }: CallReading,
  shape: LooseShape,
): Reading<void> => readMembers(chars, shape, shape.open, shape.assign, 0, argumentsPiece);

function* readMembers(
  chars: CharStream,
  shape: LooseShape,
  open: string,
  assign: string,
  depth: number,
  emit: (piece: string) => void,
): Reading<void> {
  const known = new Set<string>();
  yield* take(chars, open);
  while (yield* reachItem(chars, closing[open])) {
    const key = yield* readKey(chars, shape, assign);
    const value = yield* readValue(chars, shape, depth + 1);
    // Of two with the same key the first counts.
    if (!known.has(key)) emit(`${known.size === 0 ? '{' : ','}${JSON.stringify(key)}:${value}`);
    known.add(key);
  }
  emit(known.size === 0 ? '{}' : '}');
}

function* readKey(chars: CharStream, shape: LooseShape, assign: string): Reading<string> {
  const key = (yield* readQuoted(chars, shape, [assign])) ?? (yield* readBareKey(chars, assign));
  yield* take(chars, assign);
  return key;
}

function* readBareKey(chars: CharStream, assign: string): Reading<string> {
  let key = '';
  for (;;) {
    const char = yield* present(chars);
    if (char === assign) return key.trim();
    if (wordEnds.includes(char)) throw new NoCall();
    key += char;
    chars.skip(1);
  }
}

/** The JSON of a value. */
function* readValue(chars: CharStream, shape: LooseShape, depth: number): Reading<string> {
  if (depth > deepestNesting) throw new NoCall();
  const char = yield* next(chars);
  if (char === '{') {
    let text = '';
    yield* readMembers(chars, shape, '{', ':', depth, (piece) => {
      text += piece;
    });
    return text;
  }
  if (char === '[' || char === '(') return yield* readList(chars, shape, char, depth);
  const quoted = yield* readQuoted(chars, shape, wordEnds.slice(0, 4));
  return quoted === undefined ? yield* readWord(chars) : JSON.stringify(quoted);
}

function* readList(chars: CharStream, shape: LooseShape, open: string, depth: number): Reading<string> {
  const items: string[] = [];
  yield* take(chars, open);
  while (yield* reachItem(chars, closing[open])) {
    if (wordEnds.includes(yield* next(chars))) throw new NoCall();
    items.push(yield* readValue(chars, shape, depth + 1));
  }
  return `[${items.join(',')}]`;
}

/** The JSON of a word without quotes: of a number, or of a word of JSON or Python; any other word is text. */
function* readWord(chars: CharStream): Reading<string> {
  let text = '';
  for (;;) {
    const char = yield* present(chars);
    if (wordEnds.includes(char) || isSpace(char)) break;
    text += char;
    chars.skip(1);
  }
  const after = text === '' ? yield* next(chars) : '';
  if (after === ':' || after === '=') throw new NoCall();
  // Some templates write nothing for null, so models do as well.
  const word = { '': 'null', True: 'true', False: 'false', None: 'null' }[text] ?? text;
  try {
    JSON.parse(word);
    return word;
  } catch {
    return JSON.stringify(text);
  }
}

/**
 * The text between quotes that begins here; undefined when no quote is here. A quote ends the text only where one of
 * the characters `follow` comes next.
 */
function* readQuoted(
  chars: CharStream,
  { rawQuotes, quotes }: LooseShape,
  follow: readonly string[],
): Reading<string | undefined> {
  let text = '';
  for (const quote of rawQuotes) {
    if (!(yield* chars.acceptExactly(quote))) continue;
    const found = yield* chars.until([quote], (piece) => {
      text += piece;
    });
    if (found === undefined) throw new NoCall();
    chars.skip(quote.length);
    return text;
  }
  const quote = yield* present(chars);
  if (!quotes.includes(quote)) return undefined;
  chars.skip(1);
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
  return '\\\'"/'.includes(char) ? char : (escapes[char] ?? `\\${char}`);
}

/** Whether one of `follow`, or the end of the text, comes next after white space. */
function* isFollowed(chars: CharStream, follow: readonly string[]): Reading<boolean> {
  for (let length = 1; ; length++) {
    const char = (yield* chars.lookAhead(length)).charAt(length - 1);
    if (!isSpace(char)) return char === '' || follow.includes(char);
  }
}
