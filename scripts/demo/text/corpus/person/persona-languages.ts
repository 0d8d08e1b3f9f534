import type { Conversation } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { entries, type Entry, line, pairs } from '../text/data.ts';
import { ask, conversationOf, type Exchange, exchangeOf, plainConversation } from '../text/exchanges.ts';
import { draw, drawCount } from '../text/forms.ts';
import { fill } from '../text/slots.ts';
import { vary } from '../text/wording.ts';

const languages = entries('languages');
/** The first ones have more phrases than the others. */
const usualLanguages = languages.slice(0, 6);

const drawLanguage = (choices: Choices): Entry =>
  choices.pick(choices.chance(0.95) ? usualLanguages : languages);

/** Small talk in another language, as the system prompt wants it. */
export function speaking(choices: Choices): Conversation {
  const language = drawLanguage(choices);
  const name = choices.chance(0.6) ? draw(choices, 'given name') : undefined;
  const count = drawCount(choices, 'exchanges in another language');
  const exchanges = Array.from({ length: count }, () => inLanguage(choices, language, name));
  return conversationOf('persona', exchanges, instruct(choices, language.get('language'), name));
}

function instruct(choices: Choices, language: string, name: string | undefined): string {
  const instruction = vary(choices, fill(line('instructions to speak'), { language }));
  if (name === undefined) return vary(choices, `${instruction}${line('additions to instructions')}`);
  const role = `(${draw(choices, 'roles')}|${draw(choices, 'long roles')}|teacher|assistant)`;
  const introduced = vary(choices, fill(line('introductions in another language'), { name, role }));
  const corrected = introduced.replaceAll(/\ba (?=[aeio])/gu, 'an ');
  return choices.chance(0.8) ? `${corrected} ${instruction}` : `${instruction} ${corrected}`;
}

/** "How do you say thank you in French?" */
export function translating(choices: Choices): Conversation {
  const count = choices.chance(0.85) ? 1 : 2;
  const exchanges = Array.from({ length: count }, () => translate(choices));
  return plainConversation(choices, 'persona', exchanges);
}

function translate(choices: Choices): Exchange {
  const language = drawLanguage(choices);
  const [english, phrase] = choices.pick(pairs('phrases to translate'));
  const slots = { english, language: language.get('language'), phrase: language.get(phrase) };
  return exchangeOf(choices, 'translation questions', slots);
}

const occasions = entries('talk in another language');

function inLanguage(choices: Choices, language: Entry, ownName: string | undefined): Exchange {
  const user = draw(choices, 'given name');
  // Where a phrase has several forms, the first one is said.
  const phrases = Object.fromEntries(language.inOrder.toReversed());
  const slots = { ...phrases, user, 'own name': ownName ?? '' };
  const talk = choices.weighted(
    occasions.map((occasion) => {
      const isPossible = ownName !== undefined || !occasion.get('answer').includes('{own name}');
      return [occasion, isPossible ? Number(occasion.get('weight')) : 0] as const;
    }),
  );
  const also = language.all(`also ${talk.get('of')}`).map((sentence) => sentence.replace('NAME', user));
  const answer = fill(talk.get('answer'), slots);
  const questions = [...talk.all('said'), ...also];
  return ask(choices, { questions, slots, answer }, { keepCase: true, statement: true });
}
