import { allTypes } from '../argument-types.ts';
import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';
import { firstMarker } from '../../text/text-cuts.ts';
import { keyEndOf, type ParametersShape } from '../tool-syntax.ts';

export interface ParameterKey {
  readonly text: string;
  /** Whether the syntax marks the value as text; undefined where the syntax does not tell. */
  readonly isText: boolean | undefined;
  /** Whether the value begins on a line of its own. */
  readonly onOwnLine: boolean;
}

/** The key of the parameter that has begun here, with what follows it; undefined where no parameter begins. */
export function* readKey(chars: CharStream, shape: ParametersShape): Reading<ParameterKey | undefined> {
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
    const onOwnLine = yield* acceptSpacing(chars, end.slice(trimmed.length));
    const raw = shape.strings === 'raw' ? end === string : undefined;
    return { text: text.trim(), isText: string === other ? undefined : raw, onOwnLine };
  }
  return undefined;
}

/** Whether `spacing`, which is passed over, stands before a raw value. Other white space than the template's belongs to the value. */
function* acceptSpacing(chars: CharStream, spacing: string): Reading<boolean> {
  return spacing !== '' && isSpace(yield* chars.peek()) && (yield* chars.acceptExactly(spacing));
}

function sharedBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length).trim();
}
