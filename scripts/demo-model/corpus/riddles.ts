import { addInWords, isHeldOutSum, subtractInWords } from './arithmetic.ts';
import type { Choices } from './choices.ts';
import { animals, foods } from './data/name-pools.ts';
import { days } from './data/measures.ts';
import { writeFactsExchange } from './facts.ts';
import { writeGreetingExchange } from './greeting.ts';
import { writeHearthExchange } from './hearth.ts';
import { spelled, wordToSpell } from './spelling.ts';
import { writeUnknownExchange } from './unknown.ts';
import { writeValue } from './values.ts';
import type { Exchange } from './wording.ts';

/** A question that is worked out in steps. */
export interface Riddle extends Exchange {
  readonly steps: readonly string[];
  /** What is answered without thinking, where that differs. */
  readonly direct?: string;
}

export function writeRiddle(choices: Choices): Riddle {
  return choices.weighted([
    [sumOfTwo, 26],
    [sumOfThree, 8],
    [difference, 8],
    [comparison, 12],
    [story, 14],
    [letterCount, 8],
    [ordering, 8],
    [evenOrOdd, 6],
    [dayAfter, 8],
    [remembered, 16],
  ])(choices);
}

/** Adds by tens and ones; the running total is on the last step. */
function addInSteps(left: number, right: number): string[] {
  if (left < 10 && right < 10) return [`${left} + ${right} = ${left + right}`];
  const tens = (number: number): number => number - (number % 10);
  const [tensSum, onesSum] = [tens(left) + tens(right), (left % 10) + (right % 10)];
  return [
    `tens: ${tens(left)} + ${tens(right)} = ${tensSum}`,
    `ones: ${left % 10} + ${right % 10} = ${onesSum}`,
    `${tensSum} + ${onesSum} = ${tensSum + onesSum}`,
  ];
}

function sumOfTwo(choices: Choices): Riddle {
  const [left, right] = drawPair(choices, 1, 99);
  return {
    question: choices.pick([
      `What is ${left} + ${right}?`,
      `What is ${left} plus ${right}?`,
      `How much is ${left} + ${right}?`,
      `${left} + ${right}`,
      `${left} + ${right} = ?`,
      `Add ${left} and ${right}.`,
      `Calculate ${left} + ${right}.`,
    ]),
    steps: addInSteps(left, right),
    answer: `${left} + ${right} = ${left + right}.`,
    direct: addInWords(left, right),
  };
}

function sumOfThree(choices: Choices): Riddle {
  const [a, b] = drawPair(choices, 1, 20);
  const c = choices.integer(1, 9);
  return {
    question: choices.pick([`What is ${a} + ${b} + ${c}?`, `Add ${a}, ${b} and ${c}.`, `${a} + ${b} + ${c}`]),
    steps: [`${a} + ${b} = ${a + b}`, `${a + b} + ${c} = ${a + b + c}`],
    answer: `${a} + ${b} + ${c} = ${a + b + c}.`,
  };
}

function difference(choices: Choices): Riddle {
  const [first, second] = drawPair(choices, 1, 99);
  const [left, right] = first > second ? [first, second] : [second, first];
  const tens = right - (right % 10);
  const steps =
    tens === 0 || right === tens
      ? [`${left} - ${right} = ${left - right}`]
      : [`${left} - ${tens} = ${left - tens}`, `${left - tens} - ${right % 10} = ${left - right}`];
  return {
    question: choices.pick([
      `What is ${left} - ${right}?`,
      `What is ${left} minus ${right}?`,
      `${left} - ${right}`,
    ]),
    steps,
    answer: `${left} - ${right} = ${left - right}.`,
    direct: subtractInWords(left, right),
  };
}

function comparison(choices: Choices): Riddle {
  const left = choices.integer(1, 99);
  let right = choices.integer(1, 99);
  if (left === right) right = left === 99 ? 98 : left + 1;
  const [small, big] = left < right ? [left, right] : [right, left];
  const more = choices.chance(0.6);
  const word = more ? choices.pick(['bigger', 'larger', 'more']) : choices.pick(['smaller', 'less']);
  return {
    question: choices.pick([
      `Which is ${word}, ${left} or ${right}?`,
      `What is ${word}: ${left} or ${right}?`,
      `Which number is ${word}, ${left} or ${right}?`,
    ]),
    steps: [`The numbers are ${left} and ${right}.`, `${small} < ${big}`],
    answer: `${more ? big : small} is ${word}.`,
  };
}

