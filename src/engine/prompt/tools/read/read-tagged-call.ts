import type { CallReading, ReadOutcome } from './call-reading.ts';
import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';
import { readValue } from './read-json-call.ts';
import { bareKeysShape, pythonicShape, readLooseArguments } from './read-loose-values.ts';
import { readParameters } from './read-parameters.ts';
import type { CallBody, SyntaxPiece } from '../tool-syntax.ts';

type TaggedBody = Extract<CallBody, { kind: 'tagged' }>;

const longestName = 256;

/** Reads beforeName · NAME · afterName · ARGUMENTS. `callEnd`, which comes next, also ends the name of a call without arguments. */
export function* readTaggedCall(
  reading: CallReading,
  body: TaggedBody,
  callEnd: string,
  followers: readonly string[],
): Reading<ReadOutcome> {
  const { chars } = reading;
  if (!(yield* readPieces(chars, body.beforeName ?? [])))
    return (yield* chars.peek()) === '' ? 'cut' : 'malformed';
  const name = yield* readName(chars, body, callEnd);
  if (name === undefined) return (yield* chars.peek()) === '' ? 'cut' : 'malformed';
  if (!(yield* readPieces(chars, body.afterName))) return (yield* chars.peek()) === '' ? 'cut' : 'malformed';
  reading.begin(name);
  switch (body.arguments.kind) {
    case 'json':
      return yield* readJsonArguments(reading);
    case 'parameters':
      return yield* readParameters(reading, body.arguments, reading.typesOf(name), followers);
    case 'pythonic':
      return yield* readLooseArguments(reading, pythonicShape);
    case 'bare-keys':
      return yield* readLooseArguments(reading, bareKeysShape(body.arguments.quote));
  }
}

/** The text up to what the syntax writes after a name. Names hold no white space, quotes or brackets. */
function* readName(chars: CharStream, body: TaggedBody, callEnd: string): Reading<string | undefined> {
  const [piece] = body.afterName;
  const ends = [typeof piece === 'string' ? piece.trim() : '', callEnd.trim()].filter((end) => end !== '');
  let name = '';
  for (;;) {
    const char = yield* chars.peek();
    if (char === '' || name.length > longestName) return undefined;
    if (isSpace(char) || '({[<>"\'`'.includes(char)) break;
    let ended = false;
    for (const end of ends) ended ||= (yield* chars.match(end)) >= 0;
    if (ended) break;
    name += char;
    chars.skip(1);
  }
  return name === '' ? undefined : name;
}

function* readPieces(chars: CharStream, pieces: readonly SyntaxPiece[]): Reading<boolean> {
  for (const [at, piece] of pieces.entries()) {
    if (typeof piece === 'string') {
      // The white space before the arguments may be missing where a call has none.
      if (!(yield* chars.accept(piece.trimEnd()))) return false;
      yield* skipTrailing(chars, piece);
      continue;
    }
    const following = pieces[at + 1];
    const end = typeof following === 'string' ? following.trim() : '';
    if (end === '') return false;
    if ((yield* chars.until([end], () => {})) === undefined) return false;
  }
  return true;
}

function* skipTrailing(chars: CharStream, piece: string): Reading<void> {
  if (piece.trimEnd() !== piece) yield* chars.skipSpaces();
}

function* readJsonArguments(reading: CallReading): Reading<ReadOutcome> {
  const { chars } = reading;
  yield* chars.skipSpaces();
  const char = yield* chars.peek();
  if (char === '{') return yield* readValue(chars, (piece) => reading.argumentsPiece(piece));
  if (char === '') return 'cut';
  let text = '';
  const outcome = yield* readValue(chars, (piece) => {
    text += piece;
  });
  if (outcome === 'cut') return 'cut';
  // Nothing, null or another value in place of an object means that the call has no arguments.
  reading.argumentsPiece('{}');
  return text === '' || outcome === 'whole' ? 'whole' : outcome;
}
