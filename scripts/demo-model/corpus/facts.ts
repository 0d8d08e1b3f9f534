import type { Choices } from './choices.ts';
import { countries } from './data/geography.ts';
import { definitions, superlatives, trivia } from './data/knowledge.ts';
import { alphabet, days, months, ordinals, planets, sides, units } from './data/measures.ts';
import { animalSounds, animalYoung, chemicalSymbols, colours, legs } from './data/nature.ts';
import { looseOpposites, opposites } from './data/opposites.ts';
import { ask, capitalize, type Exchange, type Intent } from './wording.ts';

const whatIs = "(what is|what's|tell me|do you know|can you tell me|name|please tell me|give me)";

const capitals: Intent[] = countries.map(({ name, capital }) => ({
  questions: [
    `${whatIs} the capital of ${name}?`,
    `${whatIs} the capital (|city) of ${name}?`,
    `(|the) capital of ${name}?`,
    `(what|which) city is the capital of ${name}?`,
    `${name}: (what is its|what's the|which) capital?`,
    `which (city|town) is (the seat of government|the capital) (of|in) ${name}?`,
  ],
  answer: `The capital of ${name} is ${capital}.`,
}));

const capitalsBack: Intent[] = countries.map(({ name, capital }) => ({
  questions: [
    `${capital} is the capital of (which|what) country?`,
    `(which|what) country has ${capital} as (its|the) capital?`,
    `of (which|what) country is ${capital} the capital?`,
    `(what|which) country is ${capital} the capital of?`,
    `in (which|what) country is ${capital}?`,
    `(which|what) country is ${capital} in?`,
    `where is ${capital}?`,
    `do you know where ${capital} is?`,
  ],
  answer: `${capital} is the capital of ${name}.`,
}));

const continents: Intent[] = countries.map(({ name, continent }) => ({
  questions: [
    `(which|what) continent is ${name} (in|on|part of)?`,
    `on (which|what) continent is ${name}?`,
    `where is ${name}?`,
    `in (which|what) part of the world is ${name}?`,
    `where (in the world|on the map|on earth) is ${name}?`,
  ],
  answer: `${capitalize(name)} ${/^the (N|Ph|United S)/.test(name) ? 'are' : 'is'} in ${continent}.`,
}));

const oppositeWords: Intent[] = [
  ...opposites,
  ...opposites.map(([one, other]) => [other, one] as const),
  ...looseOpposites,
].map(([word, opposite]) => ({
  questions: [
    `${whatIs} the opposite of ${word}?`,
    `(|the) opposite of ${word}?`,
    `what is the (contrary|reverse) of ${word}?`,
    `(which|what) word means the opposite of ${word}?`,
    `${word} is the opposite of (what|which word)?`,
    `if it is not ${word}, (what is it|it is the opposite. What is that)?`,
  ],
  answer: `The opposite of ${word} is ${opposite}.`,
}));

const animals: Intent[] = [
  ...animalSounds.map(([animal, sound]) => ({
    questions: [
      `what (sound|noise) does (a|the) ${animal} make?`,
      `what does (a|the) ${animal} say?`,
      `(which|what) sound (do ${plural(animal)} make|does the ${animal} make)?`,
      `how does (a|the) ${animal} sound?`,
      `the sound of (a|the) ${animal}?`,
    ],
    answer: `${withArticle(animal)} ${sound}.`,
  })),
  ...animalYoung.map(([animal, young]) => ({
    questions: [
      `what is a (baby|young) ${animal} called?`,
      `what (do you call|is the name of|is the word for) (a|the) (baby|young) ${animal}?`,
      `(what's|what is) (the baby|the young) of (a|the) ${animal} (called|)?`,
      `how is (a|the) (young|baby) ${animal} called?`,
      `(a|the) (baby|young) ${animal} is called (what|how)?`,
    ],
    answer: `A young ${animal} is called a ${young}.`
      .replace('a eaglet', 'an eaglet')
      .replace('a owlet', 'an owlet'),
  })),
  ...legs.map(([animal, count]) => ({
    questions: [
      `how many legs does (a|the|one) ${animal} have?`,
      `how many legs (do ${plural(animal)} have|has a ${animal}|has the ${animal})?`,
      `(what is|tell me) the number of legs of a ${animal}?`,
      `(count|number of) legs of a ${animal}?`,
    ],
    answer: `${withArticle(animal)} has ${count === '0' ? 'no' : count} legs.`,
  })),
];