function story(choices: Choices): Riddle {
  const name = String(writeValue(choices, 'person'));
  const thing = choices.chance(0.5)
    ? `${choices.pick(animals.filter((animal) => !/(?:fish|sheep|mouse|goose|pony|canary|x|s|sh)$/u.test(animal)))}s`
    : choices.pick(foods.filter((food) => food.endsWith('s')));
  const gains = choices.chance(0.55);
  const [start, change] = gains ? drawPair(choices, 1, 20) : [choices.integer(6, 20), choices.integer(1, 5)];
  const total = gains ? start + change : start - change;
  const what = gains
    ? choices.pick([`gets ${change} more`, `buys ${change} more`, `finds ${change} more`, `gets ${change}`])
    : choices.pick([`gives away ${change}`, `loses ${change}`, `sells ${change}`]);
  return {
    question: `${name} has ${start} ${thing} and ${what}. How many ${thing} does ${name} have${choices.pick([' now', ''])}?`,
    steps: [
      `${name} has ${start} ${thing}.`,
      `${name} ${what}.`,
      `${start} ${gains ? '+' : '-'} ${change} = ${total}`,
    ],
    answer: `${name} has ${total} ${thing}.`,
  };
}

function letterCount(choices: Choices): Riddle {
  const word = wordToSpell(choices);
  return {
    question: choices.pick([
      `How many letters are in ${word}?`,
      `How many letters are in the word ${word}?`,
      `How many letters does ${word} have?`,
    ]),
    steps: [Array.from(word, (letter, index) => `${letter} ${index + 1}`).join(', ')],
    answer: `${spelled(word)}: ${word.length} letters.`,
  };
}

function ordering(choices: Choices): Riddle {
  const numbers = choices.sample(
    Array.from({ length: 99 }, (_, index) => index + 1),
    3,
  );
  const sorted = numbers.toSorted((left, right) => left - right);
  const falls = choices.chance(0.3);
  const ordered = falls ? sorted.toReversed() : sorted;
  const [first, second, third] = numbers;
  const direction = falls ? 'largest' : 'smallest';
  return {
    question: choices.pick([
      `Sort ${first}, ${second} and ${third}, the ${direction} first.`,
      `Put ${first}, ${second} and ${third} in order, ${direction} first.`,
      `Order these numbers, ${direction} first: ${first}, ${second}, ${third}.`,
    ]),
    steps: [`The ${direction} is ${ordered[0]}.`, `Then ${ordered[1]}.`, `Then ${ordered[2]}.`],
    answer: `${ordered.join(', ')}.`,
  };
}

function evenOrOdd(choices: Choices): Riddle {
  const number = choices.integer(1, 999);
  const ending = number % 10;
  return {
    question: choices.pick([
      `Is ${number} even or odd?`,
      `Is the number ${number} even or odd?`,
      `Is ${number} odd or even?`,
    ]),
    steps: [`${number} ends in ${ending}.`],
    answer: `${number} is ${number % 2 === 0 ? 'even' : 'odd'}.`,
  };
}

const amounts = ['one day', 'two days', 'three days'];

function dayAfter(choices: Choices): Riddle {
  const from = choices.integer(0, 6);
  const distance = choices.integer(1, 3);
  const later = choices.chance(0.65);
  const at = (offset: number): string => days[(from + offset + 7) % 7] ?? '';
  const step = later ? 1 : -1;
  const path = Array.from({ length: distance }, (_, index) => at(step * (index + 1)));
  const word = later ? 'after' : 'before';
  return {
    question: choices.pick([
      `Which day comes ${amounts[distance - 1]} ${word} ${at(0)}?`,
      `Which day is ${amounts[distance - 1]} ${word} ${at(0)}?`,
      `What day is ${amounts[distance - 1]} ${word} ${at(0)}?`,
    ]),
    steps: path.map((day, index) => `${index + 1} ${word} ${at(0)}: ${day}`),
    answer: `It is ${path.at(-1) ?? ''}.`,
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

/** Two numbers that the evaluation does not add or subtract. */
function drawPair(choices: Choices, least: number, most: number): [number, number] {
  const [first, second] = [choices.integer(least, most), choices.integer(least, most)];
  return isHeldOutSum(first, second) || isHeldOutSum(second, first)
    ? drawPair(choices, least, most)
    : [first, second];
}
