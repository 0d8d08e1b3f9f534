import type { Choices } from './choices.ts';

/** A question that a user may ask in several ways, and the one answer to it. */
export interface Intent {
  /** Templates for `vary`. */
  readonly questions: readonly string[];
  readonly answer: string;
}

/** One user message and its answer. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

export interface Manner {
  /** Letter case carries meaning, as in a name that the answer copies. */
  readonly keepCase?: boolean;
  /** A statement or greeting: no "Quick question:" before it. */
  readonly statement?: boolean;
}

/** The template with one option chosen for each `(a|b|c)`; groups may be nested, options may be empty. */
export function vary(choices: Choices, template: string): string {
  let text = template;
  while (text.includes('('))
    text = text.replace(/\(([^()]*)\)/, (_, options: string) => choices.pick(options.split('|')));
  return text
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ([.?,])/g, '$1')
    .trim();
}

const leadIns = [
  'Please tell me: ',
  'Quick question: ',
  'One question: ',
  'Another question: ',
  'Hey, ',
  'Hi, ',
  'Hi! ',
  'Hello! ',
  'Hello, ',
  'Ok, ',
  'Okay, ',
  'Sorry, ',
  'Tell me, ',
  'So ',
  'And ',
  'Now, ',
  'Well, ',
  'Excuse me, ',
  'I wonder: ',
  'Question: ',
  'My question is: ',
  'I have a question: ',
  'I have a question. ',
  'Can you help me? ',
  'I want to know: ',
  'Just wondering: ',
  'Help me: ',
  'Dear model, ',
  'Good day! ',
  'Say, ',
  'Next: ',
  'Then: ',
  'Hm, ',
];
const endings = [
  ' Thanks.',
  ' Please.',
  ' Thank you.',
  ' Thanks!',
  ' Just the answer please.',
  ' I need to know.',
  ' Do you know?',
  ' Tell me.',
  ' Quickly!',
];
const misspellings: readonly (readonly [RegExp, string])[] = [
  [/\bwhat is\b/i, 'waht is'],
  [/\bwhat\b/i, 'wat'],
  [/\bthe\b/i, 'teh'],
  [/\bthe\b/i, 'th'],
  [/\bcapital\b/i, 'captial'],
  [/\bopposite\b/i, 'oposite'],
  [/\bplease\b/i, 'plese'],
  [/\byou\b/i, 'u'],
  [/\byour\b/i, 'ur'],
  [/\bhow\b/i, 'hwo'],
  [/\bspell\b/i, 'spel'],
  [/\bletters\b/i, 'leters'],
  [/\bmodel\b/i, 'modle'],
  [/\bcreate\b/i, 'craete'],
  [/\blist\b/i, 'lsit'],
  [/\bis\b/i, 'si'],
  [/\bwhich\b/i, 'wich'],
  [/\bcount\b/i, 'cuont'],
  [/\baccount\b/i, 'acount'],
  [/\bdoes\b/i, 'dose'],
  [/\bmean\b/i, 'meen'],
];

/** The text as somebody types it: with or without capitals, end mark, polite words, now and then a typo. */
export function typed(choices: Choices, text: string, { keepCase, statement }: Manner = {}): string {
  const roughness = choices.weighted([
    ['neat', 50],
    ['unmarked', 12],
    ['casual', 16],
    ['lower', 4],
    ['led', statement === true ? 0 : 18],
    ['ended', statement === true ? 0 : 6],
  ] as const);
  const misspelt = choices.chance(0.07) ? misspell(choices, text) : text;
  const lower = keepCase === true ? uncapitalize(misspelt) : misspelt.toLowerCase();
  switch (roughness) {
    case 'neat':
      return capitalize(misspelt);
    case 'unmarked':
      return capitalize(withoutEnd(misspelt));
    case 'casual':
      return withoutEnd(lower);
    case 'lower':
      return lower;
    case 'led':
      return choices.pick(leadIns) + uncapitalize(misspelt);
    case 'ended':
      return capitalize(misspelt) + choices.pick(endings);
  }
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A question of the intent as typed by somebody, and its answer. */
export function ask(choices: Choices, { questions, answer }: Intent, manner?: Manner): Exchange {
  return { question: typed(choices, vary(choices, choices.pick(questions)), manner), answer };
}

function uncapitalize(text: string): string {
  return /^(I\b|[A-Z]{2})/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function withoutEnd(text: string): string {
  return text.replace(/(?<=\S) ?[.?!]$/, '');
}

function misspell(choices: Choices, text: string): string {
  const possible = misspellings.filter(([right]) => right.test(text));
  if (possible.length === 0) return text;
  const [right, wrong] = choices.pick(possible);
  return text.replace(right, wrong);
}
