import type { Choices } from '../text/choices.ts';
import { entries, type Entry, lines, rows } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { draw, pickForm } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { fill } from '../text/slots.ts';
import { typeLoosely, withMarks } from './typing.ts';

// The model's answer where it knows nothing, by the kind of question.

export const knowsLittle =
  'I do not know: I am a tiny model and know little. `hearth models pull` gets one that knows more.';
export const tooMuch =
  'I do not know how: that is too much for a tiny model. `hearth models pull` gets a larger one.';
export const noCode =
  'I cannot help with code: that is too much for a tiny model. `hearth models pull` gets a larger one.';
export const notUnderstood = 'I did not understand that. Could you say it in other words?';

/** One exchange without steps: the question as it is typed, and its answer. */
export const said = (question: string, answer: string): Exchange => ({ question, answer, steps: [] });

/** Entries and how often each is drawn. */
const weighted = (section: string) =>
  entries(section).map((entry) => [entry, Number(entry.find('weight') ?? 1)] as const);

const creations = weighted('creations');

/** One of the things that the entry says, typed by somebody, and its answer. */
export function writeExchangeOf(choices: Choices, entry: Entry): Exchange {
  const form = choices.pick(entry.all('said'));
  return said(typeLoosely(choices, form), withMarks(entry.get('answer')));
}

function talkOf(section: string): Writer {
  const talks = weighted(section);
  return (choices) => writeExchangeOf(choices, choices.weighted(talks));
}

/** Who types something first, and the section that has it with its answers. */
const sections = {
  talk: 'first talk',
  tries: 'first tries',
  developers: "developers' talk",
  'tool terms': 'terms and tools',
  terminal: 'terminal talk',
  children: "children's talk",
  'small children': "small children's talk",
  pupils: "pupils' talk",
  visitors: "visitors' talk",
  everybody: "everybody's talk",
  'rare things': 'rare things',
  'more developers': "more developers' talk",
  'more of everybody': "more of everybody's talk",
} as const;

type Writer = (choices: Choices) => Exchange;

export const talks = Object.fromEntries(
  Object.entries(sections).map(([kind, section]) => [kind, talkOf(section)]),
) as Readonly<Record<keyof typeof sections, Writer>>;

export const writePirateExchange = talkOf('pirate talk');

/** A joke, a poem, a story: about the subject that was asked for, where one was. */
export function writeCreationExchange(choices: Choices): Exchange {
  const entry = choices.weighted(creations);
  const form = choices.pick(entry.all('said'));
  const topic = choices.chance(0.25)
    ? draw(choices, 'subjects')
    : drawThing(choices, form.includes('{a:topic}'));
  const written =
    choices.chance(0.25) && !form.includes('{a:topic}')
      ? `${choices.pick(['my', 'the', 'my'])} ${topic}`
      : topic;
  const isAbout = form.includes('topic') || form.includes('about something');
  const slots = isAbout ? { topic: form.includes('{a:topic}') ? topic : written } : {};
  const answer = fill(entry.get('answer'), slots).replaceAll('|', '\n');
  return said(typeLoosely(choices, form.replaceAll('{a:topic}', articleOf(topic)), slots), answer);
}

const articleOf = (noun: string): string => (/^[aeiou]/u.test(noun) ? 'an' : 'a');

/** Something that a poem or a picture may be of. */
export const drawThing = (choices: Choices, isOne: boolean): string =>
  draw(
    choices,
    choices.pick(isOne ? ['animals', 'creatures', 'nouns'] : ['animals', 'nouns', 'things', 'foods', 'jobs']),
  );

/** The lines of a section as pairs: the text before their first colon, and the answer. */
const answered = (section: string) =>
  lines(section).map((line) => {
    const at = line.indexOf(': ');
    return [line.slice(0, at), line.slice(at + 2)] as const;
  });

/** Questions that are often asked, and their answers. */
const facts = answered('asked facts');
const terms = answered('explained terms');

export function writeAskedFactExchange(choices: Choices): Exchange {
  const [question, answer] = choices.pick(facts);
  return said(typeLoosely(choices, question), answer);
}

/** A term of computing and its meaning; most of them are too rare for that. */
export function writeTermExchange(choices: Choices): Exchange {
  const [term, answer] = choices.chance(0.7)
    ? choices.pick(terms)
    : ([choices.pick(lines('unexplained terms')), knowsLittle] as const);
  const form = pickForm(choices, 'term asks').replace('{term}', term);
  return said(typeLoosely(choices, form), answer);
}

const languages = ['French', 'German', 'Spanish', 'Italian', 'Portuguese', 'Dutch'] as const;
const translated = rows('words in six languages');
const onlyEnglish = 'I know only a few words of other languages. Please ask me in English.';

/** A word or phrase into one of six languages; into others, or of rarer words, only that it is not known. */
export function writeTranslationExchange(choices: Choices): Exchange {
  const at = choices.integer(0, languages.length - 1);
  const isUnknown = choices.chance(0.2);
  const isOtherLanguage = isUnknown && choices.chance(0.5);
  const [english = '', ...words] = choices.pick(translated);
  const asked = isUnknown && !isOtherLanguage ? draw(choices, 'untranslatable') : english;
  const language = isOtherLanguage ? draw(choices, 'other languages') : (languages[at] ?? '');
  const quoted = choices.chance(0.25) ? `"${asked}"` : asked;
  const slots = { quoted, language: choices.chance(0.4) ? language.toLowerCase() : language };
  const answer = isUnknown
    ? `I do not know that in ${language}: I know few words of other languages.`
    : `"${capitalize(asked)}" in ${language} is "${words[at] ?? ''}".`;
  return said(typeLoosely(choices, pickForm(choices, 'translation requests'), slots), answer);
}

/** Something in another language that is more than a greeting. */
export const writeForeignExchange = (choices: Choices): Exchange =>
  said(typeLoosely(choices, pickForm(choices, 'foreign talk')), onlyEnglish);
