import type { Choices } from '../text/choices.ts';
import { countries } from '../data/geography.ts';
import { months } from '../data/measures.ts';
import * as pools from '../data/memories.ts';
import { build, type Memory } from './memory-plan.ts';
import { bearer, colour, food, otherFavourite, secret, siblings, skill } from './memory-things.ts';
import { writeGivenName, writePlace } from '../text/proper-names.ts';

const kinds: readonly (readonly [(choices: Choices) => Memory, number])[] = [
  [name, 30],
  [city, 13],
  [colour, 11],
  [bearer, 14],
  [age, 10],
  [food, 6],
  [hobby, 8],
  [job, 8],
  [otherFavourite, 10],
  [birthday, 4],
  [siblings, 4],
  [skill, 4],
  [secret, 6],
];

export function drawMemory(choices: Choices): Memory {
  return choices.weighted(kinds)(choices);
}

/** Other things that may be told: no two that would be asked for in the same words. */
export function drawMemories(choices: Choices, count: number): Memory[] {
  const memories: Memory[] = [];
  while (memories.length < count) {
    const memory = drawMemory(choices);
    if (!memories.some(({ untold }) => untold === memory.untold)) memories.push(memory);
  }
  return memories;
}

/** The same thing told with another value. */
export function drawOtherValue(choices: Choices, { untold, value }: Memory): Memory {
  for (;;) {
    const memory = drawMemory(choices);
    if (memory.untold === untold && memory.value !== value) return memory;
  }
}

function name(choices: Choices): Memory {
  const own = writeGivenName(choices);
  return build({
    statements: [
      `my name is ${own}`,
      `my name is ${own}`,
      `I am ${own}`,
      `I'm ${own}`,
      `(they|people|my friends|all|others) call me ${own}`,
      `you can call me ${own}`,
      `my name's ${own}`,
      `I am (called|named) ${own}`,
      `I go by ${own}`,
      `my (first name|given name) is ${own}`,
    ],
    messages: [
      `(hello|hi|hey|good morning|good day|good evening)(,|!) (my name is|I am|I'm|this is|I am called) ${own}(.|!|)`,
      `(call me|please call me|just call me|you may call me) ${own}(.|!|)`,
      `(the name is|name:|my name:|it is me,|this is) ${own}(.|!|)`,
      `${own} (is my name|is what they call me|is how I am called|here|is the name)(.|!)`,
      `(let me introduce myself|may I introduce myself|allow me to say who I am)(:|.) (I am|my name is) ${own}.`,
    ],
    reply: `Nice to meet you, ${own}.`,
    things: '(my name|my own name|the name I gave you|my first name|my name)',
    clauses: '(who I am|what I am called|what my name is|how I am called|how to call me|what people call me)',
    questions: [
      "(what is|what's|what was|which is) my name",
      '(who am I|what am I called|how am I called|how do you call me|what is the name I told you|whom are you talking to)',
      '(what do (people|they|my friends) call me|what name did I (give you|tell you|say)|by what name do you know me)',
      '(how did I say that I am called|under which name do you know me|what should you call me|who is talking to you)',
    ],
    answer: `Your name is ${own}.`,
    untold: 'You have not told me your name yet.',
    checks: ['is my name VALUE?', 'am I (called|named|) VALUE?', 'my name is VALUE, right?'],
    value: own,
  });
}

function city(choices: Choices): Memory {
  const place = choices.chance(0.35) ? choices.pick(countries).capital : writePlace(choices);
  return build({
    statements: [
      `I live in ${place}`,
      `I live in ${place}`,
      `I am from ${place}`,
      `I come from ${place}`,
      `my (home|city|home town|town) is ${place}`,
      `I'm from ${place}`,
      `my home is in ${place}`,
      `${place} is (my home|where I live|my home town|my city|the city I live in)`,
      `I (have moved|moved) to ${place}`,
      `(my flat|my house|my apartment) is in ${place}`,
      `I am (at home|living) in ${place}`,
    ],
    messages: [`(greetings|hello|hi) from ${place}, (where I live|my home town|my home).`],
    reply: `I will remember that you live in ${place}.`,
    things:
      '(my city|my home town|my home|the place where I live|the town I live in|my town|the city I come from)',
    clauses:
      '(where I live|where I am from|where my home is|in which city I live|which city I live in|where I come from)',
    questions: [
      '(where do I live|where am I from|where is my home|where do I come from|where am I at home|where is my flat)',
      '(which|what) (city|town|place) (do I live in|am I from|do I come from|is my home|did I say I live in)',
      'in (which|what) (city|town|place) (do I live|am I at home|is my home)',
      '(what is|what was) (my city|my home town|the place where I live)',
    ],
    answer: `You live in ${place}.`,
    untold: 'You have not told me where you live yet.',
    checks: ['do I live in VALUE?', 'am I from VALUE?', 'is my home in VALUE?'],
    value: place,
  });
}

