import type { Choices } from './choices.ts';
import { lines, pairs } from './data.ts';

/** Words in which typing goes wrong; none is ever a word to be copied or spelled. */
export const mistyped: ReadonlySet<string> = new Set(lines('mistyped words'));

/** What is typed wrong, and how; in any letter case where the words are in small letters. */
const misspellings = pairs('misspellings').map(
  ([right, wrong]) => [new RegExp(`\\b${right}\\b`, /[A-Z]/u.test(right) ? '' : 'i'), wrong] as const,
);

/** The text with a usual mistake, or with one in a word that is often mistyped, where there is one. */
export function misspell(choices: Choices, text: string): string {
  const possible = misspellings.filter(([right]) => right.test(text));
  if (possible.length > 0 && choices.chance(0.5)) {
    const [right, wrong] = choices.pick(possible);
    return text.replace(right, wrong);
  }
  const slips = (text.match(/\b[a-z]{3,}\b/gi) ?? []).filter((word) => mistyped.has(word.toLowerCase()));
  if (slips.length === 0) return text;
  const word = choices.pick(slips);
  return text.replace(new RegExp(`\\b${word}\\b`), slip(choices, word));
}

/** The word with one letter left out, doubled, or changed over with the next. */
function slip(choices: Choices, word: string): string {
  const at = choices.integer(1, word.length - 2);
  const [before, letter, next, after] = [
    word.slice(0, at),
    word.charAt(at),
    word.charAt(at + 1),
    word.slice(at + 2),
  ];
  const middle = choices.pick([next, letter + letter + next, next + letter, next + letter]);
  return before + middle + after;
}
