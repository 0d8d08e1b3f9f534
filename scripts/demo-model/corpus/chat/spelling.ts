import type { Choices } from '../text/choices.ts';
import { alphabet, ordinals } from '../data/measures.ts';
import {
  capitalsQuestions,
  countQuestions,
  letterQuestions,
  smallQuestions,
  spellQuestions,
} from './spelling-questions.ts';
import { wordToSpell } from '../text/word-source.ts';
import { ask, capitalize, type Exchange, type Intent } from '../text/wording.ts';

/** "p-l-a-n-e-t". */
export function spelled(word: string): string {
  return word.split('').join('-');
}

/** How a word is spelled, how many letters it has, which stands where, how it looks in capitals or small letters. */
export function writeSpellingExchange(choices: Choices): Exchange {
  const word = wordToSpell(choices);
  const intent = choices.weighted([
    [() => ({ questions: spellQuestions(shown(choices, word)), answer: spelled(word) }), 45],
    [() => ({ questions: countQuestions(shown(choices, word)), answer: countInWords(word) }), 19],
    [() => letterAt(choices, word, 0), 9],
    [() => letterAt(choices, word, word.length - 1), 9],
    [() => letterAt(choices, word, choices.integer(1, Math.min(word.length - 1, ordinals.length - 1))), 3],
    [() => ({ questions: capitalsQuestions(shown(choices, word)), answer: word.toUpperCase() }), 9],
    [
      () => ({
        questions: smallQuestions(quote(choices, word.toUpperCase())),
        answer: word.toLowerCase(),
      }),
      3,
    ],
    [() => hasLetter(choices, word), 3],
  ])();
  return ask(choices, intent);
}

/** "p-l-a-n-e-t: 6 letters." */
export function countInWords(word: string): string {
  return `${spelled(word)}: ${word.length} letters.`;
}

function letterAt(choices: Choices, word: string, index: number): Intent {
  const ordinal = index === 0 ? 'first' : index === word.length - 1 ? 'last' : (ordinals[index] ?? '');
  return {
    questions: letterQuestions(shown(choices, word), ordinal),
    answer: `The ${ordinal} letter of ${word} is ${word.charAt(index)}.`,
  };
}

function hasLetter(choices: Choices, word: string): Intent {
  const letter = choices.chance(0.5)
    ? word.charAt(choices.integer(0, word.length - 1)).toLowerCase()
    : choices.pick(alphabet).toLowerCase();
  const asked = shown(choices, word);
  return {
    questions: [
      `is the letter ${letter} (in|found in|part of|contained in) ${asked}?`,
      `does ${asked} (have|contain|include) (the letter|a letter) ${letter}?`,
      `is there (the letter|a letter) ${letter} in ${asked}?`,
      `(can you find|do you see) (the letter|a letter) ${letter} in ${asked}?`,
    ],
    answer: `${spelled(word)}: ${word.toLowerCase().includes(letter) ? 'yes' : 'no'}.`,
  };
}

/** The word as somebody may write it: quoted or not, now and then with a capital letter. */
function shown(choices: Choices, word: string): string {
  return quote(choices, choices.chance(0.08) ? capitalize(word) : word);
}

function quote(choices: Choices, word: string): string {
  return choices.weighted([
    [word, 46],
    [`the word ${word}`, 14],
    [`"${word}"`, 14],
    [`'${word}'`, 10],
    [`the word "${word}"`, 8],
    [`the word '${word}'`, 5],
    [`the English word ${word}`, 1],
    [`the term ${word}`, 2],
  ]);
}
