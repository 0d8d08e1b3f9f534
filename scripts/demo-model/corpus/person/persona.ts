import type { Conversation, Message } from '../../conversation.ts';
import { conversationOf } from '../chat/exchanges.ts';
import { writeImpersonalExchange } from '../chat/joined.ts';
import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { draw, drawCount } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { ask, type Exchange, type Intent, intentOf, typed, vary } from '../text/wording.ts';
import {
  drawPersona,
  drawRole,
  introduction,
  type Persona,
  traitTopic,
  traitTopics,
} from './drawn-persona.ts';
import { drawMemories } from './memory-kinds.ts';
import { speaking, translating } from './persona-languages.ts';

/** A system prompt that gives a name, a role or a language, and questions that show it. */
export function writePersonaConversation(choices: Choices): Conversation {
  const write = choices.weighted([
    [named, 64],
    [renamed, 5],
    [speaking, 22],
    [translating, 9],
  ]);
  return write(choices);
}

function named(choices: Choices): Conversation {
  const persona = drawPersona(choices);
  return conversationOf(
    'persona',
    several(choices, () => inCharacter(choices, persona)),
    { system: introduction(choices, persona) },
  );
}

/** The user himself says who the model shall be. */
function renamed(choices: Choices): Conversation {
  const { name } = drawPersona(choices);
  const role = drawRole(choices);
  const persona = { name, role, traits: [] };
  const request = vary(choices, line('requests to pretend'));
  const start = `${capitalize(request)} ${name}, ${role}.`;
  const { question, answer } = inCharacter(choices, persona);
  const messages: Message[] = [
    { role: 'user', content: `${start} ${capitalize(question)}` },
    { role: 'assistant', content: answer },
  ];
  if (choices.chance(0.4)) {
    const next = inCharacter(choices, persona);
    messages.push({ role: 'user', content: next.question }, { role: 'assistant', content: next.answer });
  }
  return { group: 'persona', messages };
}

/** One to four exchanges; before the last, some are about other things or about the user. */
function several(choices: Choices, write: () => Exchange): Exchange[] {
  const count = drawCount(choices, 'exchanges with a persona');
  const [user] = drawMemories(choices, 1);
  const exchanges: Exchange[] = [];
  let isTold = false;
  while (exchanges.length < count - 1) {
    if (user !== undefined && !isTold && choices.chance(0.25)) {
      exchanges.push(ask(choices, user.told, { keepCase: true, statement: true }));
      isTold = true;
    } else exchanges.push(choices.chance(0.4) ? writeImpersonalExchange(choices) : write());
  }
  // Whose name is asked for: the user's or the model's?
  if (user !== undefined && isTold && choices.chance(0.4)) return [...exchanges, ask(choices, user.asked)];
  return [...exchanges, write()];
}

function inCharacter(choices: Choices, { name, role, traits }: Persona): Exchange {
  const [trait] = choices.shuffle(traits);
  const topic = trait === undefined || choices.chance(0.2) ? choices.pick(traitTopics) : trait.topic;
  const entry = traitTopic(topic);
  const traitIntent: Intent = {
    questions: entry.all('question'),
    answer: traits.find((each) => each.topic === topic)?.answer ?? entry.get('unknown'),
  };
  const slots = {
    name,
    self: role === undefined ? name : `${name}, ${role}`,
    'at work': role === undefined ? `I am ${name}, and I am here to help` : `I am ${role}`,
  };
  const about = (asked: string): Intent => intentOf(`persona ${asked} questions`, slots);
  const intent = choices.weighted<Intent>([
    [about('name'), 34],
    [about('self'), 26],
    [about('hello'), 14],
    [about('work'), 18],
    [traitIntent, trait === undefined ? 4 : 40],
    [about('howAreYou'), 6],
    [about('thanks'), 5],
    [about('bye'), 5],
  ]);
  if (choices.chance(0.04)) return checkName(choices, name);
  return ask(choices, intent, { statement: choices.chance(0.7) });
}

/** "Are you Anna?" */
function checkName(choices: Choices, name: string): Exchange {
  const other = choices.chance(0.5) ? name : draw(choices, 'given name');
  const question = vary(choices, `(are you|is your name|are you called|am I talking to|is this) ${other}?`);
  return {
    question: typed(choices, question, { keepCase: true, statement: true }),
    answer: `${other === name ? 'Yes' : 'No'}, my name is ${name}.`,
  };
}
