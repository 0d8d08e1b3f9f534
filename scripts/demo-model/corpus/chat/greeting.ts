import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { entries } from '../text/entries.ts';
import { type Exchange, typed, vary } from '../text/wording.ts';

const talks = [...entries('small talk'), ...entries('self talk')].map(
  (entry) => [entry, Number(entry.get('weight'))] as const,
);
const tongues = entries('languages').filter((language) => language.find('greets hello') !== undefined);
const occasions = [
  'hello',
  'howAreYou',
  'goodMorning',
  'goodNight',
  'thanks',
  'thanks',
  'goodbye',
  'goodbye',
];

/** Small talk, and questions about the model itself. */
export function writeGreetingExchange(choices: Choices): Exchange {
  return choices.chance(0.06) ? greetInLanguage(choices) : talkSmall(choices);
}

function talkSmall(choices: Choices): Exchange {
  const talk = choices.weighted(talks);
  const said = talk.all('said');
  const texts = [...said, ...talk.all('asked')];
  const place = choices.integer(0, texts.length - 1);
  const isAsked = place >= said.length;
  const words = vary(choices, texts[place] ?? '');
  const mark = isAsked ? '?' : choices.pick(['', '', '.', '!']);
  // What ends in a mark of its own takes no other, and no name after it.
  const spoken = /\w$/.test(words) ? withAddress(choices, words) + mark : words;
  const statement = !isAsked || choices.chance(0.6);
  return { question: typed(choices, spoken, { statement }), answer: talk.get('answer') };
}

/** The words, now and then with the name of who is spoken to before or after them. */
function withAddress(choices: Choices, words: string): string {
  const place = choices.weighted([
    ['nowhere', 76],
    ['after', 14],
    ['before', 10],
  ]);
  if (place === 'nowhere') return words;
  const name = vary(choices, line(`address ${place}`));
  if (place === 'after') return `${words}, ${name}`;
  const rest = /^I\b/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);
  return `${name}, ${rest}`;
}

/** What is answered in kind is greeted back; thanks and questions have an answer of their own. */
const answers: Readonly<Record<string, string>> = { thanks: 'welcome', howAreYou: 'fine' };

/** A greeting in another language, answered in that language. */
function greetInLanguage(choices: Choices): Exchange {
  const language = choices.pick(tongues);
  const occasion = choices.pick(occasions);
  const words = vary(choices, language.get(`greets ${occasion}`));
  const addressed = choices.chance(0.6) ? words : `${words}, ${vary(choices, line('own name'))}`;
  const spoken = /[?!]$/.test(words) ? words : addressed + choices.pick(['', '', '.', '!']);
  return {
    question: typed(choices, spoken, { statement: true }),
    answer: language.get(answers[occasion] ?? occasion),
  };
}
