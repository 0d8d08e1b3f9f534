import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { ask, drawIntent, type Exchange } from '../text/exchanges.ts';
import { addInParts } from '../first/sums.ts';
import { draw, pickForm } from '../text/forms.ts';

/** A sum, a difference that is not negative, a product of the times tables, or a quotient without a rest. */
export function writeArithmeticExchange(choices: Choices): Exchange {
  const [first, second] = drawPair(choices, 'two numbers below 100');
  const [large, small] = first > second ? [first, second] : [second, first];
  const [one, other] = [choices.integer(0, 10), choices.integer(1, 10)];
  const numbers = { first, second, large, small, one, other, whole: one * other };
  const isInWords = choices.chance(0.08);
  const [sum, difference] = [workOutSum(first, second), workOutDifference(large, small)];
  const answers = { sum: sum.direct, difference: difference.direct };
  const intent = drawIntent(choices, pickForm(choices, 'arithmetic questions'), { ...numbers, ...answers });
  return ask(choices, isInWords ? { ...intent, slots: inWords(numbers) } : intent);
}

/** Two numbers from a section that leaves out the pairs of the evaluation. */
export function drawPair(choices: Choices, section: string): [number, number] {
  const [first, second] = draw(choices, section).split(': ');
  return [Number(first), Number(second)];
}

function inWords(numbers: Readonly<Record<string, number>>): Record<string, string> {
  const words = lines('numbers up to a hundred');
  return Object.fromEntries(Object.entries(numbers).map(([slot, number]) => [slot, words[number] ?? '']));
}

/** Answered at once, and in steps: by tens and ones, as a tiny model has to write down its carries. */
export function workOutSum(first: number, second: number) {
  const [firstOnes, secondOnes] = [first % 10, second % 10];
  const [firstTens, secondTens] = [first - firstOnes, second - secondOnes];
  const sum = `${first} + ${second} = ${first + second}`;
  const tens = `${firstTens} + ${secondTens} = ${firstTens + secondTens}`;
  const ones = `${firstOnes} + ${secondOnes} = ${firstOnes + secondOnes}`;
  const total = `${firstTens + secondTens} + ${firstOnes + secondOnes} = ${first + second}`;
  return {
    direct: addInParts(first, second),
    steps: first < 10 && second < 10 ? [sum] : [`tens: ${tens}`, `ones: ${ones}`, total],
  };
}

/** Answered at once, and in steps: the tens are taken away first, then the ones. */
export function workOutDifference(large: number, small: number) {
  const ones = small % 10;
  const left = large - small + ones;
  const difference = `${large} - ${small} = ${large - small}`;
  if (ones === 0 || small < 10) return { direct: `${difference}.`, steps: [difference] };
  const steps = [`${large} - ${small - ones} = ${left}`, `${left} - ${ones} = ${large - small}`];
  return { direct: `${steps.join(', ')}, so ${difference}.`, steps };
}
