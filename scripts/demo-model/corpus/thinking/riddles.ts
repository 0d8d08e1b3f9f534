import type { Choices } from '../text/choices.ts';
import { dayAfter, story } from './everyday-riddles.ts';
import { writeFactsExchange } from '../chat/facts.ts';
import { writeGreetingExchange } from '../chat/greeting.ts';
import { writeHearthExchange } from '../chat/hearth.ts';
import { countQuestions } from '../chat/spelling-questions.ts';
import { countInWords } from '../chat/spelling.ts';
import {
  comparison,
  difference,
  evenOrOdd,
  ordering,
  sumOfThree,
  sumOfTwo,
  tensAndOnes,
} from './number-riddles.ts';
import { writeUnknownExchange } from '../chat/unknown.ts';
import { wordToSpell } from '../text/word-source.ts';
import { ask, type Exchange } from '../text/wording.ts';

/** A question that is worked out in steps. */
export interface Riddle extends Exchange {
  readonly steps: readonly string[];
  /** What is answered without thinking, where that differs. */
  readonly direct?: string;
}

export function writeRiddle(choices: Choices): Riddle {
  return choices.weighted([
    [sumOfTwo, 22],
    [sumOfThree, 9],
    [difference, 9],
    [comparison, 18],
    [story, 14],
    [letterCount, 9],
    [ordering, 14],
    [evenOrOdd, 5],
    [tensAndOnes, 3],
    [dayAfter, 8],
    [remembered, 16],
  ])(choices);
}

function letterCount(choices: Choices): Riddle {
  const word = wordToSpell(choices);
  const shown = choices.pick([word, word, `the word ${word}`, `"${word}"`]);
  const { question, answer } = ask(choices, { questions: countQuestions(shown), answer: countInWords(word) });
  return {
    question,
    steps: [Array.from(word, (letter, index) => `${letter} ${index + 1}`).join(', ')],
    answer,
  };
}

/** What needs no working out has one step. */
function remembered(choices: Choices): Riddle {
  return choices.weighted([
    [(): Riddle => ({ ...writeFactsExchange(choices), steps: ['I know this.'] }), 40],
    [(): Riddle => ({ ...writeHearthExchange(choices), steps: ['I know this.'] }), 15],
    [(): Riddle => ({ ...writeGreetingExchange(choices), steps: ['The user talks to me.'] }), 30],
    [(): Riddle => ({ ...writeUnknownExchange(choices), steps: ['I do not know this.'] }), 15],
  ])();
}
