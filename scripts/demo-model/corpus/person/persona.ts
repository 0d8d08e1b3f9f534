import type { Conversation, Message } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { colours, foods, hobbies } from '../data/memories.ts';
import { personaQuestions, traitQuestions, type TraitTopic } from '../data/persona-questions.ts';
import { additions, adjectives, longRoles, roles } from '../data/personas.ts';
import { conversationOf } from '../chat/exchanges.ts';
import { writeImpersonalExchange } from '../chat/joined.ts';
import { drawMemories } from './memory-kinds.ts';
import { speaking, translating } from './persona-languages.ts';
import { writeCompany, writeFullName, writeGivenName, writePlace } from '../text/proper-names.ts';
import { ask, capitalize, type Exchange, type Intent, typed, vary } from '../text/wording.ts';

interface Persona {
  readonly name: string;
  /** "a helpful librarian". */
  readonly role: string | undefined;
  readonly traits: readonly Trait[];
}

/** Something that the system prompt says of the persona: its home, age, employer, hobby or liking. */
interface Trait {
  readonly topic: TraitTopic;
  /** Template for `vary`: "(You live in|Your home is) Oslo." */
  readonly said: string;
  readonly answer: string;
}

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
  const request = vary(
    choices,
    '(pretend|imagine|let us say|suppose|assume|act as if|from now on,|let us play:|say) (that you are|you are)',
  );
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
  const count = choices.weighted([
    [1, 62],
    [2, 22],
    [3, 11],
    [4, 5],
  ]);
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
  if (user !== undefined && isTold && choices.chance(0.4))
    return [...exchanges, ask(choices, { questions: user.asked, answer: user.answer })];
  return [...exchanges, write()];
}

function drawPersona(choices: Choices): Persona {
  const topics = choices.shuffle<TraitTopic>(['home', 'home', 'age', 'employer', 'hobby', 'colour', 'food']);
  const count = choices.weighted([
    [0, 58],
    [1, 25],
    [2, 12],
    [3, 5],
  ]);
  return {
    name: choices.chance(0.88) ? writeGivenName(choices) : writeFullName(choices),
    role: choices.chance(0.65) ? drawRole(choices) : undefined,
    traits: [...new Set(topics)].slice(0, count).map((topic) => drawTrait(choices, topic)),
  };
}

function drawRole(choices: Choices): string {
  const role = choices.chance(0.82) ? choices.pick(roles) : choices.pick(longRoles);
  const phrase = choices.chance(0.45) ? `${choices.pick(adjectives)} ${role}` : role;
  return `${/^(?:[aeio]|hon)/u.test(phrase) ? 'an' : 'a'} ${phrase}`;
}

function drawTrait(choices: Choices, topic: TraitTopic): Trait {
  switch (topic) {
    case 'home': {
      const place = writePlace(choices);
      const said = `(You live in|You live in|You come from|You are from|Your home is|Your home is in|You are at home in|Home:) ${place}.`;
      return { topic, said, answer: `I live in ${place}.` };
    }
    case 'age': {
      const years = choices.integer(12, 99);
      const said = `(You are ${years} years old|You are ${years}|Your age is ${years}|Age: ${years}).`;
      return { topic, said, answer: `I am ${years} years old.` };
    }
    case 'employer': {
      const company = writeCompany(choices);
      const said = `(You work for|You work at|Your employer is|You are employed by|Employer:) ${company}.`;
      return { topic, said, answer: `I work for ${company}.` };
    }
    case 'hobby': {
      const pastime = choices.pick(hobbies);
      const said = `(You like|You love|You enjoy|Your hobby is|In your free time you enjoy|Hobby:) ${pastime}.`;
      return { topic, said, answer: `My hobby is ${pastime}.` };
    }
    case 'colour':
      return favouriteTrait(topic, choices.pick(colours));
    case 'food':
      return favouriteTrait(topic, choices.pick(foods));
  }
}

const favouriteTrait = (topic: TraitTopic, value: string): Trait => ({
  topic,
  said: `(Your favourite ${topic} is ${value}|You have a favourite ${topic}: ${value}|You like ${value} best of all ${topic}s).`,
  answer: `My favourite ${topic} is ${value}.`,
});

