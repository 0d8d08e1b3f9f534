import { askFor, askWhether } from '../text/asking.ts';
import type { Choices } from '../text/choices.ts';
import { countries } from '../data/geography.ts';
import { definitions, famousPeople, superlatives, trivia } from '../data/knowledge.ts';
import { alphabet, days, months, ordinals, planets, sides, units } from '../data/measures.ts';
import { animalSounds, animalYoung, chemicalSymbols, colours, legs } from '../data/nature.ts';
import { looseOpposites, opposites } from '../data/opposites.ts';
import { capitalQuestions, continentQuestions, countryQuestions, isPlural } from './place-questions.ts';
import {
  legQuestions,
  meaningQuestions,
  oppositeQuestions,
  personQuestions,
  soundQuestions,
  symbolQuestions,
  youngQuestions,
} from './thing-questions.ts';
import { ask, capitalize, type Exchange, type Intent } from '../text/wording.ts';

const capitals: Intent[] = countries.map(({ name, capital }) => ({
  questions: capitalQuestions(name),
  answer: `The capital of ${name} is ${capital}.`,
}));

const capitalsBack: Intent[] = countries.map(({ name, capital }) => ({
  questions: countryQuestions(capital),
  answer: `${capital} is the capital of ${name}.`,
}));

const continents: Intent[] = countries.map(({ name, continent }) => ({
  questions: continentQuestions(name),
  answer: `${capitalize(name)} ${isPlural(name) ? 'are' : 'is'} in ${continent}.`,
}));

const oppositeWords: Intent[] = [
  ...opposites,
  ...opposites.map(([one, other]) => [other, one] as const),
  ...looseOpposites,
].map(([word, opposite]) => ({
  questions: oppositeQuestions(word),
  answer: `The opposite of ${word} is ${opposite}.`,
}));

const irregularPlurals: Readonly<Record<string, string>> = {
  sheep: 'sheep',
  mouse: 'mice',
  goose: 'geese',
  wolf: 'wolves',
  fish: 'fish',
  fly: 'flies',
  deer: 'deer',
  fox: 'foxes',
  ostrich: 'ostriches',
  butterfly: 'butterflies',
};

const animals: Intent[] = [
  ...animalSounds.map(([animal, sound]) => ({
    questions: soundQuestions(animal, plural(animal)),
    answer: `${withArticle(animal)} ${sound}.`,
  })),
  ...animalYoung.map(([animal, young]) => ({
    questions: youngQuestions(animal, plural(animal)),
    answer: `A young ${animal} is called ${/^[aeio]/.test(young) ? 'an' : 'a'} ${young}.`,
  })),
  ...legs.map(([animal, count]) => ({
    questions: legQuestions(animal, plural(animal)),
    answer: `${withArticle(animal)} has ${count === '0' ? 'no' : count} legs.`,
  })),
];

const symbols: Intent[] = chemicalSymbols.flatMap(([substance, symbol]) => [
  {
    questions: symbolQuestions(substance),
    answer: `The chemical symbol of ${substance} is ${symbol}.`,
  },
  {
    questions: [
      `(which|what) (element|chemical element|substance) (has the symbol|has the chemical symbol|is written as|is abbreviated as|goes by the symbol|is behind the symbol|hides behind the symbol|carries the symbol|is shown as) ${symbol}?`,
      `what does the (chemical|element) symbol ${symbol} (mean|stand for)?`,
      `what does ${symbol} (mean|stand for) in (chemistry|the periodic table|a formula)?`,
      `${symbol} is the (chemical symbol|symbol) (of|for) (what|which element|which substance)?`,
      `in (chemistry|the periodic table), (what does|which element does) ${symbol} stand for?`,
      `for (which|what) (element|substance) does the symbol ${symbol} stand?`,
      ...askFor(`the element with the (symbol|chemical symbol) ${symbol}`),
      ...askWhether(`(what the symbol ${symbol} stands for|which element has the symbol ${symbol})`),
    ],
    answer: `${symbol} is the chemical symbol of ${substance}.`,
  },
]);

