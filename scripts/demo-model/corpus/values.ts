import type { Choices } from './choices.ts';
import {
  adjectives,
  animals,
  cities,
  colours,
  countries,
  foods,
  jobs,
  nouns,
  people,
  products,
  surnames,
  taskVerbs,
} from './data/name-pools.ts';
import { words } from './data/rows.ts';
import { days, months } from './data/measures.ts';
import { capitalize } from './wording.ts';

export type Value = string | number | boolean;

const onsets = words('b bl br c ch d dr f fl g gr h j k kl l m n p pl pr qu r s sh sk st t tr v w y z');
const vowels = words('a e i o u a e i o ai ea ee oo ou');
const codas = ['', '', '', 'n', 'r', 'l', 's', 'm', 't', 'x', 'ck', 'nd', 'rt', 'p'];

/** A made-up lower-case word of one to three syllables. */
export function writeNonsenseWord(choices: Choices): string {
  const syllables = choices.weighted([
    [1, 2],
    [2, 6],
    [3, 2],
  ]);
  let word = '';
  for (let index = 0; index < syllables; index++) {
    word +=
      choices.pick(onsets) + choices.pick(vowels) + (index === syllables - 1 ? choices.pick(codas) : '');
  }
  return word.length < 3 ? `${word}${choices.pick(onsets)}o` : word;
}

const letters = words('A B C D E F G H J K L M N P Q R S T U V W X Y Z');
const digits = (choices: Choices, count: number): string =>
  Array.from({ length: count }, () => choices.integer(0, 9)).join('');
const capitals = (choices: Choices, count: number): string =>
  Array.from({ length: count }, () => choices.pick(letters)).join('');
const twoDigits = (number: number): string => String(number).padStart(2, '0');

const realOrMadeUp = (choices: Choices, real: readonly string[], share: number): string =>
  choices.chance(share) ? choices.pick(real) : capitalize(writeNonsenseWord(choices));

const currencies = words(
  'euros dollars pounds yen francs rubles pesos crowns rupees EUR USD GBP JPY CHF SEK NOK PLN',
);
const units = words('km m cm kg g C F % euros dollars minutes hours days points litres');
const madeUpNoun = (choices: Choices): string =>
  choices.chance(0.75) ? choices.pick(nouns) : writeNonsenseWord(choices);

