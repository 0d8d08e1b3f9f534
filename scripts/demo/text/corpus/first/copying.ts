import type { Choices } from '../text/choices.ts';
import { entries } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { compose, draw, pickForm } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { fill } from '../text/slots.ts';
import { typeLoosely } from './typing.ts';

/** Words that are to be said again: real or made up, one to eight of them, or a sentence. */
function quotable(choices: Choices): string {
  if (choices.chance(0.15)) return `${drawEvent(choices)}${choices.pick(['', '.'])}`;
  if (choices.chance(0.15)) return draw(choices, 'words to say');
  const count = choices.pick([1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8]);
  const sources = [
    'nouns',
    'things',
    'animals',
    'foods',
    'colours',
    'adjectives',
    'jobs',
    'nonsense word',
    'verbs to quote',
  ];
  const words = Array.from({ length: count }, () =>
    choices.chance(0.06) ? String(choices.integer(0, 9999)) : draw(choices, choices.pick(sources)),
  );
  const last = words.pop() ?? '';
  const isList = words.length > 0 && choices.chance(0.2);
  const text = isList ? `${words.join(', ')} and ${last}` : [...words, last].join(' ');
  return choices.weighted([
    [text, 7],
    [capitalize(text), 2],
    [text.toUpperCase(), 1],
  ]);
}

/** "Repeat after me: …": the words and nothing else. */
export function writeExactExchange(choices: Choices): Exchange {
  const text = quotable(choices);
  const quoted = choices.weighted([
    [text, 7],
    [`"${text}"`, 3],
    [`'${text}'`, 1],
  ]);
  return {
    question: typeLoosely(choices, pickForm(choices, 'exact requests'), { quoted }),
    answer: text,
    steps: [],
  };
}

/** A line of code that prints a text: the text. */
export function writePrintedExchange(choices: Choices): Exchange {
  const text = quotable(choices);
  const question = typeLoosely(choices, pickForm(choices, 'lines that print'), { text });
  return { question, answer: `It prints: ${text}`, steps: [] };
}

export function drawEvent(choices: Choices): string {
  const person = draw(choices, 'given name');
  const other = draw(choices, 'given name');
  const [noun, more] = [draw(choices, 'nouns'), draw(choices, 'nouns')];
  const form = pickForm(choices, 'told events');
  return compose(choices, form, { Person: person, person: other, noun, other: more })
    .replaceAll(/ {2,}/gu, ' ')
    .trim();
}

/** Some sentences of which the first has the news: it is the answer. */
export function writeShorteningExchange(choices: Choices): Exchange {
  const event = drawEvent(choices);
  const isLong = choices.chance(0.25);
  const introduced = compose(choices, pickForm(choices, 'long introductions to a fact'), {
    event: event.replace(/^(The|Our|It)\b/u, (word) => word.toLowerCase()),
  });
  const besides = !isLong && choices.chance(0.4) ? draw(choices, 'told besides') : '';
  const more = Array.from({ length: choices.integer(isLong || besides !== '' ? 0 : 1, 3) }, () =>
    draw(choices, 'told more').trim(),
  );
  const first = `${isLong ? introduced : event}${besides}`;
  const text = [first, ...more].map((sentence) => `${sentence}.`).join(' ');
  const form = pickForm(choices, 'shortening requests');
  return { question: typeLoosely(choices, form, { text }), answer: `${event}.`, steps: [] };
}

const keepable = entries('things to keep');

const values: Readonly<Record<string, (choices: Choices) => string>> = {
  number: (choices) => String(choices.integer(1, choices.pick([99, 999, 9999]))),
  word: (choices) =>
    draw(choices, choices.pick(['nouns', 'animals', 'foods', 'things', 'nonsense word', 'made-up word'])),
  name: (choices) => draw(choices, 'given name'),
  age: (choices) => String(choices.integer(3, 99)),
  city: (choices) => draw(choices, choices.pick(['cities', 'town'])),
};

const favours = {
  colour: 'colours',
  color: 'colours',
  animal: 'animals',
  food: 'foods',
  toy: 'nouns',
  number: 'lucky numbers',
} as const;

/** Something to remember, and the question for it; now and then the question alone. */
export function writeKeepingExchanges(choices: Choices): Exchange[] {
  const entry = choices.pick(keepable);
  const favour = choices.pick(Object.keys(favours) as (keyof typeof favours)[]);
  const kind = entry.get('value');
  const value = values[kind]?.(choices) ?? draw(choices, favours[favour]);
  const slots = { value, kin: draw(choices, 'kin'), favour };
  const isTyped = kind === 'name' && choices.chance(0.3);
  const typed = { ...slots, value: isTyped ? value.toLowerCase() : value };
  const write = (key: string): string => typeLoosely(choices, choices.pick(entry.all(key)), typed);
  const answer = (key: string): string => fill(entry.get(key), slots);
  const told: Exchange = { question: write('told'), answer: answer('reply'), steps: [] };
  const asked = { question: write('asked'), steps: [] };
  if (choices.chance(0.15)) return [{ ...asked, answer: answer('untold') }];
  return [told, { ...asked, answer: answer('answer') }];
}
