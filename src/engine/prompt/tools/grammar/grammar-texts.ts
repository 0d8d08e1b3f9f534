import { AppError, type ErrorCode } from '../../../../errors/errors.ts';
import { gbnfClass, gbnfLiteral, type CompiledSchema } from '../../../../grammar/gbnf.ts';
import { charRange, charsOf, subtractChars, uniteChars, type CharSet } from '../../../../grammar/char-set.ts';

/** The rules of a grammar by name, and the paths of what was ignored in the schemas behind them. */
export class RuleSet {
  readonly rules = new Map<string, string>();
  #ignored: readonly string[] = [];

  /** Adds a rule, or replaces the one of that name; returns the name. */
  define(name: string, text: string): string {
    this.rules.set(name, text);
    return name;
  }

  /** Adds the rules of `compiled`; returns the name of its root. */
  addAll({ rules, rootRule, ignored }: CompiledSchema): string {
    for (const [name, text] of rules) this.rules.set(name, text);
    this.noteIgnored(ignored);
    return rootRule;
  }

  get ignored(): readonly string[] {
    return this.#ignored;
  }

  noteIgnored(paths: readonly string[]): void {
    this.#ignored = [...new Set([...this.#ignored, ...paths])];
  }

  /** As `atPath`; `path` is also put before the paths of what `run` ignores. */
  at<T>(path: string, run: () => T): T {
    const before = this.#ignored;
    this.#ignored = [];
    const result = atPath(path, run);
    const added = this.#ignored.map((inner) => `${path}.${inner}`);
    this.#ignored = before;
    this.noteIgnored(added);
    return result;
  }
}

/** The characters of raw text: no control characters except tab and line break, and no surrogates. */
export const textChars: CharSet = uniteChars([
  charsOf('\t\n'),
  charRange(0x20, 0x7e),
  charRange(0xa0, 0xd7ff),
  charRange(0xe000, 0x10ffff),
]);

/**
 * Grammar text for `literal` as models write it. White space with a line break may be another white space, or missing:
 * one token may hold a marker together with the text after it.
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
 * The name of a rule for any text up to and with the first `marker`. There is one rule for each number of characters of
 * the marker that were just read, so that the marker can never become part of the text.
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

/** Grammar text for one character of raw text that is neither white space nor one of `excluded`. */
export const charBefore = (excluded: string): string =>
  gbnfClass(subtractChars(textChars, charsOf(`${excluded} \t\n`)));

const stateName = (name: string, state: number) => (state === 0 ? name : `${name}-${state}`);

/** How many characters of the marker were just read, after `char` followed on the first `state` of them. */
function nextState(wanted: readonly string[], state: number, char: string): number {
  const read = [...wanted.slice(0, state), char];
  for (let length = Math.min(read.length, wanted.length); length > 0; length--) {
    const end = read.slice(read.length - length);
    if (end.every((character, index) => character === wanted[index])) return length;
  }
  return 0;
}

/** The result of `run`. When it refuses a schema, `path` is put before the path in the error. */
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
