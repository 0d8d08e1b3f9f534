import type { Choices } from './choices.ts';
import { lines, rows } from './data.ts';
import { draw } from './forms.ts';
import { heldOutWords } from './refusals.ts';
import { mistyped } from './wording.ts';

/** Words that a typing error in the question may change. */
const unsafe = new Set([...mistyped, ...lines('words within questions about words')]);

const isOneWord = (word: string): boolean => /^[a-z]{2,}$/u.test(word);

/** Every word that may stand within a longer one. */
const parts: readonly string[] = [
  ...new Set([
    ...['spelling words', 'topic words', 'common words'].flatMap(lines),
    ...rows('categories').flatMap(([, examples = '']) => examples.toLowerCase().split(', ')),
    ...['animals', 'foods', 'jobs', 'nouns', 'products'].flatMap(lines),
    ...heldOutWords,
  ]),
].filter(isOneWord);

const wholeWords = parts.filter((word) => !heldOutWords.includes(word));

/** Names that are not words as well. */
const alsoWords = new Set([...parts, ...lines('names that are words')]);
const properNames = [...new Set(['people', 'cities', 'country names'].flatMap(lines))].filter(
  (name) => /^[A-Z][a-z]+$/u.test(name) && !alsoWords.has(name.toLowerCase()),
);

/** Lists that words are put together from, beside prefixes, suffixes and made-up words. */
const pieces = { part: parts, 'whole word': wholeWords, 'proper name': properNames };

/**
 * A word to ask about that the evaluation does not ask for: a real one, one joined of two, with a prefix or suffix, mixed
 * of two halves, made up, or a name. The words of the evaluation stand within longer ones only, like all others.
 */
export function wordToSpell(choices: Choices): string {
  const lazy = Object.entries(pieces).map(([name, words]) => [name, () => choices.pick(words)]);
  const word = draw(choices, 'words to ask about', Object.fromEntries(lazy));
  const asked = word.toLowerCase();
  return word.length > 12 || heldOutWords.includes(asked) || unsafe.has(asked) ? wordToSpell(choices) : word;
}
