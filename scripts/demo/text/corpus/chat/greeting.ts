import type { Choices } from '../text/choices.ts';
import { entries } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { draw } from '../text/forms.ts';
import { lowerFirst } from '../text/inflect.ts';
import { say, typed, vary } from '../text/wording.ts';

const talks = ['small talk', 'self talk']
  .flatMap(entries)
  .map((entry) => [entry, Number(entry.get('weight'))] as const);
const languages = entries('languages').filter((language) => language.find('greets hello') !== undefined);

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
  const mark = isAsked ? '?' : draw(choices, 'end of a greeting');
  const slots = { words, 'inner words': /^I\b/.test(words) ? words : lowerFirst(words) };
  // A greeting that ends in a mark of its own takes no other, and no name after it.
  const spoken = /\w$/.test(words) ? say(choices, 'addressed words', slots) + mark : words;
  const statement = !isAsked || choices.chance(0.6);
  return { question: typed(choices, spoken, { statement }), answer: talk.get('answer') };
}

/** A greeting in another language, answered in that language. */
function greetInLanguage(choices: Choices): Exchange {
  const language = choices.pick(languages);
  const [occasion = '', answer = occasion] = draw(choices, 'greetings in another language').split(': ');
  const words = vary(choices, language.get(`greets ${occasion}`));
  const addressed = say(choices, 'words in another language', { words });
  const spoken = /[?!]$/.test(words) ? words : addressed + draw(choices, 'end of a greeting');
  return { question: typed(choices, spoken, { statement: true }), answer: language.get(answer) };
}
