import { isSpace, type CharStream, type Reading } from '../../../text/char-stream.ts';
import { firstMarker, sharedBeginning } from '../../../text/text-cuts.ts';
import { NoCall, type CallReading } from '../../call-codec.ts';
import { jsonTypes } from '../../../../../grammar/fits-schema.ts';
import type { ArgumentTypes } from '../../schema/argument-types.ts';
import { itemKey } from '../../schema/call-arguments.ts';
import type { ParametersShape } from '../../tool-syntax.ts';
import { escapeJson, present } from '../read-values.ts';
import { cdata, endOf, followersOf, keyEndOf } from './parameter-texts.ts';

const deepestNesting = 64;

/**
 * Reads parameters as often as they come, and passes all of them on as one JSON object. Values that can only be text are
 * passed on as they come; others when they are complete, with a type from the tool's schema. Of two with the same key the
 * first counts.
 */
export function* readParameters(
  shape: ParametersShape,
  { chars, syntax, argumentsPiece }: CallReading,
  types: ArgumentTypes,
): Reading<void> {
  const reader = new ParameterReader(chars, shape, followersOf(shape, syntax));
  const known = new Set<string>();
  while (yield* reader.begins()) {
    const key = yield* reader.readKey(types);
    const emit = known.has(key.text) ? () => {} : argumentsPiece;
    emit(`${known.size === 0 ? '{' : ','}${JSON.stringify(key.text)}:`);
    known.add(key.text);
    yield* reader.readValue(key, types, emit, 0);
  }
  yield* present(chars);
  argumentsPiece(known.size === 0 ? '{}' : '}');
}

interface ParameterKey {
  readonly text: string;
  /** Whether the syntax marks the value as text; undefined where the syntax does not tell. */
  readonly isText: boolean | undefined;
  /** Whether the value begins on a line of its own. */
  readonly onOwnLine: boolean;
}

class ParameterReader {
  readonly #chars: CharStream;
  readonly #shape: ParametersShape;
  /** A text ends only before one of these. */
  readonly #followers: readonly string[];
  /** The texts that may come behind a key, and their common beginning, with which the key ends. */
  readonly #keyEnds: readonly string[];
  readonly #keyEnd: string;

  constructor(chars: CharStream, shape: ParametersShape, followers: readonly string[]) {
    this.#chars = chars;
    this.#shape = shape;
    // A character that models do not write matches only where the text ends.
    this.#followers = ['\u0000', ...followers];
    const { string, other } = shape.keyEnd;
    this.#keyEnds = [...new Set(jsonTypes.map((type) => keyEndOf(shape, type)))];
    this.#keyEnd = string === other ? firstMarker(string) : sharedBeginning(string, other).trim();
  }

