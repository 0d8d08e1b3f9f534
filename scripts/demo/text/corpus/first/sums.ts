import type { Choices } from '../text/choices.ts';
import type { Exchange } from '../text/exchanges.ts';
import { drawFrom } from '../text/forms.ts';
import { areHeldOut } from '../text/refusals.ts';
import type { Slots } from '../text/slots.ts';
import { inWords, pose, type Puzzle } from './posing.ts';

/** The parts by hundreds, tens and ones: 207 is 200 and 7. */
const partsOf = (number: number): number[] =>
  [number - (number % 100), (number % 100) - (number % 10), number % 10].filter((part) => part > 0);

/** The steps and the result, "10 + 50 = 60, 2 + 6 = 8, so 12 + 56 = 68."; the result alone where one step is all. */
export const worked = (steps: readonly string[], result: string): string =>
  steps.length < 2 ? `${result}.` : `${steps.join(', ')}, so ${result}.`;

/** A sum by hundreds, tens and ones. */
export function addInParts(one: number, two: number): string {
  const places = [100, 10, 1].map((place) => [digitAt(one, place), digitAt(two, place)] as const);
  const steps = places.filter(([a, b]) => a + b > 0).map(([a, b]) => `${a} + ${b} = ${a + b}`);
  const isShort = one < 10 || two < 10;
  return worked(isShort ? [] : steps, `${one} + ${two} = ${one + two}`);
}

const digitAt = (number: number, place: number): number => (Math.floor(number / place) % 10) * place;

/** A difference that takes away hundreds, tens and ones one after the other. */
export function subtractInParts(large: number, small: number): string {
  let left = large;
  const steps = partsOf(small).map((part) => `${left} - ${part} = ${(left -= part)}`);
  return worked(steps, `${large} - ${small} = ${large - small}`);
}

/** A product by the parts of its larger factor; those of the times tables are known. */
export function multiplyInParts(one: number, two: number): string {
  const [large, small] = one > two ? [one, two] : [two, one];
  const result = `${one} * ${two} = ${one * two}`;
  if (large <= 12) return `${result}.`;
  const [split, whole] = small > 9 && small % 10 !== 0 ? [small, large] : [large, small];
  const parts = partsOf(split);
  if (parts.length < 2) return `${result}.`;
  const products = parts.map((part) => `${whole} * ${part} = ${whole * part}`);
  const sum = parts.map((part) => whole * part).join(' + ');
  return worked([...products, `${sum} = ${one * two}`], result);
}

/** A quotient without rest by long division; those of the times tables are known. */
export function divideInParts(large: number, small: number): string {
  const result = large / small;
  const isKnown = result <= 12 || small === 1;
  return worked(isKnown ? [] : stepsOfDivision(large, small), `${large} / ${small} = ${result}`);
}

/** Long division, digit by digit: 96 / 4 is "9 / 4 = 2 rest 1" and "16 / 4 = 4". */
export function stepsOfDivision(large: number, small: number): string[] {
  const steps: string[] = [];
  let left = 0;
  for (const digit of String(large)) {
    left = left * 10 + Number(digit);
    if (left < small && steps.length === 0) continue;
    const rest = left % small;
    steps.push(`${left} / ${small} = ${(left - rest) / small}${rest > 0 ? ` rest ${rest}` : ''}`);
    left = rest;
  }
  return steps;
}

const sums: Readonly<Record<string, (choices: Choices) => Puzzle>> = {
  sum: (choices) => {
    const [one, two] = [drawNumber(choices), drawNumber(choices)];
    if (areHeldOut(one, two)) return ['sum asks', numbers(choices, 7, 8), '7 + 8 = 15.'];
    return ['sum asks', numbers(choices, one, two), addInParts(one, two)];
  },
  difference: (choices) => {
    const [a, b] = [drawNumber(choices), drawNumber(choices)];
    const [large, small] = [Math.max(a, b), Math.min(a, b)];
    if (areHeldOut(large, small)) return ['difference asks', numbers(choices, 9, 4), '9 - 4 = 5.'];
    return ['difference asks', numbers(choices, large, small), subtractInParts(large, small)];
  },
  product: (choices) => {
    const isTable = choices.chance(0.6);
    const one = isTable ? choices.integer(0, 12) : choices.integer(11, 99);
    const two =
      isTable || choices.chance(0.6) ? choices.integer(1, 12) : choices.integer(11, Math.floor(999 / one));
    const pair = choices.chance(0.5) ? ([one, two] as const) : ([two, one] as const);
    return ['product asks', numbers(choices, ...pair), multiplyInParts(...pair)];
  },
  quotient: (choices) => {
    const two = choices.weighted([
      [choices.integer(2, 12), 4],
      [choices.pick([2, 4, 5, 10, 20, 25, 50, 100]), 1],
    ] as const);
    const result = choices.chance(0.6)
      ? choices.integer(1, two <= 12 ? 12 : 10)
      : choices.integer(1, Math.floor(999 / two));
    return ['quotient asks', numbers(choices, two * result, two), divideInParts(two * result, two)];
  },
};

const drawNumber = (choices: Choices): number =>
  choices.weighted([
    [choices.integer(0, 10), 3],
    [choices.integer(10, 99), 4],
    [choices.integer(100, 999), 3],
    [choices.integer(1, 19) * 50, 2],
  ]);

/** As digits, now and then in words. */
function numbers(choices: Choices, one: number, two: number): Slots {
  const write = choices.chance(0.15) ? inWords : String;
  return { one: write(one), two: write(two) };
}

/** One of the four operations, up to 999, worked out in parts. */
export const writeSumExchange = (choices: Choices): Exchange =>
  pose(choices, drawFrom(choices, 'kinds of sums', sums)(choices));
