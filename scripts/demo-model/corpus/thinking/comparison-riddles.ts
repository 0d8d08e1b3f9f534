import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { draw, drawCount } from '../text/forms.ts';
import { joinWords } from '../text/inflect.ts';
import { pose, type Riddle } from './riddle.ts';

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
