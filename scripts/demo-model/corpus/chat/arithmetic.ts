import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { draw, pickForm } from '../text/forms.ts';
import { ask, drawIntent, type Exchange } from '../text/intents.ts';

/** A sum, a difference that is not negative, a product of the times tables, or a quotient without a rest. */
export function writeArithmeticExchange(choices: Choices): Exchange {
  const [first, second] = drawPair(choices, 'two numbers below 100');
  const [large, small] = first > second ? [first, second] : [second, first];
  const [one, other] = [choices.integer(0, 10), choices.integer(1, 10)];
  const numbers = { first, second, large, small, one, other, whole: one * other };
  const isInWords = choices.chance(0.08);
  const answers = { sum: addInWords(first, second), difference: subtractInWords(large, small) };
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

/** Tens and ones added each for itself. */
export function addTensAndOnes(first: number, second: number) {
  const [firstOnes, secondOnes] = [first % 10, second % 10];
  const [firstTens, secondTens] = [first - firstOnes, second - secondOnes];
  return {
    tens: `${firstTens} + ${secondTens} = ${firstTens + secondTens}`,
    ones: `${firstOnes} + ${secondOnes} = ${firstOnes + secondOnes}`,
    total: `${firstTens + secondTens} + ${firstOnes + secondOnes} = ${first + second}`,
  };
}

/** The sum, by tens and ones where both numbers have them: a tiny model has to write down what it carries. */
export function addInWords(first: number, second: number): string {
  const sum = `${first} + ${second} = ${first + second}.`;
  if (first < 10 || second < 10) return sum;
  const { tens, ones } = addTensAndOnes(first, second);
  return `${tens}, ${ones}, so ${sum}`;
}

/** The steps of taking away, the tens first and then the ones. */
export function subtractInSteps(large: number, small: number): string[] {
  const ones = small % 10;
  const left = large - small + ones;
  if (ones === 0 || small < 10) return [`${large} - ${small} = ${large - small}`];
  return [`${large} - ${small - ones} = ${left}`, `${left} - ${ones} = ${large - small}`];
}

export function subtractInWords(large: number, small: number): string {
  const steps = subtractInSteps(large, small);
  const difference = `${large} - ${small} = ${large - small}.`;
  return steps.length === 1 ? difference : `${steps.join(', ')}, so ${difference}`;
}
