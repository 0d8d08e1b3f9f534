import type { Choices } from '../text/choices.ts';
import { lines, pairs } from '../text/data.ts';
import { draw } from '../text/forms.ts';
import { ask, type Exchange, type Intent, questionsOf } from '../text/wording.ts';

const numberWords = lines('numbers up to nineteen');
const alphabet = lines('alphabet');
const categories = pairs('categories').map(([kind, examples]) => [kind, examples.split(', ')] as const);
const irregularSingulars = new Map(pairs('irregular singulars'));

/** "1. apple\n2. pear". */
function numbered(items: readonly string[]): string {
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
  const most = choices.chance(0.85) ? Math.min(6, examples.length) : examples.length;
  const count = choices.integer(1, most);
  return {
    questions: questionsOf('thing list questions'),
    slots: { amount: amountOf(choices, count, plural) },
    answer: numbered(examples.slice(0, count)),
  };
}

/** "three fruits", "3 different fruits", "a fruit", "a couple of fruits". */
function amountOf(choices: Choices, count: number, plural: string): string {
  const kind = count === 1 ? singular(plural) : plural;
  const exact = choices.chance(0.5) ? `${count}` : (numberWords[count] ?? '');
  if (count === 1 && choices.chance(0.5)) return `${/^[aeio]/i.test(kind) ? 'an' : 'a'} ${kind}`;
  if (count === 1) {
    const example = `an example of a ${kind}`.replace(/ a ([aeio])/i, ' an $1');
    return draw(choices, 'amounts of one', { exact, kind, example });
  }
  if (count === 2 && choices.chance(0.15)) return `a couple of ${kind}`;
  if (count === 3 && choices.chance(0.25)) return `${choices.pick(['some', 'a few', 'several'])} ${kind}`;
  return draw(choices, 'amounts', { exact, kind });
}

function counting(choices: Choices): Intent {
  const first = choices.chance(0.35)
    ? 1
    : choices.chance(0.85)
      ? choices.integer(0, 40)
      : choices.integer(41, 120);
  const last = first + choices.integer(2, choices.chance(0.85) ? 9 : 14);
  const up = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const isUp = choices.chance(0.6);
  const upwards = ['counting questions', ...(first === 1 ? ['counting from one questions'] : [])];
  return {
    questions: (isUp ? upwards : ['counting down questions']).flatMap(questionsOf),
    slots: { first, second: first + 1, last },
    answer: (isUp ? up : up.reverse()).join(', '),
  };
}

function letters(choices: Choices): Intent {
  const length = choices.integer(3, 8);
  const start = choices.chance(0.4) ? 0 : choices.integer(0, alphabet.length - length);
  const part = alphabet.slice(start, start + length);
  const number = choices.chance(0.5) ? `${length}` : (numberWords[length] ?? '');
  const sections = [
    'letter list questions',
    ...(start === 0 ? ['first letters questions'] : []),
    ...(start + length === alphabet.length ? ['last letters questions'] : []),
  ];
  return {
    questions: sections.flatMap(questionsOf),
    slots: { from: part[0] ?? '', to: part.at(-1) ?? '', number },
    answer: part.join(', '),
  };
}

function wholeSeries(choices: Choices): Intent {
  const [name, items] = choices.pick(pairs('series'));
  return {
    questions: questionsOf('series questions'),
    slots: { name, all: name.replace('the ', '') },
    answer: items,
  };
}

const namesOfSteps = new Map(pairs('names of steps'));

function steps(choices: Choices): Intent {
  const step = Number(draw(choices, 'steps'));
  const count = choices.integer(3, 10);
  const multiples = Array.from({ length: count }, (_, index) => (index + 1) * step);
  const sections = ['step questions', ...(step === 2 ? ['even number questions'] : [])];
  return {
    questions: sections.flatMap(questionsOf),
    slots: {
      step,
      last: step * count,
      steps: namesOfSteps.get(`${step}`) ?? '',
      'step in words': numberWords[step] ?? '',
    },
    answer: multiples.join(', '),
  };
}

function singular(plural: string): string {
  return irregularSingulars.get(plural) ?? plural.replace(/s$/, '');
}
