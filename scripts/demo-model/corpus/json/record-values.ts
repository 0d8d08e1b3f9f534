import type { Choices } from '../text/choices.ts';
import { months } from '../data/measures.ts';
import { adjectives, cities, foods, nouns, products, taskVerbs } from '../data/name-pools.ts';
import { words } from '../data/rows.ts';
import {
  writeCompany,
  writeFamilyName,
  writeFullName,
  writeGivenName,
  writePlace,
  writeProduct,
  writeTitle,
} from '../text/proper-names.ts';
import { type Value, type ValueKind, writeNonsenseWord, writeValue } from '../text/values.ts';

const hobbies = words(
  'chess tennis yoga knitting rowing football judo climbing surfing pottery archery poetry photography golf cooking ' +
    'gardening painting swimming reading hiking dancing singing fishing running cycling skating karate juggling origami',
);
const languages = words(
  'English French German Spanish Italian Dutch Polish Greek Turkish Arabic Hindi Japanese Korean Swedish Danish Finnish ' +
    'Norwegian Czech Hungarian Russian Portuguese Latin Swahili Hebrew Thai Urdu Irish Welsh',
);
const plants = words(
  'rose tulip fern cactus oak birch maple basil mint lavender orchid ivy bamboo sunflower lily daisy thyme sage aloe ' +
    'palm hibiscus jasmine begonia magnolia poppy',
);
const genres = words(
  'comedy drama thriller western fantasy horror romance mystery biography satire musical documentary adventure crime',
);
const breeds = words(
  'poodle beagle collie terrier husky tabby siamese dachshund spaniel mastiff whippet boxer pony mule kitten puppy',
);
const states = words(
  'new open done lost sent late early closed ready broken urgent pending cancelled delivered',
);

const materials = words(
  'wood steel glass leather plastic cotton wool paper silver copper bamboo stone clay silk',
);
const rooms = words(
  'kitchen cellar garage attic office bathroom garden hall bedroom greenhouse workshop lab stable',
);
const goods = [
  ...foods.filter((food) => food.endsWith('s')),
  ...products.filter((product) => !/(?:s|f|fe|sh|phones)$/u.test(product)).map((product) => `${product}s`),
];

/** How a value in a record is drawn, where that is wider than it is for tools. */
const recordWriters = {
  person: writeGivenName,
  fullName: writeFullName,
  surname: writeFamilyName,
  city: (choices) => (choices.chance(0.3) ? choices.pick(cities) : writePlace(choices)),
  product: writeProduct,
  title: writeTitle,
  company: writeCompany,
  hobby: (choices) => choices.pick(hobbies),
  tongue: (choices) => choices.pick(languages),
  plant: (choices) => (choices.chance(0.85) ? choices.pick(plants) : writeNonsenseWord(choices)),
  genre: (choices) => choices.pick(genres),
  breed: (choices) => (choices.chance(0.8) ? choices.pick(breeds) : writeNonsenseWord(choices)),
  status: (choices) => choices.pick(states),
  task: (choices) => {
    const thing = choices.chance(0.3)
      ? `${choices.pick(adjectives)} ${choices.pick(nouns)}`
      : choices.pick(nouns);
    return `${choices.pick(taskVerbs)} ${choices.pick(['the', 'a', 'my', 'our'])} ${thing}`.replace(
      / a (?=[aeio])/u,
      ' an ',
    );
  },
  material: (choices) => choices.pick(materials),
  month: (choices) => choices.pick(months),
  room: (choices) => `the ${choices.pick(rooms)}`,
  goods: (choices) => choices.pick(goods),
  seedlings: (choices) => `${choices.pick(plants.filter((plant) => /[^simyo]$/u.test(plant)))}s`,
  dish: (choices) =>
    choices.weighted([
      [() => `${choices.pick(foods)} with ${choices.pick(foods)}`, 3],
      [() => `${choices.pick(nouns)} soup`, 1],
      [() => `${choices.pick(nouns)} ${choices.pick(['cake', 'pie', 'salad', 'bread', 'stew', 'curry'])}`, 4],
      [() => choices.pick(foods), 3],
    ])(),
  price: (choices) =>
    choices.weighted([
      [() => choices.integer(1, 999), 4],
      [() => Number(`${choices.integer(0, 999)}.${choices.integer(0, 9)}${choices.integer(1, 9)}`), 5],
      [() => Number(`${choices.integer(0, 99)}.${choices.integer(1, 9)}`), 3],
      [() => choices.integer(1000, 99999), 1],
    ])(),
  large: (choices) =>
    choices.weighted([
      [() => choices.integer(100, 9999), 4],
      [() => choices.integer(10, 999) * 1000, 2],
      [() => choices.integer(10000, 9999999), 3],
    ])(),
  amount: (choices) =>
    choices.chance(0.5)
      ? choices.integer(1, 300)
      : Number(`${choices.integer(0, 99)}.${choices.integer(1, 9)}`),
  percent: (choices) => choices.integer(1, 100),
  degrees: (choices) => choices.integer(-20, 45),
  stars: (choices) =>
    choices.chance(0.5) ? choices.integer(1, 5) : Number(`${choices.integer(1, 9)}.${choices.integer(1, 9)}`),
  street: (choices) =>
    `${choices.integer(1, 199)} ${choices.chance(0.5) ? writeFamilyName(choices) : choices.pick(cities)} ${choices.pick(['Street', 'Road', 'Lane', 'Avenue'])}`,
} satisfies Record<string, (choices: Choices) => Value>;

export type RecordKind = keyof typeof recordWriters | ValueKind;

/** A value of this kind for a record: names, titles and products are drawn as widely as people have them. */
export function writeRecordValue(choices: Choices, kind: RecordKind): Value {
  return isOwnKind(kind) ? recordWriters[kind](choices) : writeValue(choices, kind);
}

export function isRecordKind(kind: string): kind is keyof typeof recordWriters {
  return kind in recordWriters;
}

function isOwnKind(kind: RecordKind): kind is keyof typeof recordWriters {
  return kind in recordWriters;
}
