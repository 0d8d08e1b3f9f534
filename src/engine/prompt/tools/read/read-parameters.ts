import type { ArgumentTypes } from '../argument-types.ts';
import type { CallReading, ReadOutcome } from './call-reading.ts';
import type { CharStream, Reading } from '../../text/char-stream.ts';
import { readElement } from './read-element.ts';
import { readKey, type ParameterKey } from './read-key.ts';
import { cdata, endOf, type ParametersShape } from '../tool-syntax.ts';

/**
 * Reads begin · KEY · keyEnd · VALUE · end as often as it comes, and passes all of them on as one JSON object. Values
 * that can only be text are passed on as they come; others when they are complete, with a type from the tool's schema.
 * Of two with the same key the first counts. A text ends only before one of `followers`.
 */
export function* readParameters(
  reading: CallReading,
  shape: ParametersShape,
  types: ArgumentTypes,
  followers: readonly string[],
): Reading<ReadOutcome> {
  const { chars } = reading;
  const begin = shape.begin.trim();
  const known = new Set<string>();
  for (;;) {
    yield* chars.skipSpaces();
    if (shape.nested === true && (yield* chars.match(shape.end)) >= 0) break;
    if (!(yield* chars.accept(begin))) break;
    const key = yield* readKey(chars, shape);
    if (key === undefined) return (yield* chars.peek()) === '' ? 'cut' : 'malformed';
    const emit = known.has(key.text) ? () => {} : (json: string) => reading.argumentsPiece(json);
    emit(`${known.size === 0 ? '{' : ','}${JSON.stringify(key.text)}:`);
    known.add(key.text);
    if (!(yield* readValue({ chars, shape, types, followers, emit }, key))) return 'cut';
  }
  if ((yield* chars.peek()) === '') return 'cut';
  reading.argumentsPiece(known.size === 0 ? '{}' : '}');
  return 'whole';
}

interface ValueReading {
  readonly chars: CharStream;
  readonly shape: ParametersShape;
  readonly types: ArgumentTypes;
  readonly followers: readonly string[];
  readonly emit: (json: string) => void;
}

/** Reads the value of `key`; whether it was whole. */
function* readValue(reading: ValueReading, key: ParameterKey): Reading<boolean> {
  const { chars, shape, types, emit } = reading;
  const isText = key.isText ?? types.isText(key.text);
  if (isText && shape.strings === 'raw') {
    emit('"');
    const whole = yield* readUntilEnd(reading, key, (piece) => emit(JSON.stringify(piece).slice(1, -1)));
    if (whole) emit('"');
    return whole;
  }
  if (shape.nested === true && !isText) {
    const json = yield* readElement(chars, shape, key.text, types);
    if (json !== undefined) emit(json);
    return json !== undefined;
  }
  let text = '';
  const whole = yield* readUntilEnd(reading, key, (piece) => {
    text += piece;
  });
  if (whole) emit(isText ? text.trim() : types.toJson(key.text, text));
  return whole;
}

/** Reads a value and its end, which counts only where something follows that may, or nothing at all. */
function* readUntilEnd(
  { chars, shape, types, followers }: ValueReading,
  key: ParameterKey,
  emit: (piece: string) => void,
): Reading<boolean> {
  const isWrapped = shape.cdata === true && (yield* chars.acceptExactly(cdata.begin));
  const end = (isWrapped ? cdata.end : '') + endOf(shape, key.text);
  const trimmed = end.trimStart();
  // A text that begins on a line of its own ends on one, or at once.
  const isOnLines = key.onOwnLine && shape.strings === 'raw' && types.typesOf(key.text).has('string');
  const isOneLine = trimmed !== end && (!isOnLines || (yield* isFollowed(chars, trimmed, followers)));
  for (;;) {
    const found = yield* chars.until(isOneLine ? [end, trimmed] : [end], emit);
    if (found === undefined) return false;
    if (isWrapped || (yield* isFollowed(chars, found, followers))) {
      chars.skip(found.length);
      return true;
    }
    emit(found.charAt(0));
    chars.skip(1);
  }
}

/** Whether `end` comes next and behind it, after white space, one of `followers` or the end of the text. */
function* isFollowed(chars: CharStream, end: string, followers: readonly string[]): Reading<boolean> {
  // A character that models do not write matches only where the text ends.
  for (const next of ['\u0000', ...followers])
    if ((yield* chars.match(`${end} ${next}`, true)) >= 0) return true;
  return false;
}
