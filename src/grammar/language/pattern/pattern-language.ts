import { remembered } from '../../remembered.ts';
import type { Language } from '../language.ts';
import type { Languages } from '../languages.ts';
import { parsePattern } from './parse-pattern.ts';
import { consumption, hasAssertion, PatternError, type PatternNode } from './pattern-node.ts';

/** Whether a place is at the beginning of the text, where `^` matches. */
type AtStart = 'yes' | 'no' | 'unknown';

/** The language of the texts in which `pattern` is found; as in JSON Schema, anywhere unless it is anchored. */
export function patternLanguage(languages: Languages, pattern: string): Language {
  return remembered(languages.patterns, pattern, () =>
    translated(languages, parsePattern(pattern, languages.work)),
  );
}

function translated(languages: Languages, node: PatternNode): Language {
  const translation = new Translation(languages);
  const first = translation.followed(node, languages.anyText, 'yes');
  const later = translation.followed(node, languages.anyText, 'no');
  if (first === later) return languages.concat(languages.anyText, first);
  const after = languages.concat(languages.anyChar, languages.concat(languages.anyText, later));
  return languages.either([first, after]);
}

/**
 * Translates a pattern from its end to its beginning. The language of the rest after a place is then known there, and
 * `$` and lookaheads become the intersection of that language with another one.
 */
class Translation {
  readonly #languages: Languages;

  constructor(languages: Languages) {
    this.#languages = languages;
  }

  /** The language of texts that begin with `node` and go on with a text of `rest`. */
  followed(node: PatternNode, rest: Language, atStart: AtStart): Language {
    const l = this.#languages;
    switch (node.kind) {
      case 'chars':
        return l.concat(l.chars(node.set), rest);
      case 'sequence':
        return this.#sequence(node.parts, rest, atStart);
      case 'choice':
        if (!hasAssertion(node)) {
          const options = node.parts.map((option) => this.followed(option, l.emptyText, atStart));
          return l.concat(l.either(options), rest);
        }
        return l.either(node.parts.map((option) => this.followed(option, rest, atStart)));
      case 'repeat':
        return this.#repeat(node, rest, atStart);
      case 'start':
        if (atStart === 'unknown')
          throw new PatternError(
            `'^' after something that may be empty is not supported; anchor the whole pattern`,
          );
        return atStart === 'yes' ? rest : l.none;
      case 'end':
        return l.both([l.emptyText, rest]);
      case 'boundary':
        throw new PatternError(
          `\\${node.negative ? 'B' : 'b'}: word boundaries are not supported; write the characters that are allowed instead`,
        );
      case 'look': {
        if (node.behind)
          throw new PatternError(
            `lookbehind '(?<${node.negative ? '!' : '='}' is not supported; use a lookahead or two patterns in allOf`,
          );
        const seen = this.followed(node.inner, l.anyText, atStart);
        return l.both([node.negative ? l.not(seen) : seen, rest]);
      }
    }
  }

  #sequence(parts: readonly PatternNode[], rest: Language, atStart: AtStart): Language {
    const places: AtStart[] = [];
    let place = atStart;
    for (const part of parts) {
      places.push(place);
      const { least, some } = consumption(part);
      if (least > 0) place = 'no';
      else if (some && place === 'yes') place = 'unknown';
    }
    return parts.reduceRight(
      (following, part, index) => this.followed(part, following, places[index] ?? 'unknown'),
      rest,
    );
  }

  #repeat(node: PatternNode & { kind: 'repeat' }, rest: Language, atStart: AtStart): Language {
    const l = this.#languages;
    const { inner, min, max } = node;
    if (!hasAssertion(inner))
      return l.concat(l.repeat(this.followed(inner, l.emptyText, atStart), min, max), rest);
    if (min === 0 && max === 1) return l.either([this.followed(inner, rest, atStart), rest]);
    if (min === 1 && max === 1) return this.followed(inner, rest, atStart);
    throw new PatternError('an anchor or a lookahead inside a repetition is not supported');
  }
}
