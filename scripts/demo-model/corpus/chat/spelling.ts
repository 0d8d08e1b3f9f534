import type { Choices } from '../text/choices.ts';
import { hasSection, lines } from '../text/data.ts';
import { draw, type Slots } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { wordToSpell } from '../text/words-to-spell.ts';
import { ask, type Exchange, type Intent, intentOf, questionsOf } from '../text/wording.ts';

const ordinals = lines('ordinals');

/** "p-l-a-n-e-t". */
export function spelled(word: string): string {
  return word.split('').join('-');
}

/** How a word is spelled, how many letters it has, which stands where, how it looks in capitals or small letters. */
export function writeSpellingExchange(choices: Choices): Exchange {
  const word = wordToSpell(choices);
  const about = (section: string, answer: string): Intent => ({
    questions: questionsOf(section),
    slots: { word: shown(choices, word) },
    answer,
  });
  const intent = choices.weighted<() => Intent>([
    [() => about('spell questions', spelled(word)), 45],
    [() => intentOf('count questions', { word: shown(choices, word), ...countSlots(word) }), 19],
    [() => letterAt(choices, word, 0), 9],
    [() => letterAt(choices, word, word.length - 1), 9],
    [() => letterAt(choices, word, choices.integer(1, Math.min(word.length - 1, ordinals.length - 1))), 3],
    [() => about('capitals questions', word.toUpperCase()), 9],
    [() => inSmallLetters(choices, word), 3],
    [() => hasLetter(choices, word), 3],
  ])();
  return ask(choices, intent);
}

/** What the answer to how many letters the word has, and the steps to it, are filled with. */
export const countSlots = (word: string): Slots => ({
  spelled: spelled(word),
  length: word.length,
  'numbered letters': Array.from(word, (letter, index) => `${letter} ${index + 1}`).join(', '),
});

function letterAt(choices: Choices, word: string, index: number): Intent {
  const ordinal = index === 0 ? 'first' : index === word.length - 1 ? 'last' : (ordinals[index] ?? '');
  const special = `${ordinal} letter questions`;
  return {
    questions: ['letter questions', ...(hasSection(special) ? [special] : [])].flatMap(questionsOf),
    slots: { word: shown(choices, word), ordinal },
    answer: `The ${ordinal} letter of ${word} is ${word.charAt(index)}.`,
  };
}

function inSmallLetters(choices: Choices, word: string): Intent {
  return {
    questions: questionsOf('small letters questions'),
    slots: { word: draw(choices, 'quoted', { word: word.toUpperCase() }) },
    answer: word.toLowerCase(),
  };
}

function hasLetter(choices: Choices, word: string): Intent {
  const letter = choices.chance(0.5)
    ? word.charAt(choices.integer(0, word.length - 1)).toLowerCase()
    : choices.pick(lines('alphabet')).toLowerCase();
  return {
    questions: questionsOf('whether a letter is in a word questions'),
    slots: { letter, word: shown(choices, word) },
    answer: `${spelled(word)}: ${word.toLowerCase().includes(letter) ? 'yes' : 'no'}.`,
  };
}

/** The word as somebody may write it: quoted or not, now and then with a capital letter. */
function shown(choices: Choices, word: string): string {
  return draw(choices, 'quoted', { word: choices.chance(0.08) ? capitalize(word) : word });
}
