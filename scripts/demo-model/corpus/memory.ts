import type { Conversation } from '../conversation.ts';
import type { Choices } from './choices.ts';
import { countries } from './data/geography.ts';
import { colours, foods, hobbies, jobs, pets } from './data/memories.ts';
import { madeUpName, personName } from './data/names.ts';
import { conversationOf } from './exchanges.ts';
import { writeImpersonalExchange } from './joined.ts';
import { ask, type Exchange, type Intent } from './wording.ts';

/** Something that a user tells about himself: how it is told, asked for, and answered. */
interface Memory {
  readonly told: Intent;
  readonly asked: readonly string[];
  readonly answer: string;
  /** The answer where it was not told. */
  readonly untold: string;
}

const kinds: readonly (readonly [(choices: Choices) => Memory, number])[] = [
  [name, 34],
  [city, 14],
  [colour, 12],
  [pet, 12],
  [age, 10],
  [food, 8],
  [hobby, 6],
  [job, 6],
];

/** Something told, other talk between, and then the question for it; or a question for what was never told. */
export function writeMemoryConversation(choices: Choices): Conversation {
  const memory = choices.weighted(kinds)(choices);
  const other = choices.weighted(kinds)(choices);
  const isOtherKind = other.untold !== memory.untold;
  const write = choices.weighted([
    [(): Exchange[] => [tell(choices, memory), ...talk(choices), recall(choices, memory)], 45],
    [(): Exchange[] => [tellAndAsk(choices, memory)], 12],
    [(): Exchange[] => [...talk(choices), missIt(choices, memory)], 9],
    [
      (): Exchange[] => [
        ...choices.shuffle([tell(choices, memory), tell(choices, other)]),
        ...talk(choices).slice(0, 1),
        recall(choices, memory),
      ],
      isOtherKind ? 25 : 0,
    ],
    [(): Exchange[] => [tell(choices, other), missIt(choices, memory)], isOtherKind ? 9 : 0],
  ]);
  return conversationOf('memory', write(), { choices });
}

function tell(choices: Choices, { told }: Memory): Exchange {
  return ask(choices, told, { keepCase: true, statement: true });
}

function recall(choices: Choices, { asked, answer }: Memory): Exchange {
  return ask(choices, { questions: asked, answer });
}

/** Told and asked for in one message. */
function tellAndAsk(choices: Choices, memory: Memory): Exchange {
  const statement = tell(choices, memory).question.replace(/[.!]?$/, '.');
  const { question, answer } = recall(choices, memory);
  return { question: `${statement} ${question}`, answer };
}

/** Asked for, though it was never told. */
function missIt(choices: Choices, { asked, untold }: Memory): Exchange {
  return ask(choices, { questions: asked, answer: untold });
}

/** Up to two exchanges about other things. */
function talk(choices: Choices): Exchange[] {
  const length = choices.weighted([
    [0, 45],
    [1, 35],
    [2, 20],
  ]);
  return Array.from({ length }, () => writeImpersonalExchange(choices));
}

const opener = '(|||tell me, |remind me: |quiz: |now, |so )';

function name(choices: Choices): Memory {
  const own = personName(choices);
  return {
    told: {
      questions: [
        `(my name is|I am|I'm|call me|you can call me|they call me|my name's|people call me) ${own}.`,
        `(hello|hi|hey)(,|!) (my name is|I am|I'm) ${own}.`,
        `(remember|please remember|note|keep in mind)(| that| this:) my name is ${own}.`,
      ],
      answer: `Nice to meet you, ${own}.`,
    },
    asked: [
      `${opener}(what is|what's|say) my name?`,
      '(who am I|what am I called|how am I called|do you know my name|do you remember my name|say my name)?',
      '(do you (remember|know)|can you tell me|tell me) (who I am|what I am called|what my name is)?',
    ],
    answer: `Your name is ${own}.`,
    untold: 'You have not told me your name yet.',
  };
}

function city(choices: Choices): Memory {
  const place = choices.chance(0.6) ? choices.pick(countries).capital : madeUpName(choices);
  return {
    told: {
      questions: [
        `(I live in|I am from|I come from|my home is|my city is|I'm from|my home town is) ${place}.`,
        `(remember|note|by the way,|you should know) (that |)I live in ${place}.`,
      ],
      answer: `I will remember that you live in ${place}.`,
    },
    asked: [
      `${opener}where do I live?`,
      `${opener}(which|what) (city|town|place) do I live in?`,
      '(do you (remember|know)|can you tell me|tell me) where I live?',
      '(where am I from|where is my home|what is my city|what is my home town|in which city do I live)?',
    ],
    answer: `You live in ${place}.`,
    untold: 'You have not told me where you live yet.',
  };
}

