import type { Conversation } from '../conversation.ts';
import type { Choices } from './choices.ts';
import { languages, type Phrases } from './data/languages.ts';
import { personName } from './data/names.ts';
import { words } from './data/rows.ts';
import { conversationOf } from './exchanges.ts';
import { writeImpersonalExchange } from './joined.ts';
import { ask, type Exchange, vary } from './wording.ts';

const roles = words(`
librarian gardener teacher baker doctor guide pilot cook farmer nurse tailor painter writer singer detective captain
scientist robot pirate wizard clerk waiter coach driver builder sailor poet barber judge shopkeeper butler king
`);
const adjectives = words(
  'helpful friendly kind polite clever cheerful calm patient wise old young busy funny careful',
);

interface Persona {
  readonly name: string;
  /** "a helpful librarian". */
  readonly role: string | undefined;
}

/** A system prompt that gives a name, a role or a language, and questions that show it. */
export function writePersonaConversation(choices: Choices): Conversation {
  const write = choices.weighted([
    [named, 62],
    [speaking, 26],
    [translating, 12],
  ]);
  return write(choices);
}

function named(choices: Choices): Conversation {
  const role = choices.chance(0.6) ? drawRole(choices) : undefined;
  const persona = { name: personName(choices), role };
  return conversationOf(
    'persona',
    several(choices, () => inCharacter(choices, persona)),
    {
      system: introduction(choices, persona),
    },
  );
}

function speaking(choices: Choices): Conversation {
  const phrases = choices.pick(languages);
  const name = choices.chance(0.55) ? personName(choices) : undefined;
  const instruction = vary(
    choices,
    `(Answer in|Always answer in|Speak|Reply in|Always speak|Talk in|Please answer in|You speak|Answer only in) ${phrases.language}.`,
  );
  const system =
    name === undefined ? instruction : `${vary(choices, `(You are|Your name is)`)} ${name}. ${instruction}`;
  return conversationOf(
    'persona',
    several(choices, () => inLanguage(choices, phrases, name), 0),
    { system },
  );
}

function translating(choices: Choices): Conversation {
  const phrases = choices.pick(languages);
  const [english, foreign] = choices.pick([
    ['hello', phrases.hello],
    ['thank you', phrases.thanks],
    ['thanks', phrases.thanks],
    ['goodbye', phrases.goodbye],
    ['good morning', phrases.goodMorning],
    ['good night', phrases.goodNight],
    ['yes', phrases.yes],
    ['no', phrases.no],
    ['please', phrases.please],
    ['my name is', phrases.myNameIs],
    ['how are you', phrases.howAreYou],
  ] as const);
  const exchange = ask(choices, {
    questions: [
      `(say|write|tell me) (${english}|"${english}") in ${phrases.language}.`,
      `how (do you say|do I say|does one say|would you say) (${english}|"${english}") in ${phrases.language}?`,
      `(what is|what's) (${english}|"${english}") in ${phrases.language}?`,
      `translate (${english}|"${english}") (to|into) ${phrases.language}.`,
      `(${english}|"${english}") in ${phrases.language}?`,
      `what does one say in ${phrases.language} for (${english}|"${english}")?`,
    ],
    answer: foreign,
  });
  return conversationOf('persona', [exchange], { choices });
}

/** One to three exchanges; before the last, some are about other things. */
function several(choices: Choices, write: () => Exchange, otherShare = 0.4): Exchange[] {
  const count = choices.weighted([
    [1, 70],
    [2, 22],
    [3, 8],
  ]);
  return Array.from({ length: count }, (_, index) =>
    index < count - 1 && choices.chance(otherShare) ? writeImpersonalExchange(choices) : write(),
  );
}

function drawRole(choices: Choices): string {
  const role = choices.pick(roles);
  const phrase = choices.chance(0.6) ? `${choices.pick(adjectives)} ${role}` : role;
  return `${/^[aeiou]/.test(phrase) ? 'an' : 'a'} ${phrase}`;
}

