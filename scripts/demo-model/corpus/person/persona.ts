import type { Conversation } from '../../conversation.ts';
import { writeImpersonalExchange } from '../chat/joined.ts';
import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { draw, drawCount, drawFrom, pickForm } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { ask, drawIntent, type Exchange } from '../text/intents.ts';
import { conversationOf } from '../text/messages.ts';
import { fill } from '../text/slots.ts';
import { typed, vary } from '../text/wording.ts';
import { drawPersona, drawRole, introduction, type Persona, traitTopics } from './drawn-persona.ts';
import { drawMemories, recall, tell } from './memories.ts';
import { speaking, translating } from './persona-languages.ts';

const kinds = { named, renamed, speaking, translating };

/** A system prompt that gives a name, a role or a language, and questions that show it. */
export function writePersonaConversation(choices: Choices): Conversation {
  return drawFrom(choices, 'kinds of talk with a persona', kinds)(choices);
}

function named(choices: Choices): Conversation {
  const persona = drawPersona(choices);
  const exchanges = several(choices, () => inCharacter(choices, persona));
  return conversationOf('persona', exchanges, introduction(choices, persona));
}

/** The user himself says who the model shall be. */
function renamed(choices: Choices): Conversation {
  const { name } = drawPersona(choices);
  const role = drawRole(choices);
  const persona = { name, role, traits: [] };
  const request = vary(choices, line('requests to pretend'));
  const first = inCharacter(choices, persona);
  const question = `${capitalize(request)} ${name}, ${role}. ${capitalize(first.question)}`;
  const more = choices.chance(0.4) ? [inCharacter(choices, persona)] : [];
  return conversationOf('persona', [{ ...first, question }, ...more]);
}

/** One to four exchanges; before the last, some are about other things or about the user. */
function several(choices: Choices, write: () => Exchange): Exchange[] {
  const count = drawCount(choices, 'exchanges with a persona');
  const [user] = drawMemories(choices, 1);
  const exchanges: Exchange[] = [];
  let isTold = false;
  while (exchanges.length < count - 1) {
    if (!isTold && choices.chance(0.25)) {
      exchanges.push(tell(choices, user));
      isTold = true;
    } else exchanges.push(choices.chance(0.4) ? writeImpersonalExchange(choices) : write());
  }
  // Whose name is asked for: the user's or the model's?
  return [...exchanges, isTold && choices.chance(0.4) ? recall(choices, user) : write()];
}

function inCharacter(choices: Choices, { name, role, traits }: Persona): Exchange {
  const [known] = choices.shuffle(traits);
  const isOther = known === undefined || choices.chance(0.2);
  const topic = isOther ? choices.pick([...traitTopics.keys()]) : known.topic;
  const asked = pickForm(choices, `asked of a persona${known === undefined ? '' : ' with traits'}`);
  if (choices.chance(0.04)) return checkName(choices, name);
  const manner = { statement: choices.chance(0.7) };
  if (asked === 'trait') {
    const entry = traitTopics.get(topic);
    const answer = traits.find((trait) => trait.topic === topic)?.answer ?? entry?.get('unknown') ?? '';
    return ask(choices, { questions: entry?.all('question') ?? [], answer }, manner);
  }
  const slots = {
    name,
    self: role === undefined ? name : `${name}, ${role}`,
    'at work': role === undefined ? `I am ${name}, and I am here to help` : `I am ${role}`,
  };
  return ask(choices, drawIntent(choices, `persona ${asked} questions`, slots), manner);
}

/** "Are you Anna?" */
function checkName(choices: Choices, name: string): Exchange {
  const other = choices.chance(0.5) ? name : draw(choices, 'given name');
  const question = vary(choices, fill(line('checks of a name'), { other }));
  return {
    question: typed(choices, question, { keepCase: true, statement: true }),
    answer: `${other === name ? 'Yes' : 'No'}, my name is ${name}.`,
  };
}
