import { simpleGroups } from '../chat/joined.ts';
import { wordSlots } from '../chat/spelling.ts';
import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { draw } from '../text/forms.ts';
import { type Exchange, exchangeOf } from '../text/exchanges.ts';
import { wordToSpell } from '../text/words-to-spell.ts';
import { comparison, difference, ofSeveral, ordering, type Riddle, sumOfTwo } from './number-riddles.ts';

const manner = { keepCase: true };

/** What needs more than its section says, by the name of the section; or what needs no working out. */
const writers: Readonly<Record<string, (choices: Choices) => Riddle>> = {
  'sum riddles': sumOfTwo,
  'difference riddles': difference,
  'comparison riddles': comparison('comparison riddles'),
  'most riddles': ofSeveral,
  'whether more riddles': comparison('whether more riddles'),
  'order riddles': ordering,
  'change riddles': (choices) => exchangeOf(choices, 'change riddles', {}, manner),
  'together riddles': (choices) => exchangeOf(choices, 'together riddles', {}, manner),
  'who riddles': whoHasMore,
  'day riddles': dayAfter,
  'count questions': letterCount,
  facts: remembered(simpleGroups.facts, 'I know this.'),
  hearth: remembered(simpleGroups.hearth, 'I know this.'),
  greeting: remembered(simpleGroups.greeting, 'The user talks to me.'),
  unknown: remembered(simpleGroups.unknown, 'I do not know this.'),
};

export function writeRiddle(choices: Choices): Riddle {
  const kind = draw(choices, 'riddles');
  return writers[kind]?.(choices) ?? exchangeOf(choices, kind);
}

function remembered(write: (choices: Choices) => Exchange, thought: string) {
  return (choices: Choices): Riddle => ({ ...write(choices), steps: [thought] });
}

function letterCount(choices: Choices): Riddle {
  const slots = wordSlots(wordToSpell(choices));
  return exchangeOf(choices, 'count questions', {
    ...slots,
    word: draw(choices, 'plain or quoted word', slots),
  });
}

/** Who has more, is older or is taller. */
function whoHasMore(choices: Choices): Riddle {
  const [first = '', second = ''] = draw(choices, 'two names').split(': ');
  const left = choices.integer(2, 60);
  const right = left + choices.pick([-1, 1]) * choices.integer(1, left < 20 ? left - 1 : 19);
  const thing = draw(choices, 'things to have');
  const more = choices.chance(0.6);
  const quality = draw(choices, 'compared qualities', { thing });
  const [verb = '', unit = '', base = '', forMore = '', forLess = ''] = quality.split(': ');
  const counts = [left, right].map((count) => count + Number(base));
  const [one, other] = [first, second].map((name, index) => `${name} ${verb} ${counts[index]} ${unit}`);
  const slots = {
    first,
    second,
    one: one ?? '',
    other: other ?? '',
    verb,
    word: more ? forMore : forLess,
    sorted: counts.toSorted((a, b) => a - b).join(' < '),
    'right one': left > right === more ? first : second,
  };
  return exchangeOf(choices, 'who riddles', slots, manner);
}

/** Which day or month comes some before or after another. */
function dayAfter(choices: Choices): Riddle {
  const [unit, most] = choices.chance(0.75) ? (['day', 3] as const) : (['month', 4] as const);
  const cycle = lines(`${unit}s`);
  const from = choices.integer(0, cycle.length - 1);
  const distance = choices.integer(1, most);
  const [word, way] = choices.chance(0.6) ? (['after', 1] as const) : (['before', -1] as const);
  const path = Array.from(
    { length: distance + 1 },
    (_, count) => cycle.at((from + way * count) % cycle.length) ?? '',
  );
  const [start = '', ...others] = path;
  const slots = { unit, word, from: start, distance, day: others.at(-1) ?? '' };
  const steps = others.map((each, index) => `${index + 1} ${word} ${start}: ${each}`);
  return { ...exchangeOf(choices, 'day riddles', slots, manner), steps };
}
