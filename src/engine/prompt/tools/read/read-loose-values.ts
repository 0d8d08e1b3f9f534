import type { CallReading, ReadOutcome } from './call-reading.ts';
import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';
import { next, present, readQuoted, Stop, take, type Quotes } from './read-quoted.ts';

/** How arguments that are not written as JSON look, such as `(key='text', other=5)`. */
export interface LooseShape extends Quotes {
  readonly open: '(' | '{';
  readonly close: ')' | '}';
  readonly assign: '=' | ':';
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

/** Reads arguments that look as `shape` says, and hands on a piece of JSON for each. */
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
  const known = new Set<string>();
  for (;;) {
    const char = yield* next(chars);
    if (char === ',') {
      chars.skip(1);
      continue;
    }
    if (char === close) break;
    const key = yield* readKey(chars, shape, assign);
    const value = yield* readLooseValue(chars, shape, depth + 1);
    // Of two with the same key the first counts.
    if (!known.has(key)) emit(`${known.size === 0 ? '{' : ','}${JSON.stringify(key)}:${value}`);
    known.add(key);
  }
  chars.skip(1);
  emit(known.size === 0 ? '{}' : '}');
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

/** The JSON of a word without quotes: of a number, or of a word of JSON or Python; any other word is text. */
function* readWord(chars: CharStream): Reading<string> {
  let text = '';
  for (;;) {
    const char = yield* present(chars);
    if (wordEnds.includes(char) || isSpace(char)) break;
    text += char;
    chars.skip(1);
  }
  // Some templates write nothing for null, so models do as well.
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
