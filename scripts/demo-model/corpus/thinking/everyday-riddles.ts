import type { Choices } from '../text/choices.ts';
import { days, months } from '../data/measures.ts';
import { animals, foods, products } from '../data/name-pools.ts';
import { drawPair } from './number-riddles.ts';
import { writeGivenName } from '../text/proper-names.ts';
import type { Riddle } from './riddles.ts';
import { ask } from '../text/wording.ts';

const things = [
  ...animals
    .filter((animal) => !/(?:fish|sheep|mouse|goose|pony|canary|x|s|sh)$/u.test(animal))
    .map((each) => `${each}s`),
  ...products.filter((product) => !/(?:s|f|fe|sh|phones)$/u.test(product)).map((each) => `${each}s`),
  ...foods.filter((food) => food.endsWith('s')),
];

/** Somebody has some things, and gets or loses some. */
export function story(choices: Choices): Riddle {
  return choices.weighted([
    [changes, 64],
    [together, 18],
    [whoHasMore, 18],
  ])(choices);
}

function changes(choices: Choices): Riddle {
  const name = writeGivenName(choices);
  const thing = choices.pick(things);
  const gains = choices.chance(0.55);
  const [start, change] = gains ? drawPair(choices, 2, 20) : [choices.integer(6, 30), choices.integer(1, 5)];
  const total = gains ? start + change : start - change;
  const verb = choices.pick(
    gains
      ? ['gets', 'buys', 'finds', 'is given', 'wins', 'receives', 'makes', 'borrows', 'picks up']
      : ['gives away', 'loses', 'sells', 'breaks', 'lends out', 'drops', 'throws away', 'hands over'],
  );
  const happens = `${verb} ${change}${gains ? choices.pick([' more', ' more', '', ' new ones']) : choices.pick(['', '', ' of them'])}`;
  const { question, answer } = ask(
    choices,
    {
      questions: [
        `${name} (has|owns|has got) ${start} ${thing} and ${happens}. How many ${thing} does ${name} have(| now| then| in the end)?`,
        `${name} (has|had|owns) ${start} ${thing}. (Then|Later|Today|Now) ${name} ${happens}. How many (does ${name} have|${gains ? 'are there' : 'are left'}|has ${name})(| now)?`,
        `how many ${thing} does ${name} have, (who starts with|who has|who had) ${start} and ${happens}?`,
        `there (are|were) ${start} ${thing} at the home of ${name}. ${name} ${happens}. How many (are there|does ${name} have) now?`,
        `if ${name} has ${start} ${thing} and ${happens}, (how many|what number of) ${thing} (does ${name} have|has ${name})?`,
        `${name}: ${start} ${thing}. ${name} ${happens}. How many now?`,
      ],
      answer: `${name} has ${total} ${thing}.`,
    },
    { keepCase: true },
  );
  return {
    question,
    steps: [
      `${name} has ${start} ${thing}.`,
      `${name} ${happens}.`,
      `${start} ${gains ? '+' : '-'} ${change} = ${total}`,
    ],
    answer,
  };
}

function drawTwoNames(choices: Choices): [string, string] {
  const [first, second] = [writeGivenName(choices), writeGivenName(choices)];
  return first === second ? drawTwoNames(choices) : [first, second];
}

function together(choices: Choices): Riddle {
  const [first, second] = drawTwoNames(choices);
  const thing = choices.pick(things);
  const [left, right] = drawPair(choices, 2, 20);
  const { question, answer } = ask(
    choices,
    {
      questions: [
        `${first} has ${left} ${thing} and ${second} has ${right}. How many ${thing} do they have (together|in all|altogether)?`,
        `${first} (owns|has) ${left} ${thing}, ${second} (owns|has) ${right}. How many (is that|are there|do they have) together?`,
        `how many ${thing} do ${first} and ${second} have together, if ${first} has ${left} and ${second} has ${right}?`,
      ],
      answer: `They have ${left + right} ${thing}.`,
    },
    { keepCase: true },
  );
  const steps = [
    `${first} has ${left} ${thing}.`,
    `${second} has ${right}.`,
    `${left} + ${right} = ${left + right}`,
  ];
  return { question, steps, answer };
}