const shapesAndPlanets: Intent[] = [
  ...planets.flatMap((planet, index) => [
    {
      questions: [
        ...askFor(`the ${ordinals[index]} planet (|from the sun|of the solar system|counted from the sun)`),
        `(which|what) planet is the ${ordinals[index]} (one|from the sun|in the solar system|counted from the sun)?`,
        `(which|what) planet (comes|stands|is|circles the sun) (${ordinals[index]}|in ${ordinals[index]} place)?`,
        `counted from the sun, (which|what) planet is (the ${ordinals[index]}|number ${index + 1})?`,
        `(planet number ${index + 1}|${ordinals[index]} planet|number ${index + 1} of the planets)(?|: which one?)`,
      ],
      answer: `The ${ordinals[index]} planet from the sun is ${planet}.`,
    },
    {
      questions: [
        `is ${planet} a (planet|star|moon|planet or a star|moon or a planet)?`,
        `what (is ${planet}|kind of body is ${planet}|sort of thing is ${planet})?`,
        `(tell me about|what do you know about|do you know) (|the planet) ${planet}?`,
        `(${planet}: star or planet|${planet}, what is that|to what does ${planet} belong)?`,
      ],
      answer: `${planet} is a planet of the solar system.`,
    },
  ]),
  ...sides.map(([shape, count]) => ({
    questions: [
      `how many (sides|edges|corners) does a ${shape} have?`,
      `how many (sides|corners) (has|are there in|are in|do you count in|make) a ${shape}?`,
      `a ${shape} has how many (sides|corners|edges)?`,
      `(I draw|I am drawing|we draw) a ${shape}. How many (sides|corners) does it (have|need)?`,
      `(${shape}, sides|${shape} sides|${shape}: how many sides|${shape}, how many corners)?`,
      ...askFor(`the number of (sides|corners) (of|in) a ${shape}`),
      ...askWhether(`how many (sides|corners) a ${shape} has`),
    ].map((question) =>
      /^[aeio]/.test(shape) ? question.replaceAll(` a ${shape}`, ` an ${shape}`) : question,
    ),
    answer: `${withArticle(shape)} has ${count} sides.`,
  })),
];

const measures: Intent[] = units.map(([part = '', whole = '', count = '']) => ({
  questions: [
    `how many ${part} (are in|are there in|go into|make|make up|fit into|fit in|in|does it take to make|do I need for|are needed for) ${whole}?`,
    `how many ${part} does ${whole} (have|contain|hold|consist of|count|include)?`,
    `how many ${part} has ${whole} (|got)?`,
    `${whole} (has|is|has got|contains|makes|equals|consists of) how many ${part}?`,
    `(into how many ${part} is ${whole} divided|of how many ${part} is ${whole} made)?`,
    `(convert|turn|change) ${whole} (to|into) ${part}.`,
    `(${whole} in ${part}|${part} in ${whole}|${part} per ${whole.replace(/^an? /, '')}|${whole}: how many ${part})(?|)`,
    `(what is|what's|express|give me) ${whole} in ${part}?`,
    ...askFor(`the number of ${part} in ${whole}`),
    ...askWhether(
      `(how many ${part} are in ${whole}|how many ${part} there are in ${whole}|how many ${part} ${whole} has|how many ${part} make ${whole})`,
    ),
  ],
  answer: `There are ${count} ${part} in ${whole}.`,
}));

function inOrder(kind: string, names: readonly string[]): Intent[] {
  return names.flatMap((name, index) => {
    const next = names[(index + 1) % names.length] ?? '';
    const previous = names[(index + names.length - 1) % names.length] ?? '';
    return [
      {
        questions: [
          `(what|which) ${kind} (comes|is|follows|stands|comes right|comes directly|comes next) after ${name}?`,
          `(what|which) (comes|is|follows|comes next) after ${name}?`,
          `(what|which) is the next ${kind} after ${name}?`,
          `(which|what) ${kind} (follows|follows on|succeeds) ${name}?`,
          `after ${name} (comes|follows|is) (which ${kind}|what)?`,
          `${name} is followed by (which ${kind}|what|what ${kind})?`,
          `(${name}, and then|${name}, next ${kind}|next ${kind} after ${name}|${kind} after ${name})?`,
          `(it is|this is|we have|here is) ${name}. (Which|What) ${kind} (is|comes) next?`,
          ...askFor(`the ${kind} (after|following|that follows|that comes after) ${name}`),
          ...askWhether(`(which|what) ${kind} (comes after|follows) ${name}`),
        ],
        answer: `The ${kind} after ${name} is ${next}.`,
      },
      {
        questions: [
          `(what|which) ${kind} (comes|is|stands|comes right|comes directly) before ${name}?`,
          `(what|which) (comes|is) before ${name}?`,
          `(which|what) ${kind} precedes ${name}?`,
          `before ${name} (comes|is) (which ${kind}|what)?`,
          `${name} (comes|is) after (which|what) ${kind}?`,
          `(${name}, and before that|previous ${kind} before ${name}|${kind} before ${name})?`,
          `(it is|this is|we have|here is) ${name}. (Which|What) ${kind} (was|came) before?`,
          ...askFor(`the ${kind} (before|preceding|that comes before) ${name}`),
          ...askWhether(`(which|what) ${kind} (comes before|precedes) ${name}`),
        ],
        answer: `The ${kind} before ${name} is ${previous}.`,
      },
    ];
  });
}

