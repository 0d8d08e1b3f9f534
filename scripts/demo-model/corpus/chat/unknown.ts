import type { Choices } from '../text/choices.ts';
import { draw, fill } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { ask, type Exchange, type Intent, intentOf, questionsOf } from '../text/wording.ts';
import { animalSlots, placeSlots, withRightArticle } from './fact-slots.ts';

/** A question beyond what the model can know: about names that nobody knows, or about more than it has learned. */
export function writeUnknownExchange(choices: Choices): Exchange {
  return choices.weighted([
    [madeUpCapital, 20],
    [madeUpPlace, 14],
    [madeUpPerson, 15],
    [madeUpThing, 6],
    [() => topic(choices, 'news questions'), 14],
    [() => topic(choices, 'hard questions'), 12],
    [() => topic(choices, 'advice questions'), 6],
    [() => topic(choices, 'long questions'), 7],
    [() => topic(choices, 'private questions'), 6],
  ])(choices);
}

function topic(choices: Choices, section: string): Exchange {
  return ask(choices, intentOf(section), { keepCase: true });
}

/** The exchange with the name as the answer writes it, also where it opens the question. */
function askAbout(choices: Choices, name: string, intent: Omit<Intent, 'answer'>, unknown = name): Exchange {
  const answer = `I do not know ${unknown}.`;
  const { question } = ask(choices, { ...intent, answer }, { keepCase: true });
  const asTyped = [capitalize(name), name.charAt(0).toLowerCase() + name.slice(1)];
  return { question: asTyped.reduce((text, form) => text.replaceAll(form, name), question), answer };
}

/** A made-up place, now and then all in small letters. */
function placeName(choices: Choices): string {
  const name = draw(choices, 'made-up place');
  return choices.chance(0.15) ? name.toLowerCase() : name;
}

function madeUpCapital(choices: Choices): Exchange {
  const place = placeName(choices);
  const intent = { questions: questionsOf('capital questions'), slots: placeSlots(place) };
  return askAbout(choices, place, intent, `the capital of ${place}`);
}

function madeUpPlace(choices: Choices): Exchange {
  const place = placeName(choices);
  const section = draw(choices, 'questions about a made-up place');
  return askAbout(choices, place, { questions: questionsOf(section), slots: placeSlots(place) });
}

function madeUpPerson(choices: Choices): Exchange {
  const name = draw(choices, 'made-up person');
  const usual = questionsOf('person questions');
  const questions = [...usual, ...usual, ...questionsOf('made-up person questions')];
  return askAbout(choices, name, { questions, slots: { name } });
}

/** Words that do not exist, asked for as if they were animals, substances or things. */
function madeUpThing(choices: Choices): Exchange {
  const thing = draw(choices, 'made-up thing');
  const animals = /(?:s|x|z|sh|ch)$/u.test(thing) ? `${thing}es` : `${thing}s`;
  const section = draw(choices, 'questions about a made-up thing');
  const article = /^[aeiou]/u.test(thing) ? 'an' : 'a';
  const others = { animals, substance: thing, word: thing, bare: thing, thing: `${article} ${thing}` };
  const slots = animalSlots(thing, others);
  const questions = questionsOf(section).map((question) => fill(question, slots));
  return askAbout(choices, thing, {
    questions: isAboutAnimals(section) ? withRightArticle(thing, questions) : questions,
  });
}

const isAboutAnimals = (section: string): boolean => /^(?:sound|young|leg) /u.test(section);
