import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { ask, type Exchange, questionsOf } from '../text/wording.ts';

/** True for pairs of numbers that only the evaluation adds or subtracts. */
export function isHeldOutSum(first: number, second: number): boolean {
  return (first * 7 + second) % 10 === 3 && first >= 10 && second >= 10;
}

/** A sum, a difference that is not negative, a product of the times tables, or a quotient without a rest. */
export function writeArithmeticExchange(choices: Choices): Exchange {
  const [first, second] = drawPair(choices);
  const [large, small] = first > second ? [first, second] : [second, first];
  const [one, other] = [choices.integer(0, 10), choices.integer(1, 10)];
  const inWords = choices.chance(0.08);
  const shown = (number: number): string => (inWords ? numberInWords(number) : `${number}`);
  const [section, slots, answer] = choices.weighted([
    [['sum', { first: shown(first), second: shown(second) }, addInWords(first, second)], 43],
    [['difference', { large: shown(large), small: shown(small) }, subtractInWords(large, small)], 34],
    [['product', { first: shown(one), second: shown(other) }, `${one} * ${other} = ${one * other}.`], 18],
    [
      ['quotient', { whole: shown(one * other), part: shown(other) }, `${one * other} / ${other} = ${one}.`],
      5,
    ],
  ] as const);
  return ask(choices, { questions: questionsOf(`${section} questions`), slots, answer });
}

const ones = lines('numbers up to nineteen');
const tens = lines('tens');

/** "forty-two", for numbers up to a hundred. */
function numberInWords(number: number): string {
  if (number >= 100) return 'a hundred';
  if (number < 20) return ones[number] ?? '';
  const rest = number % 10 === 0 ? '' : `-${ones[number % 10] ?? ''}`;
  return `${tens[Math.floor(number / 10)] ?? ''}${rest}`;
}

/** The sum, by tens and ones where both numbers have them: a tiny model has to write down what it carries. */
export function addInWords(first: number, second: number): string {
  const sum = `${first} + ${second} = ${first + second}.`;
  if (first < 10 || second < 10) return sum;
  const [tensSum, onesSum] = [first - (first % 10) + second - (second % 10), (first % 10) + (second % 10)];
  const steps = [
    `${first - (first % 10)} + ${second - (second % 10)} = ${tensSum}`,
    `${first % 10} + ${second % 10} = ${onesSum}`,
  ];
  return `${steps.join(', ')}, so ${sum}`;
}

/** The difference, the tens taken away first and then the ones. */
export function subtractInWords(large: number, small: number): string {
  const difference = `${large} - ${small} = ${large - small}.`;
  const smallOnes = small % 10;
  const smallTens = small - smallOnes;
  if (smallTens === 0 || smallOnes === 0) return difference;
  const left = large - smallTens;
  return `${large} - ${smallTens} = ${left}, ${left} - ${smallOnes} = ${large - small}, so ${difference}`;
}

/** Two numbers below 100, more of them with two digits. */
function drawPair(choices: Choices): [number, number] {
  const draw = (): number => (choices.chance(0.2) ? choices.integer(0, 9) : choices.integer(10, 99));
  const [first, second] = [draw(), draw()];
  return isHeldOutSum(first, second) || isHeldOutSum(second, first) ? drawPair(choices) : [first, second];
}