function favourite(thing: string, value: string): Memory {
  const spelling = '(favourite|favorite)';
  return {
    told: {
      questions: [
        `my ${spelling} ${thing} is ${value}.`,
        `(remember|please remember|note|by the way,|you should know)(| that) my ${spelling} ${thing} is ${value}.`,
        `(I like ${value} best|I like ${value} most|I love ${value}), it is my ${spelling} ${thing}.`,
        `${value} is my ${spelling} ${thing}.`,
      ],
      answer: `I will remember that your favourite ${thing} is ${value}.`,
    },
    asked: [
      `${opener}(what is|what's|which is) my ${spelling} ${thing}?`,
      `(which|what) ${thing} do I (like best|like most|love|like)?`,
      `(do you (remember|know)|can you tell me|tell me) my ${spelling} ${thing}?`,
      `(which|what) is the ${thing} (that |)I like best?`,
    ],
    answer: `Your favourite ${thing} is ${value}.`,
    untold: `You have not told me your favourite ${thing} yet.`,
  };
}

function colour(choices: Choices): Memory {
  const memory = favourite('colour', choices.pick(colours));
  return {
    ...memory,
    asked: [...memory.asked, ...memory.asked.map((asked) => asked.replaceAll('colour', 'color'))],
  };
}

function food(choices: Choices): Memory {
  return favourite('food', choices.pick(foods));
}

function pet(choices: Choices): Memory {
  const [kind, own] = [choices.pick(pets), personName(choices)];
  return {
    told: {
      questions: [
        `(I have|I own|I've got|we have) a ${kind} (named|called) ${own}.`,
        `my ${kind} is (called|named) ${own}.`,
        `(my ${kind}'s name|the name of my ${kind}) is ${own}.`,
      ],
      answer: `I will remember that your ${kind} is called ${own}.`,
    },
    asked: [
      `${opener}(what is|what's) (my ${kind}'s name|the name of my ${kind}|my ${kind} called)?`,
      `(how is my ${kind} called|what do I call my ${kind})?`,
      `(do you (remember|know)|can you tell me|tell me) (my ${kind}'s name|the name of my ${kind}|what my ${kind} is called)?`,
    ],
    answer: `Your ${kind} is called ${own}.`,
    untold: `You have not told me the name of your ${kind} yet.`,
  };
}

function age(choices: Choices): Memory {
  const years = choices.integer(6, 99);
  return {
    told: {
      questions: [
        `(I am|I'm) ${years} (years old|)(.|)`,
        `(my age is|I turned|I have turned|I just turned) ${years}.`,
        `(remember|note|by the way,|you should know) (that |)I am ${years} years old.`,
      ],
      answer: `I will remember that you are ${years} years old.`,
    },
    asked: [
      `${opener}how old am I?`,
      `${opener}(what is|what's) my age?`,
      '(do you (remember|know)|can you tell me|tell me) (how old I am|my age)?',
    ],
    answer: `You are ${years} years old.`,
    untold: 'You have not told me your age yet.',
  };
}

function hobby(choices: Choices): Memory {
  const pastime = choices.pick(hobbies);
  return {
    told: {
      questions: [
        `my hobby is ${pastime}.`,
        `(I like|I love|I enjoy) ${pastime}, it is my hobby.`,
        `(remember|note|by the way,|you should know) (that |)my hobby is ${pastime}.`,
        `${pastime} is my hobby.`,
      ],
      answer: `I will remember that your hobby is ${pastime}.`,
    },
    asked: [
      `${opener}(what is|what's) my hobby?`,
      '(which|what) hobby do I have?',
      '(do you (remember|know)|can you tell me|tell me) (my hobby|what my hobby is|which hobby I have)?',
      'what do I do (in my free time|for fun)?',
    ],
    answer: `Your hobby is ${pastime}.`,
    untold: 'You have not told me your hobby yet.',
  };
}

function job(choices: Choices): Memory {
  const profession = choices.pick(jobs);
  return {
    told: {
      questions: [
        `(I am|I'm|I work as) a ${profession}.`,
        `my (job|profession) is ${profession}.`,
        `(remember|note|by the way,|you should know) (that |)I am a ${profession}.`,
      ],
      answer: `I will remember that you are a ${profession}.`,
    },
    asked: [
      `${opener}(what is|what's) my (job|profession|work)?`,
      `${opener}what do I (do|work as)?`,
      '(do you (remember|know)|can you tell me|tell me) (my job|what my job is|what I work as)?',
    ],
    answer: `You are a ${profession}.`,
    untold: 'You have not told me your job yet.',
  };
}
