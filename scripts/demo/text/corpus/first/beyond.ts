import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { compose, draw, pickForm } from '../text/forms.ts';
import { drawEvent } from './copying.ts';
import { drawThing, knowsLittle, noCode, notUnderstood, said, tooMuch } from './spoken.ts';
import { typeLoosely, withMarks } from './typing.ts';

const drawSubject = (choices: Choices): string => draw(choices, 'a lot of things');

/** A question about something beyond the model's knowledge. */
export function writeBeyondExchange(choices: Choices): Exchange {
  if (choices.chance(0.15)) return askAboutName(choices);
  const slots = { thing: withPlural(choices, drawSubject(choices)), other: drawSubject(choices) };
  return said(typeLoosely(choices, pickForm(choices, 'ask what'), slots), knowsLittle);
}

const withPlural = (choices: Choices, thing: string): string =>
  choices.chance(0.3) && /^[a-z]+[^s]$/u.test(thing) ? `${thing}s` : thing;

function askAboutName(choices: Choices): Exchange {
  const known = draw(choices, 'famous names');
  const name = choices.chance(0.6) ? known.toLowerCase() : known;
  const form = choices.pick([
    '(who is|who was|do you know|tell me about|who are|whos|what about|have you heard of|is) {name}',
    '(how old is|where is|where does|how rich is|how tall is|what does) {name} (|live|from|do|now)',
    '{name}',
  ]);
  return said(typeLoosely(choices, form, { name }), knowsLittle);
}

/** A request to list some things of which the model knows none. */
export const writeUnknownListExchange = (choices: Choices): Exchange =>
  said(typeLoosely(choices, pickForm(choices, 'lists beyond me')), knowsLittle);

/** A snippet of code or a command, as it is pasted. */
const drawSnippet = (choices: Choices): string =>
  withMarks(compose(choices, pickForm(choices, 'snippet'))).trim();

/** A request to write or to explain code, or code without a word. */
export function writeCodeExchange(choices: Choices): Exchange {
  const form = pickForm(choices, 'tasks beyond me');
  const snippet = drawSnippet(choices);
  if (form === '{snippet}') return said(snippet, noCode);
  const slots = {
    snippet,
    'does something': draw(choices, 'does something'),
    'do something': draw(choices, 'do something'),
    thing: drawSubject(choices),
  };
  return said(typeLoosely(choices, form, slots), noCode);
}

/** A long text or much code with a request that is too much: six sentences or lines, up to eighty. */
export function writePasteExchange(choices: Choices): Exchange {
  const isCode = choices.chance(0.35);
  const count = Math.round(6 * 13 ** (choices.integer(0, 100) / 100));
  const parts = Array.from({ length: count }, () =>
    isCode
      ? drawSnippet(choices)
      : `${choices.chance(0.5) ? drawEvent(choices) : draw(choices, 'told more').trim()}.`,
  );
  const text = parts.join(isCode ? '\n' : choices.pick([' ', ' ', '\n']));
  const request = compose(
    choices,
    pickForm(choices, isCode ? 'requests about long code' : 'requests about long texts'),
  );
  const question = choices.chance(0.7)
    ? `${request}${choices.pick([': ', ':\n', '\n\n'])}${text}`
    : `${text}\n\n${request}`;
  return said(question, isCode ? noCode : tooMuch);
}

export const writeNoiseExchange = (choices: Choices): Exchange =>
  said(draw(choices, 'keyboard noise'), notUnderstood);

/** A question of the section, to which this is always the answer. */
const always = (section: string, answer: string) => (choices: Choices) =>
  said(typeLoosely(choices, choices.pick(lines(section)), { topic: drawThing(choices, false) }), answer);

export const writeRareQuestionExchange = always('questions of developers beyond me', knowsLittle);
export const writeMomentExchange = always('moments', 'I do not know: I have no clock and no calendar.');
export const writePlaceExchange = always('whereabouts', 'I do not know: I cannot see where you are.');
export const writeUserExchange = always(
  'about the user',
  'I do not know: I cannot see you, and you have not told me.',
);
export const writeNewsExchange = always('things to come', 'I do not know: I have no news and no network.');
export const writeOpinionExchange = always(
  'opinions',
  'I do not know: I am too small a model to give advice.',
);
export const writeMediaExchange = always('media', tooMuch);
