import { AppError, type ErrorCode } from '../../../../errors.ts';
import { gbnfClass, gbnfLiteral } from '../../../grammar/text/gbnf-text.ts';
import {
  charRange,
  charsOf,
  subtractChars,
  uniteChars,
  type CharSet,
} from '../../../grammar/language/char-set.ts';

/** Rules of a grammar by name; names given out once. */
export class RuleSet {
  readonly rules = new Map<string, string>();

  /** The name of the rule with this text, which is added when there is none of the name yet. */
  define(name: string, text: string): string {
    this.rules.set(name, text);
    return name;
  }

  addAll(rules: ReadonlyMap<string, string>): void {
    for (const [name, text] of rules) this.rules.set(name, text);
  }
}

/** What raw text may consist of: no control characters but white space, no surrogates. */
const textChars: CharSet = uniteChars([
  charsOf('\t\n'),
  charRange(0x20, 0x7e),
  charRange(0xa0, 0xd7ff),
  charRange(0xe000, 0x10ffff),
]);

/**
 * A pattern for `literal` as models write it: white space with a line break in it may be another one or missing,
 * as a token may hold a marker together with what follows it.
 */
export function looseLiteral(literal: string): string {
  return literal
    .split(/(\s*\n\s*)/)
    .map((part) => {
      if (part === '') return '';
      if (!part.includes('\n')) return gbnfLiteral(part);
      const others = ['\n', ' '].filter((other) => other !== part).map(gbnfLiteral);
      return `(${[gbnfLiteral(part), ...others].join(' | ')})?`;
    })
    .filter((part) => part !== '')
    .join(' ');
}

/**
 * The rule for any text up to and with the first `marker`: an automaton that knows how much of the marker was
 * just read, so that the marker can never be part of the text.
 */
export function untilMarker(rules: RuleSet, name: string, marker: string): string {
  const wanted = Array.from(marker);
  for (let state = 0; state < wanted.length; state++) {
    const onward = [...new Set(wanted)].filter((char) => nextState(wanted, state, char) > 0);
    const options = onward.map((char) => {
      const next = nextState(wanted, state, char);
      return next === wanted.length ? gbnfLiteral(char) : `${gbnfLiteral(char)} ${stateName(name, next)}`;
    });
    options.push(`${gbnfClass(subtractChars(textChars, charsOf(onward.join(''))))} ${name}`);
    rules.define(stateName(name, state), options.join(' | '));
  }
  return name;
}

/** A character of raw text that is visible and none of `excluded`. */
export const charBefore = (excluded: string): string =>
  gbnfClass(subtractChars(textChars, charsOf(`${excluded} \t\n`)));

const stateName = (name: string, state: number) => (state === 0 ? name : `${name}-${state}`);

/** Length of the longest beginning of the marker that ends what was read: `state` of its characters, then `char`. */
function nextState(wanted: readonly string[], state: number, char: string): number {
  const read = [...wanted.slice(0, state), char];
  for (let length = Math.min(read.length, wanted.length); length > 0; length--) {
    const end = read.slice(read.length - length);
    if (end.every((character, index) => character === wanted[index])) return length;
  }
  return 0;
}

/** What `run` returns; the path in its refusal of a schema begins with `path`. */
export function atPath<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const isRefusal = error instanceof AppError && refusalCodes.includes(error.code);
    if (!isRefusal) throw error;
    const param = error.param === null ? path : `${path}.${error.param}`;
    throw new AppError(error.code, error.message, { param, cause: error });
  }
}

const refusalCodes: readonly ErrorCode[] = ['invalid_json_schema', 'schema_too_complex'];