/** Who has more, is older or is taller. */
function whoHasMore(choices: Choices): Riddle {
  const [first, second] = drawTwoNames(choices);
  const left = choices.integer(2, 60);
  const right = left + choices.pick([-1, 1]) * choices.integer(1, left < 20 ? left - 1 : 19);
  const thing = choices.pick(things);
  const more = choices.chance(0.6);
  const [has, word, verb] = choices.pick([
    [(name: string, count: number) => `${name} has ${count} ${thing}`, more ? 'more' : 'fewer', 'has'],
    [(name: string, count: number) => `${name} is ${count} years old`, more ? 'older' : 'younger', 'is'],
    [(name: string, count: number) => `${name} is ${count + 120} cm tall`, more ? 'taller' : 'smaller', 'is'],
  ] as const);
  const isFirst = left > right === more;
  const { question, answer } = ask(
    choices,
    {
      questions: [
        `${has(first, left)} and ${has(second, right)}. Who ${verb} ${word}?`,
        `who ${verb} ${word}, if ${has(first, left)} and ${has(second, right)}?`,
        `${has(first, left)}. ${has(second, right)}. (Which of them|Who|Which one) ${verb} ${word}?`,
        `${has(first, left)}, ${has(second, right)}(: |. )who ${verb} ${word}, ${first} or ${second}?`,
      ],
      answer: `${isFirst ? first : second} ${verb} ${word}.`,
    },
    { keepCase: true },
  );
  const [one, other] = [has(first, left), has(second, right)];
  const counts = [one, other].map((text) => Number(/(\d+)(?!.*\d)/u.exec(text)?.[0]));
  const sorted = counts.toSorted((a, b) => a - b);
  return { question, steps: [`${one}.`, `${other}.`, sorted.join(' < ')], answer };
}

const numberWords = ['one', 'two', 'three', 'four'];

/** Which day or month comes some before or after another. */
export function dayAfter(choices: Choices): Riddle {
  const isDay = choices.chance(0.75);
  const [cycle, unit] = isDay ? [days, 'day'] : [months, 'month'];
  const from = choices.integer(0, cycle.length - 1);
  const distance = choices.integer(1, isDay ? 3 : 4);
  const later = choices.chance(0.6);
  const at = (offset: number): string => cycle[(from + offset + cycle.length) % cycle.length] ?? '';
  const step = later ? 1 : -1;
  const path = Array.from({ length: distance }, (_, index) => at(step * (index + 1)));
  const word = later ? 'after' : 'before';
  const amount = `(${numberWords[distance - 1]}|${numberWords[distance - 1]}|${distance}) ${unit}${distance === 1 ? '' : 's'}`;
  const { question, answer } = ask(
    choices,
    {
      questions: [
        `(which|what) ${unit} (comes|is|falls|lies) ${amount} ${word} ${at(0)}?`,
        `${amount} ${word} ${at(0)}(: | is | comes )(which|what) ${unit}?`,
        `(tell me|name|give me|say|I need) the ${unit} that (comes|is) ${amount} ${word} ${at(0)}.`,
        `what (comes|is) ${amount} ${word} ${at(0)}?`,
        `(go|count) ${amount} (${later ? 'forward|on' : 'back|backwards'}) from ${at(0)}(: |. )(which|what) ${unit} is (it|that)?`,
        `(starting|counting) from ${at(0)}, (which|what) ${unit} is ${amount} ${later ? 'later' : 'earlier'}?`,
        ...(isDay
          ? [
              later
                ? `(today is|it is) ${at(0)}. (What|Which) day (is it|will it be|comes) in ${amount}?`
                : `(today is|it is) ${at(0)}. (What|Which) day was it ${amount} ago?`,
              later
                ? `if (today is|it is) ${at(0)}, (what|which) day is it in ${amount}?`
                : `if (today is|it is) ${at(0)}, (what|which) day was ${amount} ago?`,
            ]
          : []),
      ],
      answer: `It is ${path.at(-1) ?? ''}.`,
    },
    { keepCase: true },
  );
  return { question, steps: path.map((each, index) => `${index + 1} ${word} ${at(0)}: ${each}`), answer };
}