const science: Intent[] = [
  ...chemicalSymbols.flatMap(([substance, symbol]) => [
    {
      questions: [
        `${whatIs} the (chemical symbol|symbol) (of|for) ${substance}?`,
        `(which|what) (symbol|letters|chemical symbol) (does ${substance} have|stands for ${substance})?`,
        `(chemical symbol|symbol) (of|for) ${substance}?`,
      ],
      answer: `The chemical symbol of ${substance} is ${symbol}.`,
    },
    {
      questions: [
        `(which|what) (element|chemical element) (has the symbol|is) ${symbol}?`,
        `what does the (chemical|element) symbol ${symbol} (mean|stand for)?`,
        `${symbol} is the (chemical symbol|symbol) of (what|which element)?`,
      ],
      answer: `${symbol} is the chemical symbol of ${substance}.`,
    },
  ]),
  ...planets.flatMap((planet, index) => [
    {
      questions: [
        `(what|which) is the ${ordinals[index]} planet (|from the sun|of the solar system)?`,
        `(which|what) planet is the ${ordinals[index]} (one|from the sun)?`,
        `(name|tell me) the ${ordinals[index]} planet (|from the sun).`,
      ],
      answer: `The ${ordinals[index]} planet from the sun is ${planet}.`,
    },
    {
      questions: [`is ${planet} a (planet|star|moon)?`, `what (is ${planet}|kind of body is ${planet})?`],
      answer: `${planet} is a planet of the solar system.`,
    },
  ]),
  ...sides.map(([shape, count]) => ({
    questions: [
      `how many (sides|edges|corners) does (a|an|the) ${shape} have?`,
      `how many (sides|corners) has a ${shape}?`,
      `(what is|tell me) the number of sides of a ${shape}?`,
    ],
    answer: `${withArticle(shape)} has ${count} sides.`,
  })),
];

const measures: Intent[] = units.map(([part = '', whole = '', count = '']) => ({
  questions: [
    `how many ${part} (are in|are there in|are|make|make up|in) ${whole}?`,
    `how many ${part} does ${whole} have?`,
    `(tell me|do you know) how many ${part} are in ${whole}?`,
    `(what is the number of ${part}|number of ${part}) in ${whole}?`,
    `${whole} (has|is|has got) how many ${part}?`,
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
          `(what|which) ${kind} (comes|is|follows) after ${name}?`,
          `(what|which) (comes|is) after ${name}?`,
          `what is the ${kind} after ${name}?`,
          `(what|which) is the next ${kind} after ${name}?`,
          `(which|what) ${kind} follows ${name}?`,
        ],
        answer: `The ${kind} after ${name} is ${next}.`,
      },
      {
        questions: [
          `(what|which) ${kind} (comes|is) before ${name}?`,
          `(what|which) (comes|is) before ${name}?`,
          `what is the ${kind} before ${name}?`,
          `(which|what) ${kind} precedes ${name}?`,
        ],
        answer: `The ${kind} before ${name} is ${previous}.`,
      },
    ];
  });
}

const dayOrder = inOrder('day', days);
const monthOrder = inOrder('month', months);
const letterOrder = inOrder('letter', alphabet).filter(({ answer }) => !/after Z|before A/.test(answer));

const things: Intent[] = [
  ...colours.map(([thing = '', colour = '', be = '']) => ({
    questions: [
      `what (colour|color) ${be} ${thing}?`,
      `(which|what) (colour|color) (do|does) ${thing} have?`,
      `what is the (colour|color) of ${thing}?`,
      `the (colour|color) of ${thing}?`,
      `(tell me|do you know) what (colour|color) ${thing} ${be}?`,
    ],
    answer: `${capitalize(thing)} ${be} ${colour}.`,
  })),
  ...superlatives.map(([kind, name]) => ({
    questions: [
      `${whatIs} the ${kind} (|in the world|of all|there is|that you know)?`,
      `(which|what) is the ${kind} (|in the world|of all)?`,
      `(which one|what) is the ${kind}?`,
      `the ${kind}?`,
    ],
    answer: `The ${kind} is ${name}.`,
  })),
  ...definitions.map(([thing, meaning]) => ({
    questions: [
      `(what is|what's) ${thing}?`,
      `(define|explain|describe) ${thing}.`,
      `(explain to me|tell me|can you explain|can you tell me|do you know) what ${thing} is?`,
      `what (does the word|does) ${thing.replace(/^an? /, '')} mean?`,
      `(give me a definition|give the meaning|a definition) of ${thing}.`,
    ],
    answer: `${capitalize(thing)} is ${meaning}.`,
  })),
  ...trivia.map(([question, answer]) => ({
    questions: [question, `(tell me|do you know|can you tell me), ${question}`],
    answer,
  })),
];

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'An' : 'A'} ${noun}`;
}

function plural(animal: string): string {
  const irregular: Readonly<Record<string, string>> = {
    sheep: 'sheep',
    mouse: 'mice',
    wolf: 'wolves',
    fish: 'fish',
  };
  return irregular[animal] ?? (animal.endsWith('fly') && animal !== 'butterfly' ? 'flies' : `${animal}s`);
}

/** A question about something simple and settled. */
export function writeFactsExchange(choices: Choices): Exchange {
  const relation = choices.weighted([
    [capitals, 22],
    [capitalsBack, 14],
    [continents, 8],
    [oppositeWords, 18],
    [animals, 9],
    [science, 9],
    [measures, 6],
    [dayOrder, 3],
    [monthOrder, 3],
    [letterOrder, 3],
    [things, 16],
  ]);
  return ask(choices, choices.pick(relation));
}
