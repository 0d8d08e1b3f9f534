import type { Conversation } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { languages, type Phrases, spoken } from '../data/languages.ts';
import { longRoles, roles } from '../data/personas.ts';
import { conversationOf } from '../chat/exchanges.ts';
import { writeGivenName } from '../text/proper-names.ts';
import { ask, type Exchange, type Intent, vary } from '../text/wording.ts';

/** Small talk in another language, as the system prompt wants it. */
export function speaking(choices: Choices): Conversation {
  const phrases = choices.pick(choices.chance(0.95) ? languages.slice(0, usualLanguages) : languages);
  const name = choices.chance(0.6) ? writeGivenName(choices) : undefined;
  const count = choices.weighted([
    [1, 62],
    [2, 24],
    [3, 14],
  ]);
  return conversationOf(
    'persona',
    Array.from({ length: count }, () => inLanguage(choices, phrases, name)),
    { system: instruct(choices, phrases, name) },
  );
}

/** The first ones have more phrases than the others. */
const usualLanguages = 6;

function instruct(choices: Choices, { language }: Phrases, name: string | undefined): string {
  const instruction = vary(
    choices,
    `(Answer in|Always answer in|Speak|Reply in|Always speak|Talk in|Please answer in|You speak|Answer only in|Use only|Write in|Respond in|Always reply in|You only speak|Please speak|All answers must be in|Talk to the user in|The language of your answers is|You always use|Your language is|Stick to|Never speak anything but) ${language}.`,
  );
  if (name === undefined)
    return vary(
      choices,
      `${instruction}(|||| Be brief.| Be polite.| Keep it short.| Help the user.| Do not use English.)`,
    );
  const role = `(${choices.pick(roles)}|${choices.pick(longRoles)}|teacher|assistant)`;
  const introduced = vary(
    choices,
    `(You are ${name}.|Your name is ${name}.|You are called ${name}.|You are ${name}, an assistant.|People call you ${name}.|Your name is ${name}. You work as a ${role}.|Name: ${name}.)`,
  ).replaceAll(/\ba (?=[aeio])/gu, 'an ');
  return choices.chance(0.8) ? `${introduced} ${instruction}` : `${instruction} ${introduced}`;
}

/** "How do you say thank you in French?" */
export function translating(choices: Choices): Conversation {
  const count = choices.chance(0.85) ? 1 : 2;
  return conversationOf(
    'persona',
    Array.from({ length: count }, () => translate(choices)),
    { choices },
  );
}

function translate(choices: Choices): Exchange {
  const phrases = choices.pick(choices.chance(0.95) ? languages.slice(0, usualLanguages) : languages);
  const { language } = phrases;
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
  const quoted = `(${english}|${english}|"${english}"|'${english}'|the (word|words|phrase) "${english}")`;
  const inIt = `in ${language}`;
  return ask(choices, {
    questions: [
      `(say|write|tell me|give me|show me|put|I need|I want to say) ${quoted} ${inIt}.`,
      `how (do you say|do I say|does one say|would you say|can I say|should I say|do people say|do they say|would one say) ${quoted} ${inIt}?`,
      `(what is|what's|what would be) ${quoted} ${inIt}?`,
      `(translate|please translate|can you translate|could you translate) ${quoted} (to|into|from English into) ${language}.`,
      `${quoted} ${inIt}(?|, please.|: how?)`,
      `what does one say ${inIt} for ${quoted}?`,
      `${inIt}, (how do I say|what is|how does one say|what do people say for) ${quoted}?`,
      `(what is|tell me|give me|I need|do you know) the ${language} (word|words|expression|translation) (for|of) ${quoted}?`,
      `(do you know|can you tell me|tell me|I forgot|I would like to know|I want to learn) how to say ${quoted} ${inIt}.`,
      `(do you know|can you tell me|I wonder|tell me) (what ${quoted} is|how ${quoted} is said|how one says ${quoted}) ${inIt}?`,
      `(I am going to a place|I travel to a country|I visit a town) where (people|they|all) speak ${language}. How do I say ${quoted}?`,
      `how is ${quoted} (said|called|written|expressed) ${inIt}?`,
      `${language}(: |, )${quoted}?`,
      `(my|the) (friend|guest|neighbour|teacher) speaks (only |)${language}. How do I say ${quoted} (to him|to her|then)?`,
    ],
    answer: foreign,
  });
}

function inLanguage(choices: Choices, phrases: Phrases, ownName: string | undefined): Exchange {
  const userName = writeGivenName(choices);
  const said = spoken[phrases.language];
  const intents: Record<string, Intent> = {
    hello: {
      questions: [
        '(hello|hi|hey|hello there|good day|hi there|greetings|hey there|hello you|good afternoon|hello, are you there)(|.|!)',
        phrases.hello,
        ...(said?.hello ?? []),
      ],
      answer: phrases.hello,
    },
    morning: {
      questions: [
        '(good morning|a good morning to you|morning|a very good morning)(|.|!)',
        phrases.goodMorning,
      ],
      answer: phrases.goodMorning,
    },
    thanks: {
      questions: [
        '(thanks|thank you|many thanks|thank you very much|thanks a lot|thank you so much|I thank you|thanks for your help|thank you for everything|great, thanks)(|.|!)',
        phrases.thanks,
        ...(said?.thanks ?? []),
      ],
      answer: phrases.welcome,
    },
    goodbye: {
      questions: [
        '(bye|goodbye|good bye|see you|see you later|bye bye|farewell|so long|see you tomorrow|I have to go|I am leaving now|that is all, bye)(|.|!)',
        phrases.goodbye,
        ...(said?.goodbye ?? []),
      ],
      answer: phrases.goodbye,
    },
    night: {
      questions: [
        '(good night|sleep well|have a good night|I am going to bed|I go to sleep now)(|.|!)',
        phrases.goodNight,
      ],
      answer: phrases.goodNight,
    },
    howAreYou: {
      questions: [
        "(how are you|how are you today|how is it going|how do you do|are you well|how are you doing|how do you feel|how's it going|is everything fine)(?|)",
        '(hello|hi)(,|!) (how are you|how are you doing)(?|)',
        phrases.howAreYou,
        ...(said?.howAreYou ?? []),
      ],
      answer: phrases.fine,
    },
    named: {
      questions: [
        `(my name is|I am|I'm|hello, I am|hi, my name is|they call me|call me|you can call me) ${userName}(|.|!)`,
        `${phrases.myNameIs} ${userName}.`,
        ...(said?.named ?? []).map((sentence) => sentence.replace('NAME', userName)),
      ],
      answer: `${phrases.pleased} ${userName}!`,
    },
    yourName: {
      questions: [
        "(what is|what's|tell me|may I know|can you tell me) your name(?|)",
        '(who are you|how are you called|what are you called|what should I call you|do you have a name|what do people call you)(?|)',
        '(introduce yourself|tell me who you are|say your name)(.|)',
        ...(said?.yourName ?? []),
      ],
      answer: `${phrases.myNameIs} ${ownName ?? ''}.`,
    },
  };
  const intent = choices.weighted([
    ['hello', 22],
    ['morning', 8],
    ['thanks', 18],
    ['goodbye', 16],
    ['night', 7],
    ['howAreYou', 14],
    ['named', 16],
    ['yourName', ownName === undefined ? 0 : 26],
  ] as const);
  return ask(choices, intents[intent] as Intent, { keepCase: true, statement: true });
}
