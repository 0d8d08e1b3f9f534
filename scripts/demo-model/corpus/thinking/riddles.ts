import type { Choices } from '../text/choices.ts';
import { dayAfter, story } from './everyday-riddles.ts';
import { writeFactsExchange } from '../chat/facts.ts';
import { writeGreetingExchange } from '../chat/greeting.ts';
import { writeHearthExchange } from '../chat/hearth.ts';
import { countSlots } from '../chat/spelling.ts';
import { comparison, ordering } from './comparison-riddles.ts';
import { difference, evenOrOdd, sumOfThree, sumOfTwo, tensAndOnes } from './number-riddles.ts';
import { writeUnknownExchange } from '../chat/unknown.ts';
import { wordToSpell } from '../text/words-to-spell.ts';
import { pose, type Riddle } from './riddle.ts';

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
  return pose(choices, 'count questions', {
    word: choices.pick([word, word, `the word ${word}`, `"${word}"`]),
    ...countSlots(word),
  });
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
