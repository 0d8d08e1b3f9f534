import { addInWords, isHeldOutSum, subtractInWords } from '../chat/arithmetic.ts';
import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { draw, drawCount } from '../text/forms.ts';
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
  const direct = addInWords(left, right);
  const slots = { left, right, sum: left + right };
  return pose(choices, 'sum riddles', slots, { steps: addInSteps(left, right), direct });
}

export function sumOfThree(choices: Choices): Riddle {
  const [a, b] = drawPair(choices, 1, choices.chance(0.6) ? 20 : 60);
  const c = choices.integer(1, 9);
  return pose(choices, 'three number riddles', { a, b, c, 'first sum': a + b, sum: a + b + c });
}

export function difference(choices: Choices): Riddle {
  const [first, second] = drawPair(choices, 1, 99);
  const [left, right] = first > second ? [first, second] : [second, first];
  const tens = right - (right % 10);
  const steps =
    tens === 0 || right === tens
      ? [`${left} - ${right} = ${left - right}`]
      : [`${left} - ${tens} = ${left - tens}`, `${left - tens} - ${right % 10} = ${left - right}`];
  const direct = subtractInWords(left, right);
  return pose(choices, 'difference riddles', { left, right, difference: left - right }, { steps, direct });
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

/** Two numbers, which of them is the smaller one, and a word that compares them. */
function drawComparison(choices: Choices) {
  const numbers = drawNumbers(choices, 2);
  const [left = 0, right = 0] = numbers;
  const [small = 0, big = 0] = rising(numbers);
  const more = choices.chance(0.5);
  const word = draw(choices, more ? 'words for more' : 'words for less');
  return { more, slots: { left, right, small, big, word } };
}

function ofTwo(choices: Choices): Riddle {
  const { more, slots } = drawComparison(choices);
  const isAdjective = slots.word !== 'more' && slots.word !== 'less';
  const others = isAdjective ? ['comparison riddles with an adjective'] : [];
  return pose(
    choices,
    'comparison riddles',
    { ...slots, 'right one': more ? slots.big : slots.small },
    { others },
  );
}

function ofSeveral(choices: Choices): Riddle {
  const numbers = drawNumbers(choices, choices.chance(0.7) ? 3 : 4);
  const sorted = rising(numbers);
  const more = choices.chance(0.5);
  const word = draw(choices, more ? 'words for most' : 'words for least');
  const and = joinWords(numbers.map(String));
  return pose(choices, 'most riddles', {
    word,
    and,
    or: and.replace(' and ', ' or '),
    plain: numbers.join(', '),
    sorted: sorted.join(' < '),
    'right one': (more ? sorted.at(-1) : sorted[0]) ?? 0,
  });
}

/** "Is 9 larger than 4?" */
function isMore(choices: Choices): Riddle {
  const { more, slots } = drawComparison(choices);
  const isSo = slots.left > slots.right === more;
  const yes = isSo ? 'Yes' : 'No';
  return pose(choices, 'whether more riddles', { ...slots, yes, not: isSo ? '' : 'not ' });
}

export function ordering(choices: Choices): Riddle {
  const numbers = drawNumbers(choices, drawCount(choices, 'numbers to order'));
  const falls = choices.chance(0.45);
  const ordered = falls ? rising(numbers).toReversed() : rising(numbers);
  const first = falls ? 'largest' : 'smallest';
  const slots = {
    manner: line(falls ? 'falling' : 'rising'),
    listed: joinWords(numbers.map(String)),
    plain: numbers.join(', '),
    ordered: ordered.join(', '),
  };
  const steps = ordered.map((number, index) =>
    index === 0 ? `The ${first} is ${number}.` : `Then ${number}.`,
  );
  return pose(choices, 'order riddles', slots, { steps });
}

export function evenOrOdd(choices: Choices): Riddle {
  const number = choices.integer(1, choices.chance(0.8) ? 999 : 99_999);
  const parity = number % 2 === 0 ? 'even' : 'odd';
  return pose(choices, 'even or odd riddles', { number, parity, 'last digit': number % 10 });
}

export function tensAndOnes(choices: Choices): Riddle {
  const number = choices.integer(11, 99);
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  return pose(choices, 'tens and ones riddles', {
    number,
    tens,
    ones,
    'all tens': number - ones,
    'tens noun': tens === 1 ? 'ten' : 'tens',
    'ones noun': ones === 1 ? 'one' : 'ones',
  });
}

/** Two numbers that the evaluation does not add or subtract. */
export function drawPair(choices: Choices, least: number, most: number): [number, number] {
  const [first, second] = [choices.integer(least, most), choices.integer(least, most)];
  return isHeldOutSum(first, second) || isHeldOutSum(second, first)
    ? drawPair(choices, least, most)
    : [first, second];
}
