import { spelled } from '../chat/spelling.ts';
import type { Choices } from '../text/choices.ts';
import { lines, pairs } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { drawFrom } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { wordToSpell } from '../text/words-to-spell.ts';
import { inWords, pose, type Puzzle } from './posing.ts';
import { stepsOfDivision, worked } from './sums.ts';

const alphabet = lines('alphabet');
const categories = pairs('categories').map(([kind, examples]) => [kind, examples.split(', ')] as const);
const row = (values: readonly (number | string)[]): string => values.join(', ');
const range = (count: number, valueAt: (index: number) => number): number[] =>
  Array.from({ length: count }, (_, index) => valueAt(index));

const smallestFactor = (number: number): number =>
  range(number - 1, (index) => index + 2).find((part) => number % part === 0) ?? number;

/** By tenths, "10 % of 60 is 6, 4 * 6 = 24", and by half a tenth; 25, 50 and 75 % by halves. */
function stepsOfPercent(share: number, whole: number): string[] {
  const part = (percent: number): string => `${percent} % of ${whole} is ${(whole * percent) / 100}`;
  if ([1, 10, 25, 50, 100].includes(share)) return [];
  const [half, quarter, tenth] = [whole / 2, whole / 4, whole / 10];
  if (share === 75) return [part(50), part(25), `${half} + ${quarter} = ${half + quarter}`];
  const tenths = Math.floor(share / 10);
  const some = tenths > 1 ? [`${tenths} * ${tenth} = ${tenths * tenth}`] : [];
  if (share % 10 === 0) return [part(10), ...some];
  const sum = `${tenths * tenth} + ${tenth / 2} = ${tenths * tenth + tenth / 2}`;
  return [part(10), ...some, part(5), ...(tenths > 0 ? [sum] : [])];
}

