import type { ArgumentTypes } from '../argument-types.ts';
import type { CallReading, ReadOutcome } from './call-reading.ts';
import type { CharStream, Reading } from '../../text/char-stream.ts';
import { readElement } from './read-element.ts';
import { readKey } from './read-key.ts';
import { cdata, endOf, type ParametersShape } from '../tool-syntax.ts';

/**
 * Reads begin · KEY · keyEnd · VALUE · end as often as it comes, and passes all of them on as one JSON object. Values
 * that can only be text are passed on as they come; others when they are complete, with a type from the tool's schema.
 */
export function* readParameters(
  reading: CallReading,
  shape: ParametersShape,
  types: ArgumentTypes,
): Reading<ReadOutcome> {
  const { chars } = reading;
  const begin = shape.begin.trim();
  let separator = '{';
  for (;;) {
    yield* chars.skipSpaces();
    if (shape.nested === true && (yield* chars.match(shape.end)) >= 0) break;
    if (!(yield* chars.accept(begin))) break;
    const key = yield* readKey(chars, shape);
    if (key === undefined) return (yield* chars.peek()) === '' ? 'cut' : 'malformed';
    reading.argumentsPiece(`${separator}${JSON.stringify(key.text)}:`);
    separator = ',';
    const isText = key.isText ?? types.isText(key.text);
    const value = isText ? readRawText(reading, shape, key.text) : readOther(reading, shape, key.text, types);
    if (!(yield* value)) return 'cut';
  }
  if ((yield* chars.peek()) === '') return 'cut';
  reading.argumentsPiece(separator === '{' ? '{}' : '}');
  return 'whole';
}

function* readRawText(reading: CallReading, shape: ParametersShape, key: string): Reading<boolean> {
  const { chars } = reading;
  if (shape.strings === 'json') return yield* readTyped(reading, shape, (text) => text.trim());
  reading.argumentsPiece('"');
  const whole = yield* readUntilEnd(chars, shape, endOf(shape, key), (piece) =>
    reading.argumentsPiece(JSON.stringify(piece).slice(1, -1)),
  );
  if (whole) reading.argumentsPiece('"');
  return whole;
}

function* readOther(
  reading: CallReading,
  shape: ParametersShape,
  key: string,
  types: ArgumentTypes,
): Reading<boolean> {
  if (shape.nested !== true) return yield* readTyped(reading, shape, (text) => types.toJson(key, text));
  const json = yield* readElement(reading.chars, shape, key, types);
  if (json !== undefined) reading.argumentsPiece(json);
  return json !== undefined;
}

function* readTyped(
  reading: CallReading,
  shape: ParametersShape,
  toJson: (text: string) => string,
): Reading<boolean> {
  let text = '';
  const whole = yield* readUntilEnd(reading.chars, shape, shape.end, (piece) => {
    text += piece;
  });
  if (whole) reading.argumentsPiece(toJson(text));
  return whole;
}

function* readUntilEnd(
  chars: CharStream,
  shape: ParametersShape,
  plainEnd: string,
  emit: (piece: string) => void,
): Reading<boolean> {
  const isWrapped = shape.cdata === true && (yield* chars.acceptExactly(cdata.begin));
  const end = isWrapped ? cdata.end + plainEnd : plainEnd;
  const trimmed = end.trimStart();
  const found = yield* chars.until(trimmed === end ? [trimmed] : [end, trimmed], emit);
  if (found !== undefined) chars.skip(found.length);
  return found !== undefined;
}
