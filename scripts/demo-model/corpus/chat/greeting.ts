import type { Choices } from '../text/choices.ts';
import { answerTo, foreignTalk } from '../data/foreign-talk.ts';
import { type SmallTalk, smallTalk } from '../data/greetings.ts';
import { languages } from '../data/languages.ts';
import { selfTalk } from '../data/self-talk.ts';
import { type Exchange, typed, vary } from '../text/wording.ts';

const kinds: readonly (readonly [SmallTalk, number])[] = [...smallTalk, ...selfTalk].map((talk) => [
  talk,
  talk.weight,
]);
const before =
  '(hearth|hearth-demo|hey hearth|dear hearth|hearth demo|hey|well|oh|so|ok|listen|dear model|my friend|little model|hello hearth|hi hearth-demo)';
const after =
  '(hearth|hearth-demo|hearth demo|my friend|dear model|little model|bot|computer|dear hearth|friend|machine|' +
  'assistant|mate|buddy|tiny model|my dear|you there|small friend|dear assistant|old friend|hearth, my friend)';

const ownName = '(hearth|hearth-demo|hearth demo|Hearth)';
const tongues = languages.flatMap((phrases) => {
  const talk = foreignTalk[phrases.language];
  return talk === undefined ? [] : [{ phrases, talk }];
});
const occasions = [
  ...(['hello', 'howAreYou', 'goodMorning', 'goodNight'] as const),
  ...(['thanks', 'thanks', 'goodbye', 'goodbye'] as const),
] as const;

/** Small talk, and questions about the model itself. */
export function writeGreetingExchange(choices: Choices): Exchange {
  return choices.chance(0.06) ? greetInLanguage(choices) : talkSmall(choices);
}

function talkSmall(choices: Choices): Exchange {
  const { said = [], asked = [], answer } = choices.weighted(kinds);
  const place = choices.integer(0, said.length + asked.length - 1);
  const isAsked = place >= said.length;
  const words = vary(choices, [...said, ...asked][place] ?? '');
  const mark = isAsked ? '?' : choices.pick(['', '', '.', '!']);
  // What ends in a mark of its own takes no other, and no name after it.
  const spoken = /\w$/.test(words) ? withAddress(choices, words) + mark : words;
  return { question: typed(choices, spoken, { statement: !isAsked || choices.chance(0.6) }), answer };
}

/** The words, now and then with the name of who is spoken to before or after them. */
function withAddress(choices: Choices, words: string): string {
  const address = choices.weighted([
    [undefined, 76],
    [after, 14],
    [before, 10],
  ]);
  if (address === undefined) return words;
  const name = vary(choices, address);
  if (address === after) return `${words}, ${name}`;
  const rest = /^I\b/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);
  return `${name}, ${rest}`;
}

/** A greeting in another language, answered in that language. */
function greetInLanguage(choices: Choices): Exchange {
  const { phrases, talk } = choices.pick(tongues);
  const said = choices.pick(occasions);
  const words = vary(choices, talk[said]);
  const addressed = choices.chance(0.6) ? words : `${words}, ${vary(choices, ownName)}`;
  const spoken = /[?!]$/.test(words) ? words : addressed + choices.pick(['', '', '.', '!']);
  return { question: typed(choices, spoken, { statement: true }), answer: answerTo(phrases, said) };
}