function introduction(choices: Choices, { name, role }: Persona): string {
  const addition =
    '(||| Be brief.| Keep your answers short.| Help the user.| Be polite.| You help people.| Answer in one sentence.' +
    '| Be friendly.| You work for a small company.| You answer questions.)';
  const template =
    role === undefined
      ? `(You are ${name}.|Your name is ${name}.|You are called ${name}.|You are an assistant named ${name}.|You are a helpful assistant called ${name}.|Your name is ${name}. You are a helpful assistant.)`
      : `(You are ${name}, ${role}.|You are ${role} named ${name}.|You are ${role} called ${name}.|Your name is ${name} and you are ${role}.|You are ${role}. Your name is ${name}.|Your name is ${name}. You are ${role}.)`;
  return vary(choices, template + addition);
}

function inCharacter(choices: Choices, { name, role }: Persona): Exchange {
  const whoItIs = role === undefined ? `I am ${name}.` : `I am ${name}, ${role}.`;
  const intent = choices.weighted([
    [
      {
        questions: [
          "(what is|what's|tell me|may I know|can you tell me) your name?",
          '(do you have a name|how are you called|what are you called|your name|what do they call you)?',
          '(hi|hello)(,|!) what is your name?',
          '(what|how) (should|can|do|may) I call you?',
        ],
        answer: `My name is ${name}.`,
      },
      40,
    ],
    [
      {
        questions: [
          'who are you?',
          '(tell me|say) who you are.',
          '(introduce|present) yourself.',
          '(who am I talking to|who am I speaking with|who is this|who is there)?',
          '(hi|hello)(,|!) who are you?',
          '(tell me|say something) about yourself.',
        ],
        answer: whoItIs,
      },
      30,
    ],
    [
      {
        questions: [
          '(hello|hi|hey|hello there|hi there|good day|greetings)(|.|!)',
          '(hello|hi)(,|!) (nice to meet you|are you there|I am new here|can you help me)(|.)',
        ],
        answer: `Hello, I am ${name}. How can I help you?`,
      },
      18,
    ],
    [
      {
        questions: [
          '(what do you do|what is your job|what are you|what is your role|what is your work|what is your profession)?',
          '(what kind of person are you|tell me what you are|what do you work as)?',
        ],
        answer: role === undefined ? `I am ${name}, and I am here to help.` : `I am ${role}.`,
      },
      12,
    ],
  ] as const);
  return ask(choices, intent, { statement: true });
}

function inLanguage(choices: Choices, phrases: Phrases, ownName: string | undefined): Exchange {
  const userName = personName(choices);
  const greeting = {
    questions: ['(hello|hi|hey|hello there|good day)(|.|!)', phrases.hello],
    answer: phrases.hello,
  };
  const intent = choices.weighted([
    [greeting, 24],
    [
      {
        questions: ['(good morning|a good morning to you|morning)(|.|!)', phrases.goodMorning],
        answer: phrases.goodMorning,
      },
      8,
    ],
    [
      {
        questions: ['(thanks|thank you|many thanks|thank you very much|thanks a lot)(|.|!)', phrases.thanks],
        answer: phrases.welcome,
      },
      18,
    ],
    [
      {
        questions: ['(bye|goodbye|good bye|see you|see you later|bye bye)(|.|!)', phrases.goodbye],
        answer: phrases.goodbye,
      },
      16,
    ],
    [
      {
        questions: ['(good night|sleep well|have a good night)(|.|!)', phrases.goodNight],
        answer: phrases.goodNight,
      },
      6,
    ],
    [
      {
        questions: [
          '(how are you|how are you today|how is it going|how do you do|are you well)(?|)',
          phrases.howAreYou,
        ],
        answer: phrases.fine,
      },
      12,
    ],
    [
      {
        questions: [
          `(my name is|I am|I'm|hello, I am|hi, my name is) ${userName}(|.|!)`,
          `${phrases.myNameIs} ${userName}.`,
        ],
        answer: `${phrases.pleased} ${userName}!`,
      },
      16,
    ],
    [
      ownName === undefined
        ? greeting
        : {
            questions: [
              "(what is|what's|tell me) your name(?|)",
              '(who are you|how are you called|what are you called)(?|)',
            ],
            answer: `${phrases.myNameIs} ${ownName}.`,
          },
      22,
    ],
  ] as const);
  return ask(choices, intent, { keepCase: true, statement: true });
}
