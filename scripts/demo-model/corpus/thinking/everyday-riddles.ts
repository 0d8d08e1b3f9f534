import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { draw } from '../text/forms.ts';
import { drawPair } from './number-riddles.ts';
import { pose, type Riddle } from './riddle.ts';

const manner = { keepCase: true };

/** Somebody has some things, and gets or loses some. */
export function story(choices: Choices): Riddle {
  return choices.weighted([
    [changes, 64],
    [together, 18],
    [whoHasMore, 18],
  ])(choices);
}

function changes(choices: Choices): Riddle {
  const name = draw(choices, 'given name');
  const thing = draw(choices, 'things to have');
  const gains = choices.chance(0.55);
  const [start, count] = gains ? drawPair(choices, 2, 20) : [choices.integer(6, 30), choices.integer(1, 5)];
  const total = gains ? start + count : start - count;
  const happens = draw(choices, gains ? 'gains' : 'losses', { count });
  const [sign, there] = gains ? ['+', 'are there'] : ['-', 'are left'];
  const slots = { name, thing, start, count, total, happens, sign, there };
  return pose(choices, 'change riddles', slots, { manner });
}

function drawTwoNames(choices: Choices): [string, string] {
  const [first, second] = [draw(choices, 'given name'), draw(choices, 'given name')];
  return first === second ? drawTwoNames(choices) : [first, second];
}

function together(choices: Choices): Riddle {
  const [first, second] = drawTwoNames(choices);
  const thing = draw(choices, 'things to have');
  const [left, right] = drawPair(choices, 2, 20);
  const slots = { first, second, thing, left, right, sum: left + right };
  return pose(choices, 'together riddles', slots, { manner });
}

/** Who has more, is older or is taller. */
function whoHasMore(choices: Choices): Riddle {
  const [first, second] = drawTwoNames(choices);
  const left = choices.integer(2, 60);
  const right = left + choices.pick([-1, 1]) * choices.integer(1, left < 20 ? left - 1 : 19);
  const thing = draw(choices, 'things to have');
  const more = choices.chance(0.6);
  const { verb, unit, base, words } = choices.pick([
    { verb: 'has', unit: thing, base: 0, words: ['more', 'fewer'] },
    { verb: 'is', unit: 'years old', base: 0, words: ['older', 'younger'] },
    { verb: 'is', unit: 'cm tall', base: 120, words: ['taller', 'smaller'] },
  ]);
  const counts = [left + base, right + base];
  const [one = '', other = ''] = [first, second].map(
    (name, index) => `${name} ${verb} ${counts[index]} ${unit}`,
  );
  const slots = {
    first,
    second,
    one,
    other,
    verb,
    word: words[more ? 0 : 1] ?? '',
    sorted: counts.toSorted((a, b) => a - b).join(' < '),
    'right one': left > right === more ? first : second,
  };
  return pose(choices, 'who riddles', slots, { manner });
}

/** Which day or month comes some before or after another. */
export function dayAfter(choices: Choices): Riddle {
  const isDay = choices.chance(0.75);
  const [cycle, unit] = isDay ? [lines('days'), 'day'] : [lines('months'), 'month'];
  const from = choices.integer(0, cycle.length - 1);
  const distance = choices.integer(1, isDay ? 3 : 4);
  const later = choices.chance(0.6);
  const at = (offset: number): string => cycle[(from + offset + cycle.length) % cycle.length] ?? '';
  const path = Array.from({ length: distance }, (_, index) => at(later ? index + 1 : -index - 1));
  const word = later ? 'after' : 'before';
  const inWords = lines('numbers up to nineteen')[distance];
  const slots = {
    unit,
    word,
    from: at(0),
    amount: `(${inWords}|${inWords}|${distance}) ${unit}${distance === 1 ? '' : 's'}`,
    onwards: later ? 'forward|on' : 'back|backwards',
    later: later ? 'later' : 'earlier',
    day: path.at(-1) ?? '',
  };
  const others = isDay ? [later ? 'later day riddles' : 'earlier day riddles'] : [];
  const steps = path.map((each, index) => `${index + 1} ${word} ${at(0)}: ${each}`);
  return pose(choices, 'day riddles', slots, { others, steps, manner });
}
