import { formatPatterns, freeFormats, numberFormats, patternOfFormat } from '../language/format-patterns.ts';
import { isFound } from '../language/pattern/match-program.ts';
import { parsePattern } from '../language/pattern/parse-pattern.ts';
import { PatternError, type PatternNode } from '../language/pattern/pattern-node.ts';
import { patternProgram, type PatternProgram } from '../language/pattern/pattern-program.ts';
import { refusal } from '../refusal.ts';
import type { Work } from '../work.ts';

/** The place of a schema that a pattern is from. */
interface Holder {
  readonly path: string;
}

interface KnownPattern {
  readonly node: PatternNode;
  /** Whether it is valid with the flag u. */
  readonly unicode: boolean;
  /** Matchers by the length of the longest text that they are for. */
  readonly programs: Map<number, PatternProgram>;
  readonly results: Map<string, boolean>;
}

/** Shortest length that a matcher is made for. */
const shortest = 64;

/**
 * Whether texts match patterns. Both may come from a client, so no expression of theirs is run by the engine of
 * JavaScript, which may take for ever: the matchers here take steps in proportion to the text, and count them.
 */
export class PatternTests {
  readonly #work: Work;
  readonly #known = new Map<string, KnownPattern>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** Whether `pattern` is found in `text` as validators read it: with the flag u where the pattern allows it. */
  matches(holder: Holder, keyword: string, pattern: string, text: string): boolean {
    this.#work.spend(2);
    const known = this.#known.get(pattern);
    const result = known?.results.get(text);
    if (result !== undefined) return result;
    return this.#work.during(holder.path, keyword, () => {
      try {
        return this.#match(known ?? this.#parsed(pattern), text);
      } catch (error) {
        if (!(error instanceof PatternError)) throw error;
        throw refusal(holder.path, keyword, `in the pattern '${pattern.slice(0, 200)}', ${error.message}.`);
      }
    });
  }

  #parsed(pattern: string): KnownPattern {
    this.#work.spend(200 + 4 * pattern.length);
    const node = parsePattern(pattern, this.#work);
    const unicode = isExpression(pattern, 'u');
    if (!unicode && !isExpression(pattern, '')) throw new PatternError('it is not a regular expression');
    const known = { node, unicode, programs: new Map(), results: new Map() };
    this.#known.set(pattern, known);
    return known;
  }

  #match(known: KnownPattern, text: string): boolean {
    this.#work.spend(20 + text.length);
    // Without the flag u an expression sees halves of characters; half a character on its own is in no set here.
    if (!text.isWellFormed() || (!known.unicode && /[\ud800-\udfff]/.test(text)))
      throw new PatternError(
        `validators may differ in whether it matches ${JSON.stringify(text.slice(0, 100))}`,
      );
    const chars = Array.from(text, (char) => char.codePointAt(0) ?? 0);
    const longest = Math.max(shortest, 2 ** Math.ceil(Math.log2(chars.length + 1)));
    let program = known.programs.get(longest);
    if (program === undefined) {
      program = patternProgram(known.node, longest, this.#work);
      known.programs.set(longest, program);
    }
    const result = isFound(program, chars, this.#work);
    known.results.set(text, result);
    return result;
  }
}

/** Whether `pattern` is valid; it is only read here and never run. */
function isExpression(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** The pattern of the string format `format`; undefined when any string or only numbers are meant. */
export function formatPattern(holder: Holder, format: string): string | undefined {
  const pattern = patternOfFormat(format);
  if (pattern === undefined && !freeFormats.has(format) && !numberFormats.has(format))
    throw refusal(
      holder.path,
      'format',
      `the format '${format}' is not one that can be guaranteed (${[...formatPatterns.keys()].join(', ')}); ` +
        `describe it with 'pattern', or remove it.`,
    );
  return pattern;
}
