import type { Choices } from './choices.ts';
import { lines, rows } from './data.ts';
import { draw } from './forms.ts';
import { heldOutWords } from './refusals.ts';
import { mistyped } from './typos.ts';

/** Words that a typing error in the question may change. */
const unsafe = new Set([...mistyped, ...lines('words within questions about words')]);

const isOneWord = (word: string): boolean => /^[a-z]{2,}$/u.test(word);

/** Every word that may stand within a longer one. */
const parts: readonly string[] = [
  ...new Set([
    ...lines('spelling words'),
    ...lines('topic words'),
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

/**
 * A word to ask about that the evaluation does not ask for: a real one, one joined of two, with a prefix or suffix, mixed
 * of two halves, made up, or a name. The words of the evaluation stand within longer ones only, like all others.
 */
export function wordToSpell(choices: Choices): string {
  const part = (): string => choices.pick(parts);
  const prefix = (): string => choices.pick(lines('prefixes'));
  const suffix = (): string => choices.pick(lines('suffixes'));
  const word = choices.weighted([
    [() => choices.pick(wholeWords), 46],
    [() => part() + part(), 10],
    [() => part() + suffix(), 20],
    [() => prefix() + part(), 7],
    [() => prefix() + part() + suffix(), 1],
    [() => firstHalf(part()) + lastHalf(part()), 5],
    [() => draw(choices, choices.chance(0.5) ? 'made-up word' : 'nonsense word'), 4],
    [() => choices.pick(properNames), 7],
  ])();
  const asked = word.toLowerCase();
  return word.length > 12 || heldOutWords.includes(asked) || unsafe.has(asked) ? wordToSpell(choices) : word;
}

function firstHalf(word: string): string {
  return word.slice(0, Math.ceil(word.length / 2));
}

function lastHalf(word: string): string {
  return word.slice(Math.ceil(word.length / 2));
}