/** How a value of each kind is drawn. */
const writers = {
  city: (choices) => realOrMadeUp(choices, cities, 0.6),
  country: (choices) => realOrMadeUp(choices, countries, 0.75),
  person: (choices) => realOrMadeUp(choices, people, 0.6),
  fullName: (choices) => `${realOrMadeUp(choices, people, 0.7)} ${realOrMadeUp(choices, surnames, 0.6)}`,
  email: (choices) =>
    `${realOrMadeUp(choices, people, 0.6).toLowerCase()}@${madeUpNoun(choices)}.${choices.pick(['org', 'com', 'net'])}`,
  phrase: (choices) =>
    choices.weighted([
      [() => `${choices.pick(taskVerbs)} ${madeUpNoun(choices)}`, 3],
      [() => `${choices.pick(taskVerbs)} the ${madeUpNoun(choices)}`, 3],
      [() => `${choices.pick(adjectives)} ${madeUpNoun(choices)}`, 3],
      [() => madeUpNoun(choices), 2],
      [() => `${choices.pick(taskVerbs)} the ${choices.pick(adjectives)} ${madeUpNoun(choices)}`, 1],
      [() => `${choices.pick(taskVerbs)} ${choices.pick(foods)} and ${choices.pick(foods)}`, 1],
    ])(),
  title: (choices) =>
    choices.weighted([
      [() => `The ${capitalize(choices.pick(adjectives))} ${capitalize(madeUpNoun(choices))}`, 3],
      [() => `${capitalize(choices.pick(adjectives))} ${capitalize(madeUpNoun(choices))}`, 3],
      [() => capitalize(madeUpNoun(choices)), 2],
      [() => `${capitalize(madeUpNoun(choices))} of ${capitalize(madeUpNoun(choices))}`, 2],
    ])(),
  code: (choices) =>
    choices.weighted([
      [() => `${capitals(choices, 2)}-${digits(choices, 4)}`, 4],
      [() => `${capitals(choices, 3)}${digits(choices, 3)}`, 2],
      [() => `${capitals(choices, 1)}${digits(choices, choices.integer(2, 4))}`, 2],
      [() => `${capitals(choices, 1)}-${digits(choices, 3)}`, 1],
    ])(),
  time: (choices) =>
    choices.chance(0.85)
      ? `${choices.integer(0, 23)}:${twoDigits(choices.integer(0, 59))}`
      : `${choices.integer(1, 12)} ${choices.pick(['am', 'pm'])}`,
  date: (choices) =>
    choices.chance(0.5)
      ? `${choices.integer(1990, 2039)}-${twoDigits(choices.integer(1, 12))}-${twoDigits(choices.integer(1, 28))}`
      : `${choices.pick(months)} ${choices.integer(1, 28)}`,
  weekday: (choices) => choices.pick(days),
  product: (choices) => (choices.chance(0.75) ? choices.pick(products) : writeNonsenseWord(choices)),
  food: (choices) => (choices.chance(0.8) ? choices.pick(foods) : writeNonsenseWord(choices)),
  word: (choices) => madeUpNoun(choices),
  currency: (choices) => choices.pick(currencies),
  file: (choices) => `${madeUpNoun(choices)}.${choices.pick(['txt', 'md', 'json', 'csv', 'log', 'py'])}`,
  job: (choices) => choices.pick(jobs),
  colour: (choices) => choices.pick(colours),
  animal: (choices) => (choices.chance(0.85) ? choices.pick(animals) : writeNonsenseWord(choices)),
  phone: (choices) =>
    choices.chance(0.5)
      ? `${digits(choices, 3)}-${digits(choices, 4)}`
      : digits(choices, 6).replace(/^0/u, '5'),
  digit: (choices) => choices.integer(1, 9),
  small: (choices) => choices.integer(2, 99),
  hundreds: (choices) => choices.integer(100, 999),
  count: (choices) =>
    choices.weighted([
      [() => choices.integer(1, 9), 3],
      [() => choices.integer(10, 99), 5],
      [() => choices.integer(100, 999), 2],
      [() => choices.integer(1000, 9999), 1],
    ])(),
  age: (choices) => choices.integer(3, 99),
  year: (choices) => choices.integer(1800, 2039),
  decimal: (choices) =>
    choices.chance(0.7)
      ? Number(`${choices.integer(0, 99)}.${choices.integer(1, 9)}`)
      : Number(`${choices.integer(0, 99)}.${choices.integer(0, 9)}${choices.integer(1, 9)}`),
  signed: (choices) => -choices.integer(1, 60),
  measure: (choices) => `${choices.integer(1, 200)} ${choices.pick(units)}`,
  numeric: (choices) =>
    choices.chance(0.5)
      ? choices.integer(1, 500)
      : Number(`${choices.integer(0, 99)}.${choices.integer(1, 9)}`),
  soon: (choices) => choices.pick(['today', 'tomorrow', 'tonight', 'now', 'soon']),
  flag: (choices) => choices.chance(0.5),
} satisfies Record<string, (choices: Choices) => Value>;

export type ValueKind = keyof typeof writers;

/** A value of this kind out of a pool too large to learn by heart, so that copying is what is learned. */
export function writeValue(choices: Choices, kind: ValueKind): Value {
  return writers[kind](choices);
}

/** The JSON schema type of the values of this kind. */
export function typeOfKind(kind: ValueKind): 'string' | 'integer' | 'number' | 'boolean' {
  if (kind === 'flag') return 'boolean';
  if (kind === 'decimal' || kind === 'numeric') return 'number';
  return integerKinds.has(kind) ? 'integer' : 'string';
}

const integerKinds: ReadonlySet<ValueKind> = new Set([
  'digit',
  'small',
  'hundreds',
  'count',
  'age',
  'year',
  'signed',
]);
