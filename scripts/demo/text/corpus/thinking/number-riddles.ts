import { drawPair, workOutDifference, workOutSum } from '../chat/arithmetic.ts';
import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { type Exchange, exchangeOf } from '../text/exchanges.ts';
import { draw, drawCount } from '../text/forms.ts';
import { joinWords } from '../text/inflect.ts';

export function sumOfTwo(choices: Choices): Exchange {
  const [left, right] = drawPair(choices, 'two numbers up to 99');
  return { ...exchangeOf(choices, 'sum riddles', { left, right }), ...workOutSum(left, right) };
}

export function difference(choices: Choices): Exchange {
  const [first, second] = drawPair(choices, 'two numbers up to 99');
  const [left, right] = first > second ? [first, second] : [second, first];
  return { ...exchangeOf(choices, 'difference riddles', { left, right }), ...workOutDifference(left, right) };
}

/** Different numbers, often of the same length or close to each other. */
function drawNumbers(choices: Choices, count: number): number[] {
  const [least = 0, most = 0] = draw(choices, 'ranges of numbers to compare').split(': ').map(Number);
  const start = choices.chance(0.15) ? choices.integer(least, Math.max(least, most - 12)) : undefined;
  const numbers = new Set<number>();
  while (numbers.size < count)
    numbers.add(start === undefined ? choices.integer(least, most) : choices.integer(start, start + 12));
  return choices.shuffle([...numbers]);
}

const rising = (numbers: readonly number[]): number[] => numbers.toSorted((left, right) => left - right);

/** Two numbers and a word that compares them: which of them is it, or is the one so beside the other? */
export const comparison =
  (section: string) =>
  (choices: Choices): Exchange => {
    const numbers = drawNumbers(choices, 2);
    const [left = 0, right = 0] = numbers;
    const [small = 0, big = 0] = rising(numbers);
    const more = choices.chance(0.5);
    const word = draw(choices, more ? 'words for more' : 'words for less');
    const answer = left > right === more ? { yes: 'Yes', not: '' } : { yes: 'No', not: 'not ' };
    const slots = { left, right, small, big, word, ...answer, 'right one': more ? big : small };
    return exchangeOf(choices, section, slots);
  };

export function ofSeveral(choices: Choices): Exchange {
  const numbers = drawNumbers(choices, choices.chance(0.7) ? 3 : 4);
  const sorted = rising(numbers);
  const more = choices.chance(0.5);
  const word = draw(choices, more ? 'words for most' : 'words for least');
  const and = joinWords(numbers.map(String));
  return exchangeOf(choices, 'most riddles', {
    word,
    and,
    or: and.replace(' and ', ' or '),
    plain: numbers.join(', '),
    sorted: sorted.join(' < '),
    'right one': (more ? sorted.at(-1) : sorted[0]) ?? 0,
  });
}

export function ordering(choices: Choices): Exchange {
  const numbers = drawNumbers(choices, drawCount(choices, 'numbers to order'));
  const falls = choices.chance(0.45);
  const [first = 0, ...others] = falls ? rising(numbers).toReversed() : rising(numbers);
  const slots = {
    manner: line(falls ? 'falling' : 'rising'),
    listed: joinWords(numbers.map(String)),
    plain: numbers.join(', '),
    ordered: [first, ...others].join(', '),
  };
  const start = `The ${falls ? 'largest' : 'smallest'} is ${first}.`;
  const steps = [start, ...others.map((number) => `Then ${number}.`)];
  return { ...exchangeOf(choices, 'order riddles', slots), steps };
}
