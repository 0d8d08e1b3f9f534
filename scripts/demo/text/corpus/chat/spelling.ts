import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { type Exchange, exchangeOf } from '../text/exchanges.ts';
import { pickForm } from '../text/forms.ts';
import type { Slots } from '../text/slots.ts';
import { wordToSpell } from '../text/words-to-spell.ts';

const ordinals = lines('ordinals');

/** "p-l-a-n-e-t". */
export function spelled(word: string): string {
  return word.split('').join('-');
}

/** How a word is spelled, how many letters it has, which stands where, how it looks in capitals or small letters. */
export function writeSpellingExchange(choices: Choices): Exchange {
  const word = wordToSpell(choices);
  const [section = '', which = ''] = pickForm(choices, 'questions about words').split(': ');
  return exchangeOf(choices, section, { ...wordSlots(word), ...letters[which]?.(choices, word) });
}

/** Contents of the slots in questions about a word, their answers and steps. */
export const wordSlots = (word: string): Slots => ({
  plain: word,
  spelled: spelled(word),
  length: word.length,
  'numbered letters': Array.from(word, (letter, index) => `${letter} ${index + 1}`).join(', '),
});

const letters: Readonly<Record<string, (choices: Choices, word: string) => Slots>> = {
  first: (_, word) => letterAt(word, 0),
  last: (_, word) => letterAt(word, word.length - 1),
  inner: (choices, word) =>
    letterAt(word, choices.integer(1, Math.min(word.length - 1, ordinals.length - 1))),
  any: (choices, word) => {
    const drawn = choices.chance(0.5)
      ? word.charAt(choices.integer(0, word.length - 1))
      : choices.pick(lines('alphabet'));
    const letter = drawn.toLowerCase();
    return { letter, has: word.toLowerCase().includes(letter) ? 'yes' : 'no' };
  },
};

function letterAt(word: string, index: number): Slots {
  const ordinal = index === word.length - 1 ? 'last' : (ordinals[index] ?? '');
  return { ordinal, letter: word.charAt(index) };
}