function introduction(choices: Choices, { name, role, traits }: Persona): string {
  const start =
    role === undefined
      ? `(You are ${name}.|You are ${name}.|Your name is ${name}.|You are called ${name}.|You are an assistant named ${name}.|` +
        `You are a helpful assistant called ${name}.|Your name is ${name}. You are a helpful assistant.|You go by the name ${name}.|` +
        `The assistant is called ${name}.|The name of the assistant is ${name}.|Call yourself ${name}.|You are ${name}, and nobody else.|` +
        `From now on you are ${name}.|People call you ${name}.|You are the assistant ${name}.|Introduce yourself as ${name}.|Name: ${name}.|` +
        `You are a chat assistant with the name ${name}.|Act as ${name}.|You answer to the name ${name}.)`
      : `(You are ${name}, ${role}.|You are ${role} named ${name}.|You are ${role} called ${name}.|Your name is ${name} and you are ${role}.|` +
        `You are ${role}. Your name is ${name}.|Your name is ${name}. You are ${role}.|Act as ${name}, ${role}.|Play ${name}, ${role}.|` +
        `You play the role of ${name}, ${role}.|Pretend to be ${name}, ${role}.|You are ${role} and your name is ${name}.|` +
        `You are called ${name} and work as ${role}.|You work as ${role}. People call you ${name}.|Imagine that you are ${role} called ${name}.|` +
        `From now on you are ${name}, ${role}.|Speak as ${name}, ${role}.|Name: ${name}. Role: ${role}.|Be ${name}, ${role}.|` +
        `You are ${role} by the name of ${name}.|In this chat you are ${name}, ${role}.|Stay in the role of ${name}, ${role}.)`;
  const said = traits.map((trait) => trait.said).join(' ');
  return vary(choices, `${start} ${said} ${additions}`);
}

/** Where the persona has no such trait. */
const unknownTraits: Readonly<Record<TraitTopic, string>> = {
  home: 'Nobody has told me where I live.',
  age: 'Nobody has told me how old I am.',
  employer: 'Nobody has told me for whom I work.',
  hobby: 'Nobody has told me my hobby.',
  colour: 'Nobody has told me my favourite colour.',
  food: 'Nobody has told me my favourite food.',
};

function inCharacter(choices: Choices, { name, role, traits }: Persona): Exchange {
  const [trait] = choices.shuffle(traits);
  const topic =
    trait === undefined || choices.chance(0.2)
      ? choices.pick<TraitTopic>(['home', 'age', 'employer', 'hobby', 'colour', 'food'])
      : trait.topic;
  const traitIntent: Intent = {
    questions: traitQuestions[topic],
    answer: traits.find((each) => each.topic === topic)?.answer ?? unknownTraits[topic],
  };
  const answers = {
    name: `My name is ${name}.`,
    self: role === undefined ? `I am ${name}.` : `I am ${name}, ${role}.`,
    hello: `Hello, I am ${name}. How can I help you?`,
    work: role === undefined ? `I am ${name}, and I am here to help.` : `I am ${role}.`,
  };
  const intent = choices.weighted<Intent>([
    [{ questions: personaQuestions.name, answer: answers.name }, 34],
    [{ questions: personaQuestions.self, answer: answers.self }, 26],
    [{ questions: personaQuestions.hello, answer: answers.hello }, 14],
    [{ questions: personaQuestions.work, answer: answers.work }, 18],
    [traitIntent, trait === undefined ? 4 : 40],
    [{ questions: personaQuestions.howAreYou, answer: 'I am fine, thank you. How can I help you?' }, 6],
    [{ questions: personaQuestions.thanks, answer: 'You are welcome!' }, 5],
    [{ questions: personaQuestions.bye, answer: 'Goodbye!' }, 5],
  ]);
  if (choices.chance(0.04)) return checkName(choices, name);
  return ask(choices, intent, { statement: choices.chance(0.7) });
}

/** "Are you Anna?" */
function checkName(choices: Choices, name: string): Exchange {
  const other = choices.chance(0.5) ? name : writeGivenName(choices);
  const question = vary(choices, `(are you|is your name|are you called|am I talking to|is this) ${other}?`);
  return {
    question: typed(choices, question, { keepCase: true, statement: true }),
    answer: `${other === name ? 'Yes' : 'No'}, my name is ${name}.`,
  };
}
