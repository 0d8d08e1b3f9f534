import type { Choices } from '../text/choices.ts';
import { hasSection, lines, pairs } from '../text/data.ts';
import { ask, drawIntent, type Exchange, type Intent } from '../text/exchanges.ts';
import { draw, drawCount, drawFrom } from '../text/forms.ts';

const alphabet = lines('alphabet');
const categories = pairs('categories').map(([kind, examples]) => [kind, examples.split(', ')] as const);

const kinds = { things, counting, letters, wholeSeries, steps };

/** Counting, parts of the alphabet, whole series, and a number of things of a kind. */
export function writeListsExchange(choices: Choices): Exchange {
  return ask(choices, drawFrom(choices, 'kinds of lists', kinds)(choices));
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

function things(choices: Choices): Intent {
  const [kind, examples] = choices.pick(categories);
  const most = choices.chance(0.85) ? Math.min(6, examples.length) : examples.length;
  const count = choices.integer(1, most);
  const items = examples.slice(0, count).map((item, index) => `${index + 1}. ${item}`);
  const section = hasSection(`amount of ${count}`) ? `amount of ${count}` : 'amount';
  return drawIntent(choices, 'thing list questions', {
    amount: draw(choices, section, { count, kind }),
    answer: items.join('\n'),
  });
}

function counting(choices: Choices): Intent {
  const first = drawCount(choices, 'start of counting');
  const last = first + drawCount(choices, 'numbers to count on');
  const isUp = choices.chance(0.6);
  const counted = range(first, last);
  const answer = (isUp ? counted : counted.toReversed()).join(', ');
  const slots = { first, second: first + 1, last, answer };
  return drawIntent(choices, isUp ? 'counting questions' : 'counting down questions', slots);
}

function letters(choices: Choices): Intent {
  const count = choices.integer(3, 8);
  const start = choices.chance(0.4) ? 0 : choices.integer(0, alphabet.length - count);
  const part = alphabet.slice(start, start + count);
  const number = draw(choices, 'exact number', { count });
  const slots = { from: part[0] ?? '', to: part.at(-1) ?? '', number, answer: part.join(', ') };
  return drawIntent(choices, 'letter list questions', slots);
}

function wholeSeries(choices: Choices): Intent {
  const [name, answer] = choices.pick(pairs('series'));
  return drawIntent(choices, 'series questions', { name, all: name.replace('the ', ''), answer });
}

function steps(choices: Choices): Intent {
  const step = drawCount(choices, 'steps');
  const count = choices.integer(3, 10);
  const counted = range(1, count).map((times) => times * step);
  return drawIntent(choices, 'step questions', { step, last: step * count, answer: counted.join(', ') });
}
