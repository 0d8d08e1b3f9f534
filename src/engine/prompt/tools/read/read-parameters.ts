import { allTypes, type ArgumentTypes } from '../argument-types.ts';
import type { CallReading, ReadOutcome } from './call-reading.ts';
import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';
import { firstMarker } from '../../text/text-cuts.ts';
import { cdata, keyEndOf, type ArgumentsShape } from '../tool-syntax.ts';

type ParametersShape = Extract<ArgumentsShape, { kind: 'parameters' }>;

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
    if (!(yield* chars.accept(begin))) break;
    const key = yield* readKey(chars, shape);
    if (key === undefined) return (yield* chars.peek()) === '' ? 'cut' : 'malformed';
    reading.argumentsPiece(`${separator}${JSON.stringify(key.text)}:`);
    separator = ',';
    const isText = key.isText ?? types.isText(key.text);
    const value = isText ? readRawText(reading, shape) : readTypedValue(reading, shape, key, types);
    if (!(yield* value)) return 'cut';
  }
  if ((yield* chars.peek()) === '') return 'cut';
  reading.argumentsPiece(separator === '{' ? '{}' : '}');
  return 'whole';
}

interface ParameterKey {
  readonly text: string;
  /** Whether the syntax marks the value as text; undefined where the syntax does not tell. */
  readonly isText: boolean | undefined;
}

function* readKey(chars: CharStream, shape: ParametersShape): Reading<ParameterKey | undefined> {
  const { string, other } = shape.keyEnd;
  const ends = [...new Set(allTypes.map((type) => keyEndOf(shape, type)))];
  // All texts after a key begin alike, so the key ends at their common beginning.
  const shared = string === other ? firstMarker(string) : sharedBeginning(string, other);
  let text = '';
  const found = yield* chars.until([shared], (piece) => {
    text += piece;
  });
  if (found === undefined) return undefined;
  for (const end of ends) {
    const trimmed = end.trimEnd();
    if (!(yield* chars.accept(trimmed))) continue;
    yield* acceptSpacing(chars, end.slice(trimmed.length));
    const raw = shape.strings === 'raw' ? end === string : undefined;
    return { text: text.trim(), isText: string === other ? undefined : raw };
  }
  return undefined;
}

/** Passes over `spacing` before a raw value. Other white space than the template's belongs to the value. */
function* acceptSpacing(chars: CharStream, spacing: string): Reading<void> {
  if (spacing !== '' && isSpace(yield* chars.peek())) yield* chars.acceptExactly(spacing);
}

function* readRawText(reading: CallReading, shape: ParametersShape): Reading<boolean> {
  const { chars } = reading;
  if (shape.strings === 'json') return yield* readTyped(reading, shape, (text) => text.trim());
  reading.argumentsPiece('"');
  const whole = yield* readUntilEnd(chars, shape, (piece) =>
    reading.argumentsPiece(JSON.stringify(piece).slice(1, -1)),
  );
  if (whole) reading.argumentsPiece('"');
  return whole;
}

function* readTypedValue(
  reading: CallReading,
  shape: ParametersShape,
  key: ParameterKey,
  types: ArgumentTypes,
): Reading<boolean> {
  return yield* readTyped(reading, shape, (text) => types.toJson(key.text, text));
}

function* readTyped(
  reading: CallReading,
  shape: ParametersShape,
  toJson: (text: string) => string,
): Reading<boolean> {
  let text = '';
  const whole = yield* readUntilEnd(reading.chars, shape, (piece) => {
    text += piece;
  });
  if (whole) reading.argumentsPiece(toJson(text));
  return whole;
}

function* readUntilEnd(
  chars: CharStream,
  shape: ParametersShape,
  emit: (piece: string) => void,
): Reading<boolean> {
  const isWrapped = shape.cdata === true && (yield* chars.acceptExactly(cdata.begin));
  const end = isWrapped ? cdata.end + shape.end : shape.end;
  const trimmed = end.trimStart();
  const found = yield* chars.until(trimmed === end ? [trimmed] : [end, trimmed], emit);
  if (found !== undefined) chars.skip(found.length);
  return found !== undefined;
}

function sharedBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length).trim();
}
