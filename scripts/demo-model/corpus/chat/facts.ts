import type { Choices } from '../text/choices.ts';
import { lines, pairs, rows } from '../text/data.ts';
import { fill, type Slots } from '../text/forms.ts';
import { ask, type Exchange, type Intent, intentOf } from '../text/wording.ts';
import { animalSlots, placeSlots, withArticle, withRightArticle } from './fact-slots.ts';

const countries = rows('countries').map(([place = '', capital = '', continent = '']) =>
  placeSlots(place, { capital, continent, city: capital }),
);
const opposites = pairs('opposites');
const oppositePairs = [
  ...opposites,
  ...opposites.map(([one, other]) => [other, one] as const),
  ...pairs('loose opposites'),
];

const animals: Intent[] = [
  ...pairs('animal sounds').map(([animal, sound]) => ofAnimal('sound questions', animal, { sound })),
  ...pairs('animal young').map(([animal, young]) =>
    ofAnimal('young questions', animal, { young: withArticle(young) }),
  ),
  ...pairs('legs').map(([animal, count]) =>
    ofAnimal('leg questions', animal, { count: count === '0' ? 'no' : count }),
  ),
];

function ofAnimal(section: string, animal: string, others: Slots): Intent {
  const { questions, slots = {}, answer } = intentOf(section, animalSlots(animal, others));
  const filled = questions.map((question) => fill(question, slots));
  return { questions: withRightArticle(animal, filled), answer };
}

const ordinals = lines('ordinals');
const planets = lines('planets').flatMap((planet, index) => [
  intentOf('planet order questions', { planet, ordinal: ordinals[index] ?? '', number: index + 1 }),
  intentOf('planet questions', { planet }),
]);

const sides = pairs('sides').map(([shape, count]): Intent => {
  const {
    questions,
    slots = {},
    answer,
  } = intentOf('side questions', {
    shape,
    count,
    'a shape': withArticle(shape),
  });
  const filled = questions.map((question) => fill(question, slots));
  const isAn = /^[aeio]/u.test(shape);
  return {
    questions: isAn ? filled.map((each) => each.replaceAll(` a ${shape}`, ` an ${shape}`)) : filled,
    answer,
  };
});

function inOrder(kind: string, names: readonly string[]): Intent[] {
  return names.flatMap((name, index) => [
    intentOf('next questions', { kind, name, next: names[(index + 1) % names.length] ?? '' }),
    intentOf('previous questions', { kind, name, previous: names.at(index - 1) ?? '' }),
  ]);
}

const otherWords = new Map(pairs('other words for superlatives'));
const superlatives = pairs('superlatives').map(([most, name]): Intent => {
  const [kind = '', ...rest] = most.split(' ');
  return intentOf('superlative questions', {
    kind,
    most: otherWords.get(kind) ?? kind,
    noun: rest.join(' '),
    name,
  });
});

/** What is asked for, by relation, and how often. */
const relations: readonly (readonly [readonly Intent[], number])[] = [
  [countries.map((slots) => intentOf('capital questions', slots)), 20],
  [countries.map((slots) => intentOf('country questions', slots)), 12],
  [countries.map((slots) => intentOf('continent questions', slots)), 13],
  [oppositePairs.map(([word, opposite]) => intentOf('opposite questions', { word, opposite })), 17],
  [animals, 9],
  [
    pairs('chemical symbols').flatMap(([substance, symbol]) =>
      ['symbol questions', 'element questions'].map((section) => intentOf(section, { substance, symbol })),
    ),
    8,
  ],
  [[...planets, ...sides], 5],
  [
    rows('units').map(([part = '', whole = '', count = '']) =>
      intentOf('unit questions', { part, whole, count, bare: withoutArticle(whole) }),
    ),
    6,
  ],
  [inOrder('day', lines('days')), 3],
  [inOrder('month', lines('months')), 3],
  [inOrder('letter', lines('alphabet')).filter(({ answer }) => !/after Z|before A/u.test(answer)), 3],
  [
    rows('usual colours').map(([thing = '', colour = '', be = '']) => {
      const [does, has] = be === 'is' ? ['does', 'has'] : ['do', 'have'];
      return intentOf('colour questions', { thing, colour, be, does, has });
    }),
    5,
  ],
  [superlatives, 9],
  [
    pairs('definitions').map(([thing, meaning]) =>
      intentOf('meaning questions', { thing, meaning, bare: withoutArticle(thing) }),
    ),
    7,
  ],
  [pairs('famous people').map(([name, role]) => intentOf('person questions', { name, role })), 3],
  [pairs('trivia').map(([question, answer]) => intentOf('trivia questions', { question, answer })), 8],
];

function withoutArticle(thing: string): string {
  return thing.replace(/^an? /u, '');
}

/** A question about something simple and settled. */
export function writeFactsExchange(choices: Choices): Exchange {
  return ask(choices, choices.pick(choices.weighted(relations)));
}
