/**
 * Keeps what people write from becoming control tokens. Wherever a message holds the text of one, a mark (a
 * private-use character that no message contains) is put after its first character. The template renders the
 * marked text as it would the plain one; the rendered prompt is cut at the marks and tokenised piece by piece,
 * so that no piece holds a whole control text except where the template itself wrote it.
 */

const firstMark = 0xf0000; // Supplementary Private Use Area-A: 65,534 characters
const lastMark = 0xffffd;

/** Templates write tags of keys and names: a name between brackets. */
const brackets = /^(?<open>[^\p{L}\p{N}]*).*?(?<close>[^\p{L}\p{N}]*)$/su;

/** What is to be broken in messages. */
export interface ControlPattern {
  /** Matches the first character of each control text. */
  readonly whole: RegExp;
  /** Parts of control texts that a message may end with, begin with or be, so that the template makes them whole. */
  readonly beginnings: ReadonlySet<string>;
  readonly ends: ReadonlySet<string>;
  readonly middles: ReadonlySet<string>;
  /** In UTF-16 units. */
  readonly longest: number;
}

/** Finds the texts of control tokens; undefined when the vocabulary has none. */
export function compileControlPattern(controlTexts: readonly string[]): ControlPattern | undefined {
  const breakable = controlTexts.filter((text) => Array.from(text).length > 1);
  if (breakable.length === 0) return undefined;
  const alternatives = breakable.toSorted((a, b) => b.length - a.length).map(escapeForRegExp);
  const beginnings = new Set<string>();
  const ends = new Set<string>();
  const middles = new Set<string>();
  for (const text of breakable) {
    for (let at = 1; at < text.length; at++) {
      beginnings.add(text.slice(0, at));
      ends.add(text.slice(at));
    }
    const { open = '', close = '' } = brackets.exec(text)?.groups ?? {};
    for (let from = 1; from <= open.length; from++)
      for (let to = 1; to <= close.length && from + to < text.length; to++)
        middles.add(text.slice(from, text.length - to));
  }
  return {
    // A look-ahead finds overlapping ones too: each is cut after its own first character.
    whole: new RegExp(`(?=${alternatives.join('|')})[^]`, 'gu'),
    beginnings,
    ends,
    middles,
    longest: Math.max(...breakable.map((text) => text.length)),
  };
}

/**
 * `texts` with every control text broken by `mark`, and the mark itself; undefined mark: nothing to break.
 * A text that begins, ends or is such that the template could make it one is cut off from what the template writes.
 */
export function breakControlTexts(
  texts: readonly string[],
  pattern: ControlPattern | undefined,
): { readonly texts: readonly string[]; readonly mark: string | undefined } {
  if (pattern === undefined) return { texts, mark: undefined };
  const mark = unusedMark(texts);
  const broken = texts.map((text) => {
    const inside = text.replace(pattern.whole, (first) => first + mark);
    const { before, behind } = openSides(text, pattern);
    return `${before ? mark : ''}${inside}${behind ? mark : ''}`;
  });
  return broken.every((text, index) => text === texts[index])
    ? { texts, mark: undefined }
    : { texts: broken, mark };
}

/** On which sides of `text` the template could complete a control text. */
function openSides(text: string, { beginnings, ends, middles, longest }: ControlPattern) {
  const isMiddle = middles.has(text);
  let [before, behind] = [isMiddle, isMiddle];
  for (let length = Math.min(text.length, longest - 1); length > 0; length--) {
    before ||= ends.has(text.slice(0, length));
    behind ||= beginnings.has(text.slice(-length));
  }
  return { before, behind };
}

const escapeForRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

function unusedMark(texts: readonly string[]): string {
  for (let code = firstMark; code <= lastMark; code++) {
    const mark = String.fromCodePoint(code);
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
  throw new Error('Every private-use character is taken');
}
