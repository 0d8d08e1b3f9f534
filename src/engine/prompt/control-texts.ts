/**
 * Keeps what people write from becoming control tokens. Wherever a message holds the text of one, a mark (a
 * private-use character that no message contains) is put after its first character. The template renders the
 * marked text as it would the plain one; the rendered prompt is cut at the marks and tokenised piece by piece,
 * so that no piece holds a whole control text except where the template itself wrote it.
 */

const firstMark = 0xf0000; // Supplementary Private Use Area-A: 65,534 characters
const lastMark = 0xffffd;

/** Finds the texts of control tokens; undefined when the vocabulary has none. */
export function compileControlPattern(controlTexts: readonly string[]): RegExp | undefined {
  const breakable = controlTexts.filter((text) => Array.from(text).length > 1);
  if (breakable.length === 0) return undefined;
  const alternatives = breakable.toSorted((a, b) => b.length - a.length).map(escapeForRegExp);
  // A look-ahead finds overlapping ones too: each is cut after its own first character.
  return new RegExp(`(?=${alternatives.join('|')})[^]`, 'gu');
}

/** `texts` with every control text broken by `mark`, and the mark itself; undefined mark: nothing to break. */
export function breakControlTexts(
  texts: readonly string[],
  pattern: RegExp | undefined,
): { readonly texts: readonly string[]; readonly mark: string | undefined } {
  if (pattern === undefined || !texts.some((text) => text.search(pattern) >= 0))
    return { texts, mark: undefined };
  const mark = unusedMark(texts);
  return { texts: texts.map((text) => text.replace(pattern, (first) => first + mark)), mark };
}

const escapeForRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

function unusedMark(texts: readonly string[]): string {
  for (let code = firstMark; code <= lastMark; code++) {
    const mark = String.fromCodePoint(code);
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
  throw new Error('Every private-use character is taken');
}
