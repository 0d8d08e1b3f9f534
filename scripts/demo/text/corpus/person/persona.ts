import type { Conversation } from '../../conversation.ts';
import { writeImpersonalExchange } from '../chat/joined.ts';
import type { Choices } from '../text/choices.ts';
import { entries, finder, line, lines } from '../text/data.ts';
import { ask, conversationOf, type Exchange, exchangeOf } from '../text/exchanges.ts';
import { compose, draw, drawCount, drawFrom, pickForm } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { fill } from '../text/slots.ts';
import { typed, vary } from '../text/wording.ts';
import { drawMemories, recall, tell } from './memories.ts';
import { speaking, translating } from './persona-languages.ts';

interface Persona {
  readonly name: string;
  /** "a helpful librarian". */
  readonly role?: string | undefined;
  /** Its home, age, employer, hobby or liking as the system prompt tells them, by topic. */
  readonly traits: ReadonlyMap<string, string>;
}

const namedTraits = entries('traits').map((entry) => [entry.get('topic'), entry] as const);
const traitOf = finder('trait', namedTraits);
const topics = namedTraits.map(([topic]) => topic);

function drawPersona(choices: Choices): Persona {
  const told = new Set(choices.shuffle(lines('topics of traits')));
  const count = drawCount(choices, 'traits of a persona');
  const drawTrait = (topic: string) => [topic, compose(choices, traitOf(topic).get('value'))] as const;
  return {
    name: draw(choices, choices.chance(0.88) ? 'given name' : 'full name'),
    role: choices.chance(0.65) ? drawRole(choices) : undefined,
    traits: new Map([...told].slice(0, count).map(drawTrait)),
  };
}

/** "a helpful librarian", or "the helpful librarian". */
function drawRole(choices: Choices): string {
  const role = draw(choices, 'role with a quality');
  if (choices.chance(0.1)) return `the ${role}`;
  return `${/^(?:[aeio]|hon)/u.test(role) ? 'an' : 'a'} ${role}`;
}

/** The system prompt that introduces the persona. */
function introduction(choices: Choices, { name, role = '', traits }: Persona): string {
  const start = fill(line(role === '' ? 'introductions without a role' : 'introductions'), { name, role });
  const said = [...traits].map(([topic, value]) => fill(traitOf(topic).get('said'), { value })).join(' ');
  return vary(choices, `${start} ${said} ${line('additions')}`);
}

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
  const persona = { name, role, traits: new Map<string, string>() };
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
  const [known] = choices.shuffle([...traits.keys()]);
  const topic = known === undefined || choices.chance(0.2) ? choices.pick(topics) : known;
  const asked = pickForm(choices, `asked of a persona${known === undefined ? '' : ' with traits'}`);
  if (choices.chance(0.04)) return checkName(choices, name);
  const manner = { statement: choices.chance(0.7) };
  if (asked === 'trait') {
    const value = traits.get(topic);
    const trait = traitOf(topic);
    const answer = value === undefined ? trait.get('unknown') : fill(trait.get('answer'), { value });
    return ask(choices, { questions: trait.all('question'), answer }, manner);
  }
  const slots = {
    name,
    self: role === undefined ? name : `${name}, ${role}`,
    'at work': role === undefined ? `I am ${name}, and I am here to help` : `I am ${role}`,
  };
  return exchangeOf(choices, `persona ${asked} questions`, slots, manner);
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
