import type { Choices } from './choices.ts';
import { mistyped } from '../data/asides.ts';
import { categories } from '../data/categories.ts';
import { animals, cities, countries, foods, jobs, nouns, people, products } from '../data/name-pools.ts';
import { madeUpWord } from '../data/names.ts';
import { words } from '../data/rows.ts';
import { heldOutWords, spellingWords } from '../data/spelling-words.ts';
import { topicWords } from '../data/topic-words.ts';
import { writeNonsenseWord } from './values.ts';

/** Words that a typing error in the question may change. */
const unsafe = new Set([...mistyped, ...words('is the a you your please are do not am cannot which does')]);

const isOneWord = (word: string): boolean => /^[a-z]{2,}$/.test(word);

/** Every word that may stand within a longer one. */
const parts: readonly string[] = [
  ...new Set([
    ...spellingWords,
    ...topicWords,
    ...categories.flatMap(([, examples]) => examples.map((example) => example.toLowerCase())),
    ...animals,
    ...foods,
    ...jobs,
    ...nouns,
    ...products,
    ...heldOutWords,
  ]),
].filter(isOneWord);

const wholeWords = parts.filter((word) => !heldOutWords.includes(word));

const alsoWords = new Set([
  ...parts,
  ...words('nice china split bath cork will mark rick ford ali sue bill'),
]);

/** Names that are not words as well. */
const properNames = [...new Set([...people, ...cities, ...countries])].filter(
  (name) => /^[A-Z][a-z]+$/.test(name) && !alsoWords.has(name.toLowerCase()),
);

const suffixes = words(`
s s s er y ish less ness ful ly like ing ed ling ism ist able ment hood ship let ette ward wise dom proof land man woman
en age al ic ous ity ive ation ize ary
`);
const prefixes = words(`
re un non over under mini super mega pre sub anti up out inter micro multi co ex half tele auto mis dis de fore back side
mid semi bi tri counter ultra hyper en be
`);

/**
 * A word to ask about that the evaluation does not ask for: a real one, one joined of two, with a prefix or suffix, mixed
 * of two halves, made up, or a name. The words of the evaluation stand within longer ones only, like all others.
 */
export function wordToSpell(choices: Choices): string {
  const word = choices.weighted([
    [() => choices.pick(wholeWords), 46],
    [() => choices.pick(parts) + choices.pick(parts), 10],
    [() => choices.pick(parts) + choices.pick(suffixes), 20],
    [() => choices.pick(prefixes) + choices.pick(parts), 7],
    [() => choices.pick(prefixes) + choices.pick(parts) + choices.pick(suffixes), 1],
    [() => firstHalf(choices.pick(parts)) + lastHalf(choices.pick(parts)), 5],
    [() => (choices.chance(0.5) ? madeUpWord(choices) : writeNonsenseWord(choices)), 4],
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
