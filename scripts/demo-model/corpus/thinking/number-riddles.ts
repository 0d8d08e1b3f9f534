import { addInWords, isHeldOutSum, subtractInWords } from '../chat/arithmetic.ts';
import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { draw } from '../text/forms.ts';
import { joinWords } from '../text/inflect.ts';
import { pose, type Riddle } from './riddle.ts';

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

export function sumOfTwo(choices: Choices): Riddle {
  const [left, right] = drawPair(choices, 1, 99);
  return pose(choices, {
    sections: ['sum riddles'],
    slots: { left, right },
    answer: `${left} + ${right} = ${left + right}.`,
    steps: addInSteps(left, right),
    direct: addInWords(left, right),
  });
}

export function sumOfThree(choices: Choices): Riddle {
  const [a, b] = drawPair(choices, 1, choices.chance(0.6) ? 20 : 60);
  const c = choices.integer(1, 9);
  return pose(choices, {
    sections: ['three number riddles'],
    slots: { a, b, c },
    answer: `${a} + ${b} + ${c} = ${a + b + c}.`,
    steps: [`${a} + ${b} = ${a + b}`, `${a + b} + ${c} = ${a + b + c}`],
  });
}

export function difference(choices: Choices): Riddle {
  const [first, second] = drawPair(choices, 1, 99);
  const [left, right] = first > second ? [first, second] : [second, first];
  const tens = right - (right % 10);
  const steps =
    tens === 0 || right === tens
      ? [`${left} - ${right} = ${left - right}`]
      : [`${left} - ${tens} = ${left - tens}`, `${left - tens} - ${right % 10} = ${left - right}`];
  return pose(choices, {
    sections: ['difference riddles'],
    slots: { left, right },
    answer: `${left} - ${right} = ${left - right}.`,
    steps,
    direct: subtractInWords(left, right),
  });
}

/** Different numbers, often of the same length or close to each other. */
function drawNumbers(choices: Choices, count: number): number[] {
  const [least, most] = choices.weighted([
    [[1, 99], 55],
    [[1, 20], 12],
    [[100, 999], 14],
    [[1, 999], 14],
    [[1000, 9999], 5],
  ] as const);
  const start = choices.chance(0.15) ? choices.integer(least, Math.max(least, most - 12)) : undefined;
  const numbers = new Set<number>();
  while (numbers.size < count)
    numbers.add(start === undefined ? choices.integer(least, most) : choices.integer(start, start + 12));
  return choices.shuffle([...numbers]);
}

const rising = (numbers: readonly number[]): number[] => numbers.toSorted((left, right) => left - right);

export function comparison(choices: Choices): Riddle {
  return choices.weighted([
    [ofTwo, 50],
    [ofSeveral, 35],
    [isMore, 15],
  ])(choices);
}

function ofTwo(choices: Choices): Riddle {
  const numbers = drawNumbers(choices, 2);
  const [left = 0, right = 0] = numbers;
  const [small = 0, big = 0] = rising(numbers);
  const more = choices.chance(0.5);
  const word = draw(choices, more ? 'words for more' : 'words for less');
  const isAdjective = word !== 'more' && word !== 'less';
  return pose(choices, {
    sections: ['comparison riddles', ...(isAdjective ? ['comparison riddles with an adjective'] : [])],
    slots: { left, right, word },
    answer: `${more ? big : small} is ${word}.`,
    steps: [`The numbers are ${left} and ${right}.`, `${small} < ${big}`],
  });
}

function ofSeveral(choices: Choices): Riddle {
  const numbers = drawNumbers(choices, choices.chance(0.7) ? 3 : 4);
  const sorted = rising(numbers);
  const more = choices.chance(0.5);
  const word = draw(choices, more ? 'words for most' : 'words for least');
  const and = joinWords(numbers.map(String));
  return pose(choices, {
    sections: ['most riddles'],
    slots: { word, and, or: and.replace(' and ', ' or '), plain: numbers.join(', ') },
    answer: `${(more ? sorted.at(-1) : sorted[0]) ?? 0} is the ${word}.`,
    steps: [`The numbers are ${and}.`, sorted.join(' < ')],
  });
}

/** "Is 9 larger than 4?" */
function isMore(choices: Choices): Riddle {
  const numbers = drawNumbers(choices, 2);
  const [left = 0, right = 0] = numbers;
  const [small = 0, big = 0] = rising(numbers);
  const more = choices.chance(0.5);
  const word = draw(choices, more ? 'words for more' : 'words for less');
  const isSo = left > right === more;
  return pose(choices, {
    sections: ['whether more riddles'],
    slots: { left, right, word },
    answer: `${isSo ? 'Yes' : 'No'}, ${left} is ${isSo ? '' : 'not '}${word} than ${right}.`,
    steps: [`The numbers are ${left} and ${right}.`, `${small} < ${big}`],
  });
}

export function ordering(choices: Choices): Riddle {
  const count = choices.weighted([
    [2, 6],
    [3, 46],
    [4, 30],
    [5, 18],
  ]);
  const numbers = drawNumbers(choices, count);
  const falls = choices.chance(0.45);
  const ordered = falls ? rising(numbers).toReversed() : rising(numbers);
  const manner = line(falls ? 'falling' : 'rising');
  const first = falls ? 'largest' : 'smallest';
  return pose(choices, {
    sections: ['order riddles'],
    slots: { manner, listed: joinWords(numbers.map(String)), plain: numbers.join(', ') },
    answer: `${ordered.join(', ')}.`,
    steps: ordered.map((number, index) => (index === 0 ? `The ${first} is ${number}.` : `Then ${number}.`)),
  });
}

export function evenOrOdd(choices: Choices): Riddle {
  const number = choices.integer(1, choices.chance(0.8) ? 999 : 99_999);
  return pose(choices, {
    sections: ['even or odd riddles'],
    slots: { number },
    answer: `${number} is ${number % 2 === 0 ? 'even' : 'odd'}.`,
    steps: [`${number} ends in ${number % 10}.`],
  });
}

export function tensAndOnes(choices: Choices): Riddle {
  const number = choices.integer(11, 99);
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  return pose(choices, {
    sections: ['tens and ones riddles'],
    slots: { number },
    answer: `${number} has ${tens} ${tens === 1 ? 'ten' : 'tens'} and ${ones} ${ones === 1 ? 'one' : 'ones'}.`,
    steps: [`${number} = ${number - ones} + ${ones}`],
  });
}

/** Two numbers that the evaluation does not add or subtract. */
export function drawPair(choices: Choices, least: number, most: number): [number, number] {
  const [first, second] = [choices.integer(least, most), choices.integer(least, most)];
  return isHeldOutSum(first, second) || isHeldOutSum(second, first)
    ? drawPair(choices, least, most)
    : [first, second];
}
