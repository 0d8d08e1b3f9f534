import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';
import { NoCall } from '../call-codec.ts';
import { fromPython } from '../schema/call-arguments.ts';

/** The quotes around texts. JSON is read nearly as loosely as the rest: a model forgets a comma, or writes True. */
export interface Quotes {
  /** Between these nothing is escaped: the text ends where the quote comes again. */
  readonly raw?: string;
  /** Between these a backslash escapes. An apostrophe inside a word does not end the text. */
  readonly escaping: readonly string[];
  /** True where each such quote ends the text, unless it is escaped. */
  readonly isJson?: true;
}

export const jsonQuotes: Quotes = { escaping: ['"'], isJson: true };
const deepestNesting = 256;
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const behindValues = [',', ')', ']', '}'];
const wordEnd = /[,)\]}:=\s]/;

const mustEscape = /["\\\p{Cc}\p{Cs}]/u;
/** `text` as it stands between the quotes of JSON. To see that a piece stays as it is is quicker than to write it. */
export const escapeJson = (text: string) =>
  mustEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text;

/** Passes the JSON of the value that begins here to `emit` as it comes. */
export function* readValue(
  chars: CharStream,
  quotes: Quotes,
  emit: (json: string) => void,
  depth = 0,
): Reading<void> {
  if (depth > deepestNesting) throw new NoCall();
  const char = yield* next(chars);
  if (char === '{') return yield* readMembers(chars, char, quotes, emit, depth);
  if (char === '[' || char === '(') return yield* readList(chars, char, quotes, emit, depth);
  const quote = yield* readQuote(chars, quotes);
  if (quote === undefined) return emit(yield* readWord(chars));
  emit('"');
  yield* readQuoted(chars, quote, quotes, behindValues, (text) => emit(escapeJson(text)));
  emit('"');
}

/** The text of one JSON value. */
export function* readJsonText(chars: CharStream): Reading<string> {
  let text = '';
  yield* readValue(chars, jsonQuotes, (piece) => void (text += piece));
  return text;
}

/** Passes the JSON of the members behind the bracket `open` to `emit`; of two with the same key the first. */
export function* readMembers(
  chars: CharStream,
  open: '{' | '(',
  quotes: Quotes,
  emit: (json: string) => void,
  depth = 0,
  oddNames: readonly string[] = [],
): Reading<void> {
  const known = new Set<string>();
  const assign = open === '{' ? ':' : '=';
  yield* take(chars, open);
  while (yield* reachItem(chars, closing[open])) {
    const key = (yield* chars.acceptOneOf(oddNames, assign)) ?? (yield* readKey(chars, quotes, assign));
    yield* take(chars, assign);
    const pass = known.has(key) ? () => {} : emit;
    pass(`${known.size === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    known.add(key);
    yield* readValue(chars, quotes, pass, depth + 1);
  }
  emit(known.size === 0 ? '{}' : '}');
}

/** The name of the member that begins here. */
export function* readKey(chars: CharStream, quotes: Quotes, assign: string): Reading<string> {
  let key = '';
  const collect = (text: string) => void (key += text);
  const quote = yield* readQuote(chars, quotes);
  if (quote === undefined) yield* chars.untilChar(/[,)\]}:=]/, collect);
  else yield* readQuoted(chars, quote, quotes, [assign], collect);
  return quote === undefined ? key.trim() : key;
}

function* readList(
  chars: CharStream,
  open: '[' | '(',
  quotes: Quotes,
  emit: (json: string) => void,
  depth: number,
): Reading<void> {
  let before = '[';
  yield* take(chars, open);
  while (yield* reachItem(chars, closing[open])) {
    if (wordEnd.test(yield* next(chars))) throw new NoCall();
    emit(before);
    before = ',';
    yield* readValue(chars, quotes, emit, depth + 1);
  }
  emit(before === '[' ? '[]' : ']');
}

/** The JSON of a word without quotes: of a number, or of a word of JSON or Python; any other word is text. */
function* readWord(chars: CharStream): Reading<string> {
  let text = '';
  if (!(yield* chars.untilChar(wordEnd, (piece) => void (text += piece)))) throw new NoCall();
  if (text === '' && /[:=]/.test(yield* next(chars))) throw new NoCall();
  // Some templates write nothing for null, so models do as well.
  const word = text === '' ? 'null' : fromPython(text);
  try {
    JSON.parse(word);
    return word;
  } catch {
    return JSON.stringify(text);
  }
}

/** The quote that is here, which is passed over; undefined where none is. */
function* readQuote(chars: CharStream, { raw, escaping }: Quotes): Reading<string | undefined> {
  yield* present(chars);
  for (const quote of raw === undefined ? escaping : [raw, ...escaping])
    if (yield* chars.acceptExactly(quote)) return quote;
  return undefined;
}

/** Passes the text up to the `quote` that ends it to `emit`: one of the characters `follow` comes behind that. */
function* readQuoted(
  chars: CharStream,
  quote: string,
  { raw, isJson }: Quotes,
  follow: readonly string[],
  emit: (text: string) => void,
): Reading<void> {
  const isRaw = quote === raw;
  for (;;) {
    const found = yield* chars.until(isRaw ? [quote] : [quote, '\\'], emit);
    if (found === undefined) throw new NoCall();
    chars.skip(found.length);
    if (found !== quote) emit(yield* readEscape(chars));
    else if (isRaw || isJson || (yield* isFollowed(chars, follow))) return;
    else emit(quote);
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

/** The next character that is not white space; throws NoCall at the end of the text. */
export function* next(chars: CharStream): Reading<string> {
  yield* chars.skipSpaces();
  return yield* present(chars);
}

/** The next character; throws NoCall at the end of the text. */
export function* present(chars: CharStream): Reading<string> {
  const char = yield* chars.peek();
  if (char === '') throw new NoCall();
  return char;
}

/** Passes over white space and the character `wanted`; throws NoCall where another one is there. */
export function* take(chars: CharStream, wanted: string): Reading<void> {
  if ((yield* next(chars)) !== wanted) throw new NoCall();
  chars.skip(1);
}

/** Passes over commas, of which some may be missing; false, with it passed over as well, where `close` comes. */
export function* reachItem(chars: CharStream, close: string | undefined): Reading<boolean> {
  for (;;) {
    const char = yield* next(chars);
    if (char !== ',' && char !== close) return true;
    chars.skip(1);
    if (char === close) return false;
  }
}