const dayOrder = inOrder('day', days);
const monthOrder = inOrder('month', months);
const letterOrder = inOrder('letter', alphabet).filter(({ answer }) => !/after Z|before A/.test(answer));

const things: Intent[] = colours.map(([thing = '', colour = '', be = '']) => ({
  questions: [
    `(what|which) (colour|color) ${be} ${thing} (||usually|normally)?`,
    `(which|what) (colour|color) ${be === 'is' ? 'does' : 'do'} ${thing} (have|usually have|come in)?`,
    `(which|what) (colour|color) ${be === 'is' ? 'has' : 'have'} ${thing}?`,
    `${thing} ${be} (what|which) (colour|color)?`,
    `in (which|what) (colour|color) (do I paint|should I paint|would you paint|do children draw) ${thing}?`,
    `(${thing}, colour|colour of ${thing}|color of ${thing}|${thing}: which colour)(?|)`,
    ...askFor(`the (colour|color) of ${thing}`),
    ...askWhether(`(what|which) (colour|color) ${thing} ${be === 'is' ? '(is|has)' : '(are|have)'}`),
  ],
  answer: `${capitalize(thing)} ${be} ${colour}.`,
}));

const meanings: Intent[] = definitions.map(([thing, meaning]) => ({
  questions: meaningQuestions(thing),
  answer: `${capitalize(thing)} is ${meaning}.`,
}));

const persons: Intent[] = famousPeople.map(([name, role]) => ({
  questions: personQuestions(name),
  answer: `${name} was ${role}.`,
}));

const sameSuperlatives: Readonly<Record<string, string>> = {
  largest: '(largest|largest|biggest|greatest)',
  smallest: '(smallest|smallest|tiniest|littlest)',
  highest: '(highest|highest|tallest)',
  fastest: '(fastest|fastest|quickest)',
  hottest: '(hottest|hottest|warmest)',
};

const extremes: Intent[] = superlatives.map(([kind, name]) => {
  const [first = '', ...rest] = kind.split(' ');
  const most = sameSuperlatives[first] ?? first;
  const noun = rest.join(' ');
  const where = '(|||in the world|of all|there is|that there is|that you know|known|that exists|we know of)';
  return {
    questions: [
      ...askFor(`the ${most} ${noun} ${where}`),
      ...askFor(`the name of the ${most} ${noun}`),
      ...askWhether(`(which|what) the ${most} ${noun} is`),
      ...askWhether(`which ${noun} is (the ${most}|${most})`),
      `(which|what) is the ${most} ${noun} ${where}?`,
      `(which|what) ${noun} is (the ${most}|${most}) (|||in the world|of all|on earth)?`,
      `(which|what) ${noun} is (the ${most} of all|the ${most} one|called the ${most}|known as the ${most})?`,
      `(of|among) (all of them|all that we know|all on earth|all there are), (which|what) ${noun} is the ${most}?`,
      `the ${most} ${noun} is (what|which|called what|which one|named what|...)?`,
      `(what|how) is the ${most} ${noun} (called|named)?`,
      `(${most} ${noun}|the ${most} ${noun}|${noun}, the ${most} one)(?|)`,
      `(there are many. |we compared them all. |for a quiz: )(which|what) ${noun} is the ${most}?`,
      `(which|what) (one is|would be|do you know as|do people call) the ${most} ${noun}?`,
    ],
    answer: `The ${kind} is ${name}.`,
  };
});

const singleFacts: Intent[] = trivia.map(([question, answer]) => ({
  questions: [
    question,
    question,
    `(do you happen to know|quiz question|a question for you|here is one|can you answer this|for a quiz|my son asks|my daughter asks|my teacher asks|I was asked|one more|trivia|let me ask): ${question}`,
    `${question} (I forgot.|I can't remember.|I have no idea.|It is for a quiz.|My son wants to know.|Please tell me.|I should know this.)`,
  ],
  answer,
}));

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'An' : 'A'} ${noun}`;
}

function plural(animal: string): string {
  return irregularPlurals[animal] ?? `${animal}s`;
}

/** A question about something simple and settled. */
export function writeFactsExchange(choices: Choices): Exchange {
  const relation = choices.weighted([
    [capitals, 20],
    [capitalsBack, 12],
    [continents, 13],
    [oppositeWords, 17],
    [animals, 9],
    [symbols, 8],
    [shapesAndPlanets, 5],
    [measures, 6],
    [dayOrder, 3],
    [monthOrder, 3],
    [letterOrder, 3],
    [things, 5],
    [extremes, 9],
    [meanings, 7],
    [persons, 3],
    [singleFacts, 8],
  ]);
  return ask(choices, choices.pick(relation));
}
