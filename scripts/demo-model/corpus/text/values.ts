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
} from '../data/name-pools.ts';
import { words } from '../data/rows.ts';
import { days, months } from '../data/measures.ts';
import { companyEnds, errandVerbs, qualities, spots, streetKinds, things } from '../data/more-names.ts';
import { plural } from './inflect.ts';
import { capitalize } from './wording.ts';

export type Value = string | number | boolean;

const onsets = words(
  'b bl br c ch d dr f fl g gr h j k kl l m n p pl pr qu r s sh sk st t tr v w y z cr gl kn ph sl sm sn sp str th tw zh',
);
const vowels = words('a e i o u a e i o u a e i o ai ea ee oo ou au ei ia io oa ui y');
const codas = ['', '', '', '', '', ...words('n r l s m t x ck nd rt p b d g k ll ng ss lm st rn sk ft mp')];

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
  choices.weighted([
    [() => choices.pick(nouns), 3],
    [() => choices.pick(things), 4],
    [() => writeNonsenseWord(choices), 3],
  ])();
const anyVerb = (choices: Choices): string => choices.pick(choices.pick([taskVerbs, errandVerbs]));
const anyAdjective = (choices: Choices): string => choices.pick(choices.pick([adjectives, qualities]));
const rareName = (choices: Choices): string => capitalize(writeNonsenseWord(choices));
const lowerSerial = 'abcdefghijkmnpqrstuvwxyz23456789';
const mixed = (choices: Choices, count: number): string =>
  Array.from({ length: count }, () => lowerSerial[choices.integer(0, lowerSerial.length - 1)]).join('');
/** The text with each `X` a capital letter and each `9` a digit. */
const pattern = (choices: Choices, text: string): string =>
  text.replaceAll(/[X9]/gu, (mark) => (mark === 'X' ? capitals(choices, 1) : digits(choices, 1)));