function age(choices: Choices): Memory {
  const years = choices.integer(6, 99);
  return build({
    statements: [
      `I am ${years}`,
      `I am ${years} years old`,
      `I'm ${years} (|years old)`,
      `my age is ${years}`,
      `I (turned|have turned|just turned|became) ${years}( this year| today| last week|)`,
      `I am (aged ${years}|${years} years of age|already ${years}|only ${years})`,
      `I have lived for ${years} years`,
    ],
    messages: [`my age(:| =) ${years}(.|)`, `${years} is my age.`, `(age|years): ${years}`],
    reply: `I will remember that you are ${years} years old.`,
    things: '(my age|my age|the age I gave you|the number of my years)',
    clauses: '(how old I am|how old I am|what my age is|how many years old I am|which age I have)',
    questions: [
      'how old am I',
      "(what is|what's|what was) my age",
      '(how many years old am I|how many years do I count|which age do I have|what age am I|how old did I say I am)',
      '(how many years have I lived|at what age am I|what is my age in years)',
    ],
    answer: `You are ${years} years old.`,
    untold: 'You have not told me your age yet.',
    checks: ['am I VALUE years old?', 'am I VALUE?', 'is my age VALUE?'],
    value: years,
  });
}

function hobby(choices: Choices): Memory {
  const pastime = choices.pick(pools.hobbies);
  return build({
    statements: [
      `my hobby is ${pastime}`,
      `my hobby is ${pastime}`,
      `${pastime} is my (hobby|pastime|favourite pastime)`,
      `(I like|I love|I enjoy) ${pastime}, (it is|that is) my hobby`,
      `(in my free time|at weekends|on Sundays|for fun|after work) I (enjoy|love|like) ${pastime}`,
      `as a hobby I (have|chose) ${pastime}`,
      `I have ${pastime} as a hobby`,
      `I spend my (free time|weekends|evenings) with ${pastime}`,
    ],
    messages: [`my hobby(:| =) ${pastime}(.|)`],
    reply: `I will remember that your hobby is ${pastime}.`,
    things: '(my hobby|my hobby|my pastime|the hobby I have|my free time hobby)',
    clauses:
      '(what my hobby is|which hobby I have|what I do in my free time|what I do for fun|which hobby I told you|how I spend my free time)',
    questions: [
      "(what is|what's|what was) my (hobby|pastime)",
      '(which|what) hobby (do I have|have I|did I tell you about|did I mention|do I enjoy)',
      'what do I (do|like to do|enjoy) (in my free time|for fun|at weekends|after work|as a hobby)',
      'how do I spend my (free time|weekends|spare time)',
    ],
    answer: `Your hobby is ${pastime}.`,
    untold: 'You have not told me your hobby yet.',
    checks: ['is my hobby VALUE?', 'is VALUE my hobby?', 'my hobby is VALUE, right?'],
    value: pastime,
  });
}

function job(choices: Choices): Memory {
  const profession = choices.pick(pools.jobs);
  return build({
    statements: [
      `I am a ${profession}`,
      `I'm a ${profession}`,
      `I work as a ${profession}`,
      `my (job|profession|occupation|work) is ${profession}`,
      `I (earn|make) my (living|money) as a ${profession}`,
      `by (profession|trade) I am a ${profession}`,
      `I (became|have become) a ${profession}`,
      `I have a job as a ${profession}`,
    ],
    messages: [`my (job|profession)(:| =) ${profession}(.|)`],
    reply: `I will remember that you are a ${profession}.`,
    things: '(my job|my profession|my occupation|my work|the job I have)',
    clauses:
      '(what my job is|what I work as|what I do for a living|which job I have|what my profession is|what I do for work)',
    questions: [
      "(what is|what's|what was) my (job|profession|work|occupation)",
      'what do I (work as|do for a living|do for work|do at work|earn my money with)',
      '(which|what) (job|profession) (do I have|have I|did I mention|am I in)',
      'how do I (earn|make) my (living|money)',
    ],
    answer: `You are a ${profession}.`,
    untold: 'You have not told me your job yet.',
    checks: ['am I a VALUE?', 'is my job VALUE?', 'do I work as a VALUE?'],
    value: profession,
  });
}

function birthday(choices: Choices): Memory {
  const date = `${choices.pick(months)} ${choices.integer(1, 28)}`;
  return build({
    statements: [
      `my birthday is on ${date}`,
      `my birthday is ${date}`,
      `I was born on ${date}`,
      `I (have|celebrate) my birthday on ${date}`,
      `${date} is my birthday`,
    ],
    reply: `I will remember that your birthday is on ${date}.`,
    things: '(my birthday|the date of my birthday|my date of birth)',
    clauses: '(when my birthday is|when I was born|on which day my birthday is|when I have birthday)',
    questions: [
      '(when is my birthday|when was I born|when do I celebrate my birthday)',
      '(on (which|what) (day|date)) (is my birthday|was I born)',
      '(what is|what was) (the date of my birthday|my birthday|my date of birth)',
    ],
    answer: `Your birthday is on ${date}.`,
    untold: 'You have not told me your birthday yet.',
    checks: ['is my birthday on VALUE?', 'was I born on VALUE?'],
    value: date,
  });
}
