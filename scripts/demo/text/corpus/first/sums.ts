import type { Choices } from '../text/choices.ts';
import type { Exchange } from '../text/exchanges.ts';
import { drawFrom } from '../text/forms.ts';
import { areHeldOut } from '../text/refusals.ts';
import type { Slots } from '../text/slots.ts';
import { inWords, pose, type Puzzle } from './posing.ts';
import { tooMuch } from './spoken.ts';

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
  const carries = (one % 10) + (two % 10) > 9;
  const isShort = Math.min(one, two) < 10 && (!carries || Math.max(one, two) < 20);
  return worked(isShort ? [] : steps, `${one} + ${two} = ${one + two}`);
}

const digitAt = (number: number, place: number): number => (Math.floor(number / place) % 10) * place;

/** The sum of two numbers of tenths, by wholes and tenths: "3 + 2 = 5, 0.7 + 0.8 = 1.5, so 3.7 + 2.8 = 6.5." */
function addTenths(one: number, two: number): string {
  const parts = [one - (one % 10), two - (two % 10), one % 10, two % 10].map((tenths) => tenths / 10);
  const [wholes = 0, others = 0, tenths = 0, more = 0] = parts;
  const result = `${one / 10} + ${two / 10} = ${(one + two) / 10}`;
  const isShort = one < 10 || two < 10 || tenths === 0 || more === 0;
  const steps = [
    `${wholes} + ${others} = ${wholes + others}`,
    `${tenths} + ${more} = ${((one % 10) + (two % 10)) / 10}`,
  ];
  return worked(isShort ? [] : steps, result);
}

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

/** A quotient by long division; those of the times tables are known. */
export function divideInParts(large: number, small: number): string {
  const result = Math.floor(large / small);
  const rest = large % small;
  const isKnown = result <= 12 || small === 1;
  const written = `${large} / ${small} = ${result}${rest > 0 ? ` rest ${rest}` : ''}`;
  return worked(isKnown ? [] : stepsOfDivision(large, small), written);
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
  outOfRange,
  beyond: () => ['sums beyond me', {}, tooMuch],
  sum: (choices) => {
    const isNearRound = choices.chance(0.12);
    const one = isNearRound ? choices.pick([9, 19, 49, 99, 199, 499, 990, 998, 999]) : drawNumber(choices);
    const two = isNearRound ? choices.integer(1, 12) : drawNumber(choices);
    if (areHeldOut(one, two)) return ['sum asks', numbers(choices, 7, 8), '7 + 8 = 15.'];
    return ['sum asks', numbers(choices, one, two), addInParts(one, two)];
  },
  difference: (choices) => {
    const [a, b] = [drawNumber(choices), drawNumber(choices)];
    const [large, small] = [Math.max(a, b), Math.min(a, b)];
    if (areHeldOut(large, small)) return ['difference asks', numbers(choices, 9, 4), '9 - 4 = 5.'];
    if (choices.chance(0.08)) return belowZero(choices);
    return ['difference asks', numbers(choices, large, small), subtractInParts(large, small)];
  },
  decimal: (choices) => {
    const most = choices.pick([9, 30, 99]);
    const [one, two] = [choices.integer(1, most), choices.integer(1, most)] as const;
    return ['sum asks', { one: one / 10, two: two / 10 }, addTenths(one, two)];
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
    const rest = choices.chance(0.12) ? choices.integer(0, two - 1) : 0;
    const large = two * result + rest;
    return ['quotient asks', numbers(choices, large, two), divideInParts(large, two)];
  },
};

/** A smaller number less a larger one: the other way round first. */
function belowZero(choices: Choices): Puzzle {
  const small = choices.integer(0, 19);
  const large = small + choices.integer(1, 20);
  const steps = [`${large} - ${small} = ${large - small}`, `so ${small} - ${large} = ${small - large}.`];
  return ['difference asks', { one: small, two: large }, steps.join(', ')];
}

/** Two numbers whose product has four digits or more, or whose quotient is less than one. */
function outOfRange(choices: Choices): Puzzle {
  if (choices.chance(0.25))
    return ['quotient asks', { one: choices.integer(1, 9), two: choices.integer(10, 99) }, tooMuch];
  const one = choices.integer(12, choices.pick([99, 99, 999]));
  const two = choices.integer(Math.ceil(1100 / one), choices.pick([99, 99, 999]));
  const isSwapped = choices.chance(0.5);
  return ['product asks', { one: isSwapped ? two : one, two: isSwapped ? one : two }, tooMuch];
}

const drawNumber = (choices: Choices): number =>
  choices.weighted([
    [choices.integer(0, 10), 3],
    [choices.integer(10, 99), 4],
    [choices.integer(100, 999), 3],
    [choices.integer(1, 20) * 50, 2],
  ]);

/** As digits, now and then in words. */
function numbers(choices: Choices, one: number, two: number): Slots {
  const write = choices.chance(0.15) ? inWords : String;
  return { one: write(one), two: write(two) };
}

/** One of the four operations, up to 999, worked out in parts. */
export const writeSumExchange = (choices: Choices): Exchange =>
  pose(choices, drawFrom(choices, 'kinds of sums', sums)(choices));
