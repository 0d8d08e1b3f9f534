import { askFor, askWhether } from '../text/asking.ts';
import type { Choices } from '../text/choices.ts';
import {
  adviceQuestions,
  hardQuestions,
  longQuestions,
  newsQuestions,
  privateQuestions,
} from '../data/unknown-topics.ts';
import { inventPerson, inventPlace, inventThing } from '../text/invented-names.ts';
import { capitalQuestions, continentQuestions, countryQuestions } from './place-questions.ts';
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

/** What it says where it has no answer. */
export const unknownAnswers = {
  news: 'I do not know: I have no news and no network.',
  advice: 'I do not know: I am too small a model to give advice.',
  private: 'I do not know: I cannot look into private matters.',
  long: 'I do not know how: that is too much for a tiny model.',
  hard: 'I do not know: I am a tiny model and know little.',
} as const;

/** A question beyond what the model can know: about names that nobody knows, or about more than it has learned. */
export function writeUnknownExchange(choices: Choices): Exchange {
  return choices.weighted([
    [madeUpCapital, 20],
    [madeUpPlace, 14],
    [madeUpPerson, 15],
    [madeUpThing, 6],
    [() => topic(choices, newsQuestions, unknownAnswers.news), 14],
    [() => topic(choices, hardQuestions, unknownAnswers.hard), 12],
    [() => topic(choices, adviceQuestions, unknownAnswers.advice), 6],
    [() => topic(choices, longQuestions, unknownAnswers.long), 7],
    [() => topic(choices, privateQuestions, unknownAnswers.private), 6],
  ])(choices);
}

function topic(choices: Choices, questions: readonly string[], answer: string): Exchange {
  return ask(choices, { questions, answer }, { keepCase: true });
}

/** The exchange with the name as the answer writes it, also where it opens the question. */
function askAbout(choices: Choices, name: string, intent: Intent): Exchange {
  const { question, answer } = ask(choices, intent, { keepCase: true });
  const asTyped = [capitalize(name), name.charAt(0).toLowerCase() + name.slice(1)];
  return { question: asTyped.reduce((text, form) => text.replaceAll(form, name), question), answer };
}

/** A made-up place, now and then all in small letters. */
function placeName(choices: Choices): string {
  const name = inventPlace(choices);
  return choices.chance(0.15) ? name.toLowerCase() : name;
}

function madeUpCapital(choices: Choices): Exchange {
  const place = placeName(choices);
  return askAbout(choices, place, {
    questions: capitalQuestions(place),
    answer: `I do not know the capital of ${place}.`,
  });
}

function madeUpPlace(choices: Choices): Exchange {
  const place = placeName(choices);
  const other =
    '(population|area|currency|flag|president|king|national anthem|climate|largest city|highest mountain|official language|history|size|time zone|mayor|post code|national dish)';
  const questions = choices.weighted([
    [countryQuestions, 30],
    [continentQuestions, 45],
    [
      () => [
        ...askFor(`the ${other} of ${place}`),
        ...askWhether(
          `(how many people live in ${place}|which language people speak in ${place}|how large ${place} is|who rules ${place})`,
        ),
        `how many (people|inhabitants) (live|are there) in ${place}?`,
        `(who|which party|which king|which queen) (rules|governs|leads|founded) ${place}?`,
        `(which|what) (language|languages) (do people|do they) speak in ${place}?`,
        `(which|what) (currency|money) (is used|do people use|do I need) in ${place}?`,
        `(how far|how long|how many hours) is (it|the flight|the trip|the way) to ${place}?`,
        `(how do I get|how can I travel|which road leads|what is the way) to ${place}?`,
        `(how is the weather|what is the weather like) in ${place}?`,
        `(when|why|by whom) was ${place} (founded|built|destroyed|discovered)?`,
        `how (old|big|large|rich|cold|far away|safe) is ${place}?`,
        `(what can I see|what is there to do|where should I stay|what do people eat) in ${place}?`,
        `(is|was) ${place} (a country|a city|an island|a real place|a river|a planet) (|or not)?`,
      ],
      25,
    ],
  ])(place);
  return askAbout(choices, place, { questions, answer: `I do not know ${place}.` });
}

function madeUpPerson(choices: Choices): Exchange {
  const name = inventPerson(choices);
  const work = '(book|books|song|film|poem|novel|play|opera|painting|symphony|theory|game)';
  const questions = [
    ...personQuestions(name),
    ...personQuestions(name),
    `(when|where|in which year|in which country) (was|is) ${name} born?`,
    `(when|where|how|why) did ${name} (die|live|go to school|marry|become famous|work|study)?`,
    `(how old|how tall|how rich|how famous) (is|was) ${name}?`,
    `(what|which) ${work} (did ${name} write|is by ${name}|made ${name} famous|did ${name} make|do you know by ${name})?`,
    `(what did ${name} (invent|discover|write|paint|say|build|win|study)|where does ${name} (live|work|come from)|what does ${name} do|is ${name} (still alive|a singer|an actor|a writer|a politician|famous))?`,
    `who (did ${name} marry|is ${name} married to|was ${name} in love with|are the parents of ${name})?`,
    `(list|name|tell me) the ${work} (of|by) ${name}.`,
    ...askFor(
      `the (birthday|age|job|address|phone number|life story|first book|wife|husband|latest film|nationality|profession|home town) of ${name}`,
    ),
  ];
  return askAbout(choices, name, { questions, answer: `I do not know ${name}.` });
}

/** Words that do not exist, asked for as if they were animals, substances or things. */
function madeUpThing(choices: Choices): Exchange {
  const thing = inventThing(choices);
  const plural = /(?:s|x|z|sh|ch)$/.test(thing) ? `${thing}es` : `${thing}s`;
  const questions = choices.weighted([
    [() => meaningQuestions(`${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`), 30],
    [() => symbolQuestions(thing), 20],
    [() => oppositeQuestions(thing), 20],
    [() => soundQuestions(thing, plural), 10],
    [() => youngQuestions(thing, plural), 10],
    [() => legQuestions(thing, plural), 10],
  ])();
  return askAbout(choices, thing, { questions, answer: `I do not know ${thing}.` });
}
