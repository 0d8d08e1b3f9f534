import { isFound } from '../language/pattern/find-pattern.ts';
import { parsePattern } from '../language/pattern/parse-pattern.ts';
import { PatternError, type PatternNode } from '../language/pattern/pattern-node.ts';
import { refusal } from '../budget/refusal.ts';
import type { Work } from '../budget/work.ts';

/** The schema that holds a pattern; `path` is its place. */
interface Holder {
  readonly path: string;
}

interface KnownPattern {
  readonly node: PatternNode;
  /** True when it is valid with the flag u. */
  readonly unicode: boolean;
  readonly results: Map<string, boolean>;
}

/**
 * Tells whether texts match patterns. Both may come from a client, and JavaScript's own engine may take endlessly for
 * some patterns. So patterns are matched here, in steps that grow with the text and are counted.
 */
export class PatternTests {
  readonly #work: Work;
  readonly #known = new Map<string, KnownPattern>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** Whether `pattern` is found in `text`, read as validators read it: with the flag u where it is valid with it. */
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
    const known = { node, unicode, results: new Map() };
    this.#known.set(pattern, known);
    return known;
  }

  #match(known: KnownPattern, text: string): boolean {
    this.#work.spend(20 + text.length);
    // Without the flag u an expression matches halves of surrogate pairs, which are in no set of characters here.
    if (!text.isWellFormed() || (!known.unicode && /[\ud800-\udfff]/.test(text)))
      throw new PatternError(
        `validators may differ in whether it matches ${JSON.stringify(text.slice(0, 100))}`,
      );
    const chars = Array.from(text, (char) => char.codePointAt(0) ?? 0);
    const result = isFound(known.node, chars, this.#work);
    known.results.set(text, result);
    return result;
  }
}

/** Whether `pattern` is a valid regular expression; it is parsed and not run. */
function isExpression(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