const puzzles: Readonly<Record<string, (choices: Choices) => Puzzle>> = {
  half: (choices) => {
    const half = choices.integer(1, 100);
    const one = half * 2;
    const steps = half > 12 ? stepsOfDivision(one, 2) : [];
    return ['half asks', { one }, capitalize(worked(steps, `half of ${one} is ${half}`))];
  },
  double: (choices) => {
    const one = choices.integer(1, 100);
    return ['double asks', { one }, `Twice ${one} is ${one * 2}.`];
  },
  percent: (choices) => {
    const share = choices.pick([1, 5, 10, 10, 25, 25, 50, 50, 75, 100, 5 * choices.integer(1, 19)]);
    const unit = { 1: 100, 10: 5, 25: 4, 50: 2, 100: 1 }[share] ?? (share % 10 === 0 ? 5 : 10);
    const whole = unit * choices.integer(1, Math.floor(200 / unit));
    const steps = stepsOfPercent(share, whole).map((step) => `${step}, `);
    const answer = `${steps.join('')}${steps.length > 0 ? 'so ' : ''}${share} % of ${whole} is ${(whole * share) / 100}.`;
    return ['percent asks', { one: whole, two: share }, answer];
  },
  square: (choices) => {
    const one = choices.integer(1, 20);
    return ['square asks', { one }, `${one} * ${one} = ${one * one}.`];
  },
  root: (choices) => {
    const root = choices.integer(1, 20);
    return ['root asks', { one: root * root }, `The square root of ${root * root} is ${root}.`];
  },
  power: (choices) => {
    const one = choices.integer(0, 16);
    return ['power asks', { one }, `2^${one} = ${2 ** one}.`];
  },
  threeSum: (choices) => {
    const unit = choices.pick([1, 1, 1, 10, 100]);
    const drawTerm = (): number => unit * choices.integer(1, unit > 1 ? 9 : 20);
    const [one, two, three] = [drawTerm(), drawTerm(), drawTerm()];
    const total = one + two + three;
    const answer = `${one} + ${two} = ${one + two}, ${one + two} + ${three} = ${total}, so it is ${total}.`;
    return ['three sum asks', { one, two, three }, answer];
  },
  threeProduct: (choices) => {
    const [one, two, three] = [choices.integer(1, 6), choices.integer(1, 6), choices.integer(1, 6)];
    const total = one * two * three;
    const answer = `${one} * ${two} = ${one * two}, ${one * two} * ${three} = ${total}, so it is ${total}.`;
    return ['three product asks', { one, two, three }, answer];
  },
  sequence: (choices) => {
    const step = choices.pick([1, 1, 2, 2, 2, 3, 4, 5, 5, 10, 10, 20, 100]);
    const start = choices.chance(0.6) ? step : choices.integer(0, 20);
    const count = choices.integer(3, 5);
    const given = range(count, (index) => start + index * step);
    const written = given.join(choices.pick([' ', ', ', ',']));
    const [last, next] = [start + (count - 1) * step, start + count * step];
    const steps = [`${last} - ${last - step} = ${step}`, `${last} + ${step} = ${next}`];
    return ['sequence asks', { row: written }, worked(steps, `${next} comes next`)];
  },
  next: (choices) => {
    const one = choices.integer(0, 200);
    return [
      'next number asks',
      { one: one < 20 && choices.chance(0.3) ? inWords(one) : one },
      `After ${one} comes ${one + 1}.`,
    ];
  },
  previous: (choices) => {
    const one = choices.integer(1, 200);
    return ['previous number asks', { one }, `${one - 1} comes before ${one}.`];
  },
  bigger: (choices) => compareNumbers(choices, 'bigger asks'),
  smaller: (choices) => compareNumbers(choices, 'smaller asks'),
  prime: (choices) => {
    const one = choices.integer(2, choices.pick([20, 50, 100]));
    const factor = smallestFactor(one);
    const product = `${one} is ${factor} * ${one / factor}, so it is not prime`;
    return ['prime asks', { one }, factor === one ? `Yes, ${one} is prime.` : `No, ${product}.`];
  },
  even: (choices) => {
    const one = choices.integer(0, 200);
    return ['even asks', { one }, `${one} is ${one % 2 === 0 ? 'even' : 'odd'}.`];
  },
  sort: (choices) => {
    const largest = choices.pick([9, 9, 9, 20, 99]);
    const given = range(choices.integer(3, 5), () => choices.integer(1, largest));
    const written = given.join(choices.pick([' ', ', ', ',']));
    const slots = { row: choices.chance(0.25) ? `[${written}]` : written };
    return ['sort asks', slots, `${row(given.toSorted((a, b) => a - b))}.`];
  },
  reverse: (choices) => {
    const word = shortWord(choices);
    const reversed = word.split('').toReversed().join('');
    return ['reverse asks', { word }, `${spelled(word)}, backwards ${spelled(reversed)}: ${reversed}`];
  },
  upper: (choices) => {
    const word = wordToSpell(choices);
    return ['upper asks', { word }, word.toUpperCase()];
  },
  letterCount: (choices) => {
    const word = wordToSpell(choices);
    return ['letter count asks', { word }, `${spelled(word)}: ${word.length} letters.`];
  },
  oneLetter: (choices) => {
    const word = wordToSpell(choices).toLowerCase();
    const letter = choices.pick(word.split(''));
    let count = 0;
    const counted = word.split('').map((each) => (each === letter ? `${each}(${(count += 1)})` : each));
    return [
      'one letter count asks',
      { word, letter },
      `${counted.join('-')}: ${letter} comes ${inWords(count)} ${count === 1 ? 'time' : 'times'}.`,
    ];
  },
  spell: (choices) => {
    const word = wordToSpell(choices);
    return ['spell asks', { word }, spelled(word)];
  },
  hex: (choices) => {
    const one = drawWholeNumber(choices);
    return ['hex asks', { one }, `${one} is 0x${one.toString(16)}.`];
  },
  fromHex: (choices) => {
    const one = drawWholeNumber(choices);
    return ['from hex asks', { one: one.toString(16) }, `0x${one.toString(16)} is ${one}.`];
  },
  binary: (choices) => {
    const one = drawWholeNumber(choices);
    return ['binary asks', { one }, `${one} is ${one.toString(2)} in binary.`];
  },
  fromBinary: (choices) => {
    const one = drawWholeNumber(choices);
    return ['from binary asks', { one: one.toString(2) }, `${one.toString(2)} in binary is ${one}.`];
  },
  letterAfter: (choices) => {
    const at = choices.integer(0, 24);
    const one = (alphabet[at] ?? '').toLowerCase();
    return ['letter after asks', { one }, `After ${one} comes ${(alphabet[at + 1] ?? '').toLowerCase()}.`];
  },
  count: (choices) => {
    const last = choices.integer(2, 20);
    // The evaluation asks for "ten".
    const write = choices.chance(0.3) && last <= 12 && last !== 10 ? inWords : String;
    return ['count asks', { one: write(last) }, row(range(last, (index) => index + 1))];
  },
  countDown: (choices) => {
    const first = choices.integer(3, 15);
    return ['count down asks', { one: first }, row(range(first, (index) => first - index))];
  },
  fibonacci: (choices) => {
    const count = choices.integer(3, 12);
    const found = [1, 1];
    while (found.length < count) found.push((found.at(-1) ?? 0) + (found.at(-2) ?? 0));
    return ['fibonacci asks', { one: count }, row(found)];
  },
  alphabet: () => ['alphabet asks', {}, row(alphabet)],
  list: (choices) => {
    const [kind, examples] = choices.pick(categories);
    const isSome = choices.chance(0.25);
    const count = isSome ? 3 : choices.integer(2, Math.min(6, examples.length));
    const number = choices.chance(0.5) ? count : inWords(count);
    const answer = examples.slice(0, count).map((item, index) => `${index + 1}. ${item}`);
    return [isSome ? 'list some asks' : 'list asks', { number, kind }, answer.join('\n')];
  },
};

/** Of at most eight letters. */
function shortWord(choices: Choices): string {
  const word = wordToSpell(choices);
  return word.length > 8 ? shortWord(choices) : word;
}

const knownWholeNumbers = [42, 64, 100, 127, 128, 200, 254, 255, 256];
/** Those that the model knows in other bases. */
const drawWholeNumber = (choices: Choices): number =>
  choices.chance(0.7) ? choices.integer(0, 32) : choices.pick(knownWholeNumbers);

function compareNumbers(choices: Choices, section: string): Puzzle {
  const [whole, tenths] = [choices.integer(0, 20), choices.integer(1, 9)];
  const near = whole + choices.integer(1, 99) / 100;
  const isDecimal = choices.chance(0.4);
  const [a, b] = isDecimal ? [near, whole + tenths / 10] : [choices.integer(0, 300), choices.integer(0, 300)];
  const two = a === b ? b + 1 : b;
  const found = section === 'bigger asks' ? Math.max(a, two) : Math.min(a, two);
  return [section, { one: a, two }, `${found} is ${section === 'bigger asks' ? 'larger' : 'smaller'}.`];
}

/** A puzzle about a number, a row of numbers, a word or a letter. */
export const writePuzzleExchange = (choices: Choices): Exchange =>
  pose(choices, drawFrom(choices, 'kinds of puzzles', puzzles)(choices));