const codePatterns = words(
  'XX-9999 XX-9999 XXX999 XXX999 X99 X999 X-999 9X 99X X9 X9-X9 XX99X 9999-XX 999/99 XXX-99-99 XX9-999 X9999X 99-999 XX.99 XXXX9 9X9X9X XX_999 99XX99 XX-X-999 999-XXX XX-99999 9999999 X99.9',
);
/** A few words that somebody may put in quotes. */
const sentenceForms = [
  (choices: Choices) => `${anyVerb(choices)} the ${anyAdjective(choices)} ${madeUpNoun(choices)}`,
  (choices: Choices) => `${anyVerb(choices)} ${choices.pick(people)} at ${choices.integer(1, 12)}`,
  (choices: Choices) => `the ${madeUpNoun(choices)} is ${anyAdjective(choices)}`,
  (choices: Choices) => `${anyAdjective(choices)} ${madeUpNoun(choices)} and ${madeUpNoun(choices)}`,
  (choices: Choices) => `${madeUpNoun(choices)} for ${rareName(choices)}`,
  (choices: Choices) => `see you ${choices.pick(['at', 'near', 'behind'])} the ${madeUpNoun(choices)}`,
  (choices: Choices) => `no ${madeUpNoun(choices)} on ${choices.pick(days)}`,
  (choices: Choices) =>
    `I ${choices.pick(['love', 'need', 'lost', 'found', 'saw', 'want'])} my ${madeUpNoun(choices)}`,
  (choices: Choices) =>
    `${capitalize(anyAdjective(choices))} ${madeUpNoun(choices)} from ${rareName(choices)}`,
  (choices: Choices) =>
    `we are ${choices.pick(['late', 'home', 'ready', 'closed', 'full', 'moving', 'here'])}`,
  (choices: Choices) =>
    `happy ${choices.pick(['birthday', 'new year', 'holidays', 'anniversary'])} ${choices.pick(people)}`,
  (choices: Choices) =>
    `${anyVerb(choices)} ${madeUpNoun(choices)}, ${anyVerb(choices)} ${madeUpNoun(choices)}`,
  (choices: Choices) => `where is the ${madeUpNoun(choices)}?`,
  (choices: Choices) =>
    `${choices.integer(2, 40)} ${plural(madeUpNoun(choices))} for the ${madeUpNoun(choices)}`,
];

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
      [() => `${anyVerb(choices)} ${madeUpNoun(choices)}`, 3],
      [() => `${anyVerb(choices)} the ${madeUpNoun(choices)}`, 3],
      [() => `${anyAdjective(choices)} ${madeUpNoun(choices)}`, 3],
      [() => madeUpNoun(choices), 2],
      [() => choices.pick(sentenceForms)(choices), 3],
      [() => `${choices.pick(taskVerbs)} ${choices.pick(foods)} and ${choices.pick(foods)}`, 1],
    ])(),
  title: (choices) =>
    choices.weighted([
      [() => `The ${capitalize(anyAdjective(choices))} ${capitalize(madeUpNoun(choices))}`, 3],
      [() => `${capitalize(anyAdjective(choices))} ${capitalize(madeUpNoun(choices))}`, 3],
      [() => capitalize(madeUpNoun(choices)), 2],
      [() => `${capitalize(madeUpNoun(choices))} of ${capitalize(madeUpNoun(choices))}`, 2],
      [
        () =>
          `${capitalize(madeUpNoun(choices))} ${choices.pick(['in', 'for', 'on', 'under'])} the ${capitalize(madeUpNoun(choices))}`,
        1,
      ],
      [() => `${capitalize(madeUpNoun(choices))} and ${capitalize(madeUpNoun(choices))}`, 1],
      [() => `${rareName(choices)} ${choices.integer(1, 99)}`, 1],
    ])(),
  code: (choices) =>
    choices.chance(0.9)
      ? pattern(choices, choices.pick(codePatterns))
      : mixed(choices, choices.integer(4, 7)),
  /** A code in small letters, as hosts, branches and devices have. */
  serial: (choices) =>
    choices.weighted([
      [() => `${madeUpNoun(choices)}-${choices.integer(1, 99)}`, 4],
      [() => `${madeUpNoun(choices)}${choices.integer(1, 20)}`, 2],
      [() => mixed(choices, choices.integer(4, 7)), 2],
      [() => `${madeUpNoun(choices)}_${madeUpNoun(choices)}`, 2],
      [() => `${madeUpNoun(choices)}/${madeUpNoun(choices)}`, 1],
      [() => `${madeUpNoun(choices)}.${choices.pick(words('local net org dev lan'))}`, 2],
    ])(),
  version: (choices) =>
    `${choices.pick(['', '', 'v'])}${choices.integer(0, 12)}.${choices.integer(0, 20)}${choices.chance(0.4) ? `.${choices.integer(0, 9)}` : ''}`,
  rareName,
  nickname: (choices) =>
    choices.weighted([
      [() => rareName(choices), 4],
      [() => capitalize(choices.pick(things)), 3],
      [() => choices.pick(people), 2],
      [() => `${capitalize(anyAdjective(choices))}${capitalize(choices.pick(things))}`, 1],
      [() => `${writeNonsenseWord(choices)}${choices.integer(1, 99)}`, 1],
      [() => `${capitalize(anyAdjective(choices))} ${rareName(choices)}`, 2],
    ])(),
  place: (choices) =>
    choices.weighted([
      [() => realOrMadeUp(choices, cities, 0.5), 4],
      [
        () =>
          `${choices.pick(spots)} ${choices.chance(0.5) ? choices.integer(1, 99) : choices.pick(letters)}`,
        3,
      ],
      [() => `${capitalize(madeUpNoun(choices))} ${choices.pick(spots)}`, 3],
      [() => `${capitalize(anyAdjective(choices))} ${capitalize(madeUpNoun(choices))}`, 2],
      [
        () =>
          `${choices.pick(['Port', 'Lake', 'Mount', 'Fort', 'New', 'Old', 'Saint', 'North', 'West'])} ${rareName(choices)}`,
        2,
      ],
    ])(),
  street: (choices) => {
    const name = choices.chance(0.5) ? capitalize(madeUpNoun(choices)) : rareName(choices);
    const street = `${name} ${choices.pick(streetKinds)}`;
    return choices.weighted([
      [street, 4],
      [`${street} ${choices.integer(1, 200)}`, 3],
      [`${choices.integer(1, 200)} ${street}`, 3],
    ]);
  },
  company: (choices) =>
    choices.chance(0.4)
      ? rareName(choices)
      : `${choices.chance(0.5) ? capitalize(madeUpNoun(choices)) : rareName(choices)} ${choices.pick(companyEnds)}`,
  /** Any thing, at times with a quality. */
  thing: (choices) =>
    choices.weighted([
      [() => madeUpNoun(choices), 5],
      [() => `${anyAdjective(choices)} ${madeUpNoun(choices)}`, 3],
      [() => `${choices.pick(things)} ${choices.pick(nouns)}`, 2],
    ])(),
  /** Goods that come in numbers or litres. */
  goods: (choices) =>
    choices.weighted([
      [() => choices.pick(foods), 3],
      [() => `${anyAdjective(choices)} ${plural(choices.pick(things))}`, 3],
      [
        () =>
          `${choices.pick(things)} ${choices.pick(words('oil juice powder bars sheets paint seeds boxes paste wax sticks soup glue'))}`,
        4,
      ],
      [() => writeNonsenseWord(choices), 3],
    ])(),
  sentence: (choices) => choices.pick(sentenceForms)(choices),
  subject: (choices) =>
    choices.chance(0.5)
      ? choices.pick(
          words(
            'algebra history biology physics chemistry French Latin geography music drawing grammar poetry economics law astronomy botany geometry ethics philosophy robotics pottery chess logic statistics',
          ),
        )
      : `${choices.pick(things)} ${choices.pick(nouns)}`,
  square: (choices) => `${choices.pick(words('a b c d e f g h'))}${choices.integer(1, 8)}`,
  month: (choices) => choices.pick(months),
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
  /** Of one to nine digits. */
  large: (choices) => Number(`${choices.integer(1, 9)}${digits(choices, choices.integer(0, 8))}`),
  precise: (choices) =>
    Number(`${choices.integer(0, 9999)}.${digits(choices, choices.integer(1, 4))}${choices.integer(1, 9)}`),
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

export function isValueKind(kind: string): kind is ValueKind {
  return kind in writers;
}

/** A value of this kind out of a pool too large to learn by heart, so that copying is what is learned. */
export function writeValue(choices: Choices, kind: ValueKind): Value {
  return writers[kind](choices);
}

/** The JSON schema type of the values of this kind. */
export function typeOfKind(kind: ValueKind): 'string' | 'integer' | 'number' | 'boolean' {
  if (kind === 'flag') return 'boolean';
  if (kind === 'decimal' || kind === 'numeric' || kind === 'precise') return 'number';
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
  'large',
]);
