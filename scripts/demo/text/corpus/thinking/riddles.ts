import { simpleGroups } from '../chat/joined.ts';
import { wordSlots } from '../chat/spelling.ts';
import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { type Exchange, exchangeOf } from '../text/exchanges.ts';
import { draw, pickForm } from '../text/forms.ts';
import { wordToSpell } from '../text/words-to-spell.ts';
import { comparison, difference, ofSeveral, ordering, sumOfTwo } from './number-riddles.ts';

const manner = { keepCase: true };

/** Writers of riddles that need more than the lines of their section, or no working out; by the section's name. */
const writers: Readonly<Record<string, (choices: Choices) => Exchange>> = {
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

export function writeRiddle(choices: Choices): Exchange {
  const kind = draw(choices, 'riddles');
  return writers[kind]?.(choices) ?? exchangeOf(choices, kind);
}

function remembered(write: (choices: Choices) => Exchange, thought: string) {
  return (choices: Choices): Exchange => ({ ...write(choices), steps: [thought] });
}

function letterCount(choices: Choices): Exchange {
  const slots = wordSlots(wordToSpell(choices));
  const word = draw(choices, 'plain or quoted word', slots);
  return exchangeOf(choices, 'count questions', { ...slots, word });
}

/** Who has more, is older or is taller. */
function whoHasMore(choices: Choices): Exchange {
  const [first = '', second = ''] = draw(choices, 'two names').split(': ');
  const left = choices.integer(2, 60);
  const right = left + choices.pick([-1, 1]) * choices.integer(1, left < 20 ? left - 1 : 19);
  const thing = draw(choices, 'things to have');
  const more = choices.chance(0.6);
  const quality = draw(choices, 'compared qualities', { thing });
  const [verb = '', unit = '', base = '', forMore = '', forLess = ''] = quality.split(': ');
  const [small, big] = [Math.min(left, right), Math.max(left, right)];
  const least = Number(base);
  const counts = { left: left + least, right: right + least, small: small + least, big: big + least };
  const word = more ? forMore : forLess;
  const slots = {
    first,
    second,
    verb,
    unit,
    word,
    ...counts,
    'right one': left > right === more ? first : second,
  };
  return exchangeOf(choices, 'who riddles', slots, manner);
}

/** Which day or month comes some before or after another. */
function dayAfter(choices: Choices): Exchange {
  const [unit = '', most] = pickForm(choices, 'circles of time').split(': ');
  const cycle = lines(`${unit}s`);
  const from = choices.integer(0, cycle.length - 1);
  const distance = choices.integer(1, Number(most));
  const [word = '', way] = pickForm(choices, 'ways through time').split(': ');
  const at = (count: number): string => cycle.at((from + Number(way) * count) % cycle.length) ?? '';
  const steps = Array.from(
    { length: distance },
    (_, count) => `${count + 1} ${word} ${at(0)}: ${at(count + 1)}`,
  );
  const slots = { unit, word, from: at(0), distance, day: at(distance) };
  return { ...exchangeOf(choices, 'day riddles', slots, manner), steps };
}