  /** Whether a parameter begins here; its beginning is passed over. */
  *begins(): Reading<boolean> {
    const { begin, end, nested } = this.#shape;
    yield* this.#chars.skipSpaces();
    if (nested === true && (yield* this.#chars.match(end)) >= 0) return false;
    return yield* this.#chars.accept(begin.trim());
  }

  /** The key of the parameter that has begun here, up to its value. */
  *readKey(types?: ArgumentTypes): Reading<ParameterKey> {
    const { keyEnd, strings } = this.#shape;
    let text = (yield* this.#chars.acceptOneOf(types?.oddNames ?? [], this.#keyEnd)) ?? '';
    const found = yield* this.#chars.until([this.#keyEnd], (piece) => {
      text += piece;
    });
    if (found === undefined) throw new NoCall();
    for (const end of this.#keyEnds) {
      const trimmed = end.trimEnd();
      if (!(yield* this.#chars.accept(trimmed))) continue;
      const onOwnLine = yield* this.#acceptSpacing(end.slice(trimmed.length));
      const tells = strings === 'raw' && keyEnd.string !== keyEnd.other;
      return { text: text.trim(), isText: tells ? end === keyEnd.string : undefined, onOwnLine };
    }
    throw new NoCall();
  }

  /** Whether `spacing`, which is passed over, stands before a raw value. Other white space belongs to the value. */
  *#acceptSpacing(spacing: string): Reading<boolean> {
    return (
      spacing !== '' && isSpace(yield* this.#chars.peek()) && (yield* this.#chars.acceptExactly(spacing))
    );
  }

  /** Passes the JSON of the value of `key` to `emit`, and passes over its end. */
  *readValue(
    key: ParameterKey,
    types: ArgumentTypes,
    emit: (json: string) => void,
    depth: number,
  ): Reading<void> {
    const isText = key.isText ?? types.isText(key.text);
    if (isText && this.#shape.strings === 'raw') {
      emit('"');
      yield* this.#readUntilEnd(key, types, (piece) => emit(escapeJson(piece)));
      return emit('"');
    }
    const allowed = types.typesOf(key.text);
    const mayNest = this.#shape.nested === true && (allowed.has('object') || allowed.has('array'));
    if (mayNest && (yield* this.#startsElement())) return emit(yield* this.#readElements(key, types, depth));
    let text = '';
    yield* this.#readUntilEnd(key, types, (piece) => {
      text += piece;
    });
    if (isText) emit(text.trim());
    else if (mayNest && text.trim() === '' && !allowed.has('string'))
      emit(allowed.has('object') ? '{}' : '[]');
    else emit(types.toJson(key.text, text));
  }

  *#startsElement(): Reading<boolean> {
    const { begin, end } = this.#shape;
    return (yield* this.#chars.match(` ${end}`)) < 0 && (yield* this.#chars.match(` ${begin}`)) >= 0;
  }

  /** The JSON of an object or a list that is written as more such parameters. */
  *#readElements(key: ParameterKey, types: ArgumentTypes, depth: number): Reading<string> {
    if (depth >= deepestNesting) throw new NoCall();
    const inner = types.inside(key.text);
    const members: { readonly name: string; readonly json: string }[] = [];
    while (yield* this.begins()) {
      const member = yield* this.readKey(inner);
      let json = '';
      yield* this.readValue(member, inner, (piece) => void (json += piece), depth + 1);
      members.push({ name: member.text, json });
    }
    if (!(yield* this.#chars.accept(` ${endOf(this.#shape, key.text)}`))) throw new NoCall();
    const allowed = types.typesOf(key.text);
    const isNamed = allowed.has('object') && members.some(({ name }) => name !== itemKey);
    if (allowed.has('array') && !isNamed) return `[${members.map(({ json }) => json).join(',')}]`;
    return `{${members.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  }

  /** Reads a value and its end, which counts only where something follows that may, or nothing at all. */
  *#readUntilEnd(key: ParameterKey, types: ArgumentTypes, emit: (piece: string) => void): Reading<void> {
    const chars = this.#chars;
    const { cdata: takesCdata, nested, strings } = this.#shape;
    const isWrapped = takesCdata === true && (yield* chars.acceptExactly(cdata.begin));
    // Grammars cannot repeat a name that is not known beforehand, so such a value ends with any name.
    const isOpen = nested === true && !types.declares(key.text);
    const ending = isOpen ? this.#shape.end : endOf(this.#shape, key.text);
    const end = (isWrapped ? cdata.end : '') + ending;
    const trimmed = end.trimStart();
    // A text that begins on a line of its own ends on one, or at once.
    const isOnLines = key.onOwnLine && strings === 'raw' && types.typesOf(key.text).has('string');
    const mayTrim = trimmed !== end && (!isOnLines || (yield* this.#isEnd(trimmed)));
    for (;;) {
      const found = yield* chars.until(mayTrim ? [end, trimmed] : [end], emit);
      if (found === undefined) throw new NoCall();
      if (isWrapped || isOpen || (yield* this.#isEnd(found))) {
        chars.skip(found.length);
        if (isOpen) yield* this.readKey();
        return;
      }
      emit(found.charAt(0));
      chars.skip(1);
    }
  }

  /** Whether `end` comes next and behind it, after white space, a text that may follow, or the end. */
  *#isEnd(end: string): Reading<boolean> {
    for (const next of this.#followers)
      if ((yield* this.#chars.match(`${end} ${next}`, true)) >= 0) return true;
    return false;
  }
}
