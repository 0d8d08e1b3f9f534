import type { Choices } from '../text/choices.ts';
import type { Exchange } from '../text/exchanges.ts';
import { draw, pickForm } from '../text/forms.ts';
import { said } from './spoken.ts';
import { typeLoosely } from './typing.ts';

/** The sections of news that somebody tells, and the answer to each. */
const news = {
  'sad news': 'I am sorry to hear that. I hope that it gets better soon.',
  'glad news': 'I am glad to hear that!',
  'plain news': 'I like to hear that! Tell me more.',
} as const;

/** Somebody tells of the day. */
export function writeDayExchange(choices: Choices): Exchange {
  const section = choices.pick(Object.keys(news) as (keyof typeof news)[]);
  return said(typeLoosely(choices, pickForm(choices, section)), news[section]);
}

/** Somebody who is to be greeted by name. */
export function writeGreetedExchange(choices: Choices): Exchange {
  const person = draw(choices, 'given name');
  const typed = choices.chance(0.5) ? person.toLowerCase() : person;
  return said(
    typeLoosely(choices, pickForm(choices, 'asks to greet'), { person: typed }),
    `Hello, ${person}!`,
  );
}
