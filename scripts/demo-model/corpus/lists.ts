import type { Choices } from './choices.ts';
import { categories } from './data/categories.ts';
import { alphabet, days, months, planets } from './data/measures.ts';
import { ask, type Exchange, type Intent } from './wording.ts';

const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];

/** "1. apple\n2. pear". */
export function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${item}`).join('\n');
}

/** Counting, parts of the alphabet, whole series, and so many things of a kind. */
export function writeListsExchange(choices: Choices): Exchange {
  const write = choices.weighted([
    [things, 45],
    [counting, 30],
    [letters, 13],
    [wholeSeries, 6],
    [steps, 6],
  ]);
  return ask(choices, write(choices));
}

function things(choices: Choices): Intent {
  const [plural, examples] = choices.pick(categories);
  const count = choices.integer(1, examples.length);
  const kind = count === 1 ? singular(plural) : plural;
  const number = choices.chance(0.5) ? `${count}` : (numberWords[count] ?? '');
  return {
    questions: [
      `(name|list|give me|tell me|write|say|write down) ${number} ${kind}.`,
      `(can you|could you|please|can you please) (name|list|give me|tell me) ${number} ${kind}?`,
      `(I need|I want|I would like) ${number} ${kind}.`,
      `(name|list|tell me) ${number} ${kind} (that you know|for me|you know).`,
      `(a list|list) of ${number} ${kind}.`,
      `(give me|write|make) a list of ${number} ${kind}.`,
      `(what are|which are|can I have|do you know) ${number} ${kind}?`,
      `${number} ${kind}, please.`,
    ],
    answer: numbered(examples.slice(0, count)),
  };
}

function counting(choices: Choices): Intent {
  const first = choices.chance(0.4) ? 1 : choices.integer(0, 40);
  const last = first + choices.integer(2, 9);
  const up = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (choices.chance(0.65))
    return {
      questions: [
        `count (from|up from) ${first} to ${last}.`,
        `(please|can you|could you|will you) count from ${first} (up to|to) ${last}?`,
        `(list|write|give me|say|show me) the numbers from ${first} (up to|to) ${last}.`,
        `(what|which) numbers (are there|come|go) from ${first} to ${last}?`,
        ...(first === 1 ? [`count (up|) to ${last}.`, `(can you|please) count to ${last}?`] : []),
      ],
      answer: up.join(', '),
    };
  return {
    questions: [
      `count (down|backwards|back) from ${last} to ${first}.`,
      `(please|can you|could you) count (down|backwards) from ${last} to ${first}?`,
      `(list|write|say) the numbers from ${last} (down|back) to ${first}.`,
      `(a countdown|countdown) from ${last} to ${first}.`,
    ],
    answer: up.reverse().join(', '),
  };
}

function letters(choices: Choices): Intent {
  const length = choices.integer(3, 8);
  const start = choices.chance(0.4) ? 0 : choices.integer(0, alphabet.length - length);
  const part = alphabet.slice(start, start + length);
  const [from, to] = [part[0] ?? '', part[part.length - 1] ?? ''];
  return {
    questions: [
      `(list|say|write|give me|tell me|name) the letters from ${from} to ${to}.`,
      `(say|write|recite) the alphabet from ${from} to ${to}.`,
      `(what|which) letters (are|come|are there) from ${from} to ${to}?`,
      ...(start === 0 ? [`(name|list|give me|what are) the first ${length} letters of the alphabet.`] : []),
    ],
    answer: part.join(', '),
  };
}

function wholeSeries(choices: Choices): Intent {
  const [name, items] = choices.pick([
    ['the days of the week', days],
    ['the months of the year', months],
    ['the planets of the solar system', planets],
    ['the letters of the alphabet', alphabet],
    ['the seasons', ['spring', 'summer', 'autumn', 'winter']],
  ] as const);
  return {
    questions: [
      `(list|name|say|write|give me|tell me) ${name}.`,
      `(list|name|tell me) (all|all of) ${name} (in order|).`,
      `(what|which) are ${name}?`,
      `(can you|could you|please) (list|name) ${name}?`,
    ],
    answer: items.join(', '),
  };
}

function steps(choices: Choices): Intent {
  const step = choices.pick([2, 5, 10]);
  const count = choices.integer(3, 10);
  const multiples = Array.from({ length: count }, (_, index) => (index + 1) * step);
  const last = step * count;
  const word = { 2: 'twos', 5: 'fives', 10: 'tens' }[step] ?? '';
  return {
    questions: [
      `count (by|in) (${word}|${step}s) (to|up to|from ${step} to) ${last}.`,
      `(please|can you) count (by|in) ${word} (to|up to) ${last}?`,
      ...(step === 2 ? [`(list|write|name|what are) the even numbers (from 2 to|up to) ${last}.`] : []),
    ],
    answer: multiples.join(', '),
  };
}

function singular(plural: string): string {
  const irregular: Readonly<Record<string, string>> = {
    cherries: 'cherry',
    countries: 'country',
    cities: 'city',
    clothes: 'piece of clothing',
    fish: 'fish',
  };
  return irregular[plural] ?? plural.replace(/s$/, '');
}
