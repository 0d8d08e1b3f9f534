import type { Choices } from './choices.ts';
import { madeUpWord } from './data/names.ts';
import { heldOutWords, spellingWords } from './data/spelling-words.ts';
import { ask, type Exchange } from './wording.ts';

/** "p-l-a-n-e-t". */
export function spelled(word: string): string {
  return word.split('').join('-');
}

/** How a word is spelled, how many letters it has, which is first or last, how it looks in capitals. */
export function writeSpellingExchange(choices: Choices): Exchange {
  const word = wordToSpell(choices);
  const quoted = `(${word}|${word}|the word ${word}|"${word}"|the word "${word}")`;
  const first = word.charAt(0);
  const last = word.charAt(word.length - 1);
  const intent = choices.weighted([
    [
      {
        questions: [
          `how (do you|do I|would you|can I|does one) (spell|write) ${quoted}?`,
          `how is ${quoted} (spelled|spelt|written)?`,
          `(spell|please spell|can you spell|could you spell) ${quoted} (for me|).`,
          `(what is|what's|tell me) the spelling of ${quoted}?`,
          `(write|say|list|give me) the letters of ${quoted} (one by one|).`,
          `(which|what) letters are in ${quoted}?`,
        ],
        answer: spelled(word),
      },
      50,
    ],
    [
      {
        questions: [
          `how many letters (are in|does|has|are there in) ${quoted} (have|)?`,
          `(count|please count) the letters (in|of) ${quoted}.`,
          `(what is|tell me) the number of letters (in|of) ${quoted}?`,
          `how long is ${quoted}?`,
        ],
        answer: `${spelled(word)}: ${word.length} letters.`,
      },
      22,
    ],
    [
      {
        questions: [
          `(what is|what's|which is|tell me) the first letter (of|in) ${quoted}?`,
          `(with which|with what|which|what) letter does ${quoted} (start|begin|start with|begin with)?`,
          `the first letter of ${quoted}?`,
        ],
        answer: `The first letter of ${word} is ${first}.`,
      },
      10,
    ],
    [
      {
        questions: [
          `(what is|what's|which is|tell me) the last letter (of|in) ${quoted}?`,
          `(with which|with what|which|what) letter does ${quoted} end (|with)?`,
          `the last letter of ${quoted}?`,
        ],
        answer: `The last letter of ${word} is ${last}.`,
      },
      10,
    ],
    [
      {
        questions: [
          `(write|put|give me|say) ${quoted} in (capitals|capital letters|upper case|uppercase|big letters).`,
          `(what is|how do you write) ${quoted} in (capitals|capital letters|upper case|uppercase)?`,
          `(make|turn) ${quoted} (upper case|uppercase|into capitals|into capital letters).`,
        ],
        answer: word.toUpperCase(),
      },
      8,
    ],
  ] as const);
  return ask(choices, intent);
}

/** A word that the evaluation does not ask for: a real one, one made of two halves of real ones, or a made-up one. */
export function wordToSpell(choices: Choices): string {
  const half = (word: string): number => Math.ceil(word.length / 2);
  const write = choices.weighted([
    [() => choices.pick(spellingWords), 40],
    [
      () => {
        const [one, other] = [choices.pick(spellingWords), choices.pick(spellingWords)];
        return one.slice(0, half(one)) + other.slice(half(other));
      },
      35,
    ],
    [() => madeUpWord(choices), 25],
  ]);
  const word = write();
  return heldOutWords.includes(word) ? wordToSpell(choices) : word;
}
