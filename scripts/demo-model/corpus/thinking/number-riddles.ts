import { addInWords, isHeldOutSum, subtractInWords } from '../chat/arithmetic.ts';
import type { Choices } from '../text/choices.ts';
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
