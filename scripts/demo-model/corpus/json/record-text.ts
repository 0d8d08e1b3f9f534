import type { Choices } from '../text/choices.ts';
import { nouns } from '../data/name-pools.ts';
import type { RecordField } from '../data/record-field.ts';
import { recordSubjects } from '../data/record-fields.ts';
import { recordSentences } from '../data/record-sentences.ts';
import { isRecordKind, type RecordKind, writeRecordValue } from './record-values.ts';
import { joinWords } from '../tools/tool-outcome.ts';
import { isValueKind, type Value, writeNonsenseWord } from '../text/values.ts';
import { capitalize, vary } from '../text/wording.ts';

/** A fact: key, value, and how the sentence says it. */
export interface Fact {
  readonly key: string;
  readonly value: Value | readonly string[];
  readonly clause: string;
}

/** Facts, and the text that states them. */
export interface Description {
  readonly facts: readonly Fact[];
  readonly text: string;
}

export function writeDescription(choices: Choices): Description {
  return choices.weighted([
    [describeSubject, 40],
    [describeInOneSentence, 38],
    [describeShortly, 16],
    [describeAnything, 6],
  ])(choices);
}

/** Two to four facts of the same kind, such as two people. */
export function writeRecords(choices: Choices): { records: readonly (readonly Fact[])[]; text: string } {
  const template = choices.pick(recordSentences.filter((sentence) => !sentence.includes('?')));
  const records = Array.from({ length: choices.integer(2, 3) }, () => fillSentence(choices, template));
  const keys = records[0]?.facts.map(({ key }) => key) ?? [];
  return {
    records: records.map(({ facts }) =>
      facts.slice(0, keys.length).map((fact, index) => ({ ...fact, key: keys[index] ?? fact.key })),
    ),
    text: records.map(({ text }) => text.replace(/(?<![.?])$/u, '.')).join(' '),
  };
}

/** "In Oslo lives a baker named Anna." */
function describeInOneSentence(choices: Choices): Description {
  return fillSentence(choices, choices.pick(recordSentences));
}

const gap = /\{([\w/]+)(?::(\w+)(\+?)|\?([^~{}]*)~([^{}]*))\}/gu;

function fillSentence(choices: Choices, template: string): Description {
  const facts: Fact[] = [];
  const text = vary(choices, template)
    .replaceAll(gap, (_, keys: string, kind: string | undefined, many: string, yes: string, no: string) => {
      const key = choices.pick(keys.split('/'));
      if (kind === undefined) {
        const value = choices.chance(0.5);
        facts.push({ key, value, clause: '' });
        return value ? yes : no;
      }
      const value = many === '+' ? writeList(choices, kindOf(kind)) : writeRecordValue(choices, kindOf(kind));
      facts.push({ key, value, clause: '' });
      return Array.isArray(value) ? joinWords(value) : String(value);
    })
    .replaceAll(/\b([Aa]) (?=[aeio])/gu, '$1n ');
  const typed = choices.chance(0.1) ? text.replace(/[.]$/u, '') : text;
  return { facts: distinct(facts), text: choices.chance(0.07) ? typed : capitalize(typed) };
}

function kindOf(name: string): RecordKind {
  if (isRecordKind(name) || isValueKind(name)) return name;
  throw new RangeError(`no kind of value is called ${name}`);
}

const writeList = (choices: Choices, kind: RecordKind): string[] => [
  ...new Set(Array.from({ length: choices.integer(2, 4) }, () => String(writeRecordValue(choices, kind)))),
];

/** "Anna is 31, lives in Oslo and works as a baker." */
function describeSubject(choices: Choices): Description {
  const { subject, fields } = choices.pick(recordSubjects);
  const name = String(writeRecordValue(choices, subject.kind));
  const lead = capitalize(choices.pick(subject.lead).replace('{}', name));
  const facts = chooseFields(choices, fields).map((field) => stateField(choices, field));
  const pronouns = ['person', 'fullName'].includes(subject.kind) ? ['She', 'He'] : ['It'];
  const plain = facts.every(({ value }) => typeof value !== 'boolean' && !Array.isArray(value));
  return {
    facts: distinct([{ key: choices.pick(subject.keys), value: name, clause: '' }, ...facts]),
    text:
      plain && choices.chance(0.14)
        ? writePossessive(choices, lead, facts)
        : writeSentences(choices, lead, facts, pronouns),
  };
}

/** "Anna's age is 31. The city is Oslo." */
function writePossessive(choices: Choices, lead: string, facts: readonly Fact[]): string {
  return facts
    .map(({ key, value }, index) => {
      const label = key.replaceAll('_', ' ');
      if (index > 0) return `The ${label} is ${String(value)}.`;
      return choices.pick([
        `${lead}'s ${label} is ${String(value)}.`,
        `The ${label} of ${within(lead)} is ${String(value)}.`,
        `For ${within(lead)}, the ${label} is ${String(value)}.`,
      ]);
    })
    .join(' ');
}

/** The subject as it stands inside a sentence. */
const within = (lead: string): string =>
  lead.replace(/^(?:My |Our |This |(?:The|A) (?=\p{Ll}))/u, (word) => word.toLowerCase());

/** One sentence, or one for each fact: "Anna is 31. She lives in Oslo." */
function writeSentences(
  choices: Choices,
  lead: string,
  facts: readonly Fact[],
  pronouns: readonly string[],
): string {
  const clauses = facts.map(({ clause }) => clause);
  if (choices.chance(0.6)) return `${lead} ${joinWords(clauses)}.`;
  const pronoun = choices.pick(pronouns);
  const [first = '', ...others] = clauses;
  return choices.weighted([
    [() => clauses.map((clause, index) => `${index === 0 ? lead : pronoun} ${clause}.`).join(' '), 5],
    [
      () => `${lead}, who ${others.length === 0 ? first : `${joinWords(others)}, ${first}`}.`,
      pronouns.includes('She') && !lead.startsWith('The ') ? 2 : 0,
    ],
    [() => `${lead} ${clauses.join(', ')}.`, 2],
    [() => `${lead} ${clauses.join('; ')}`, 1],
    [() => `${choices.pick(asides)} ${within(lead)} ${joinWords(clauses)}.`, 4],
    [() => `${lead} ${joinWords(clauses)}. ${choices.pick(afterwards)}`, 3],
  ])();
}

const asides = [
  'Note that',
  'We know that',
  'Here is the news:',
  'As you know,',
  'She told me that',
  'It says that',
  'By the way,',
  'For the record:',
  'Today I heard that',
  'Please write down that',
];
const afterwards = [
  'That is all.',
  'Thank you.',
  'That is what I know.',
  'More later.',
  'Please keep it.',
  'Bye!',
];

/** "Anna, 31, Oslo", "name: Anna; age: 31". */
function describeShortly(choices: Choices): Description {
  const { subject, fields } = choices.pick(recordSubjects);
  const labelled = choices.chance(0.55);
  const fitting = fields.filter(({ kind }) => kind !== 'words' && (labelled || kind !== 'flag'));
  const facts = distinct([
    { key: choices.pick(subject.keys), value: writeRecordValue(choices, subject.kind), clause: '' },
    ...chooseFields(choices, fitting).map((field) => stateField(choices, field)),
  ]);
  const ordered = choices.chance(0.7) ? facts : choices.shuffle(facts);
  if (!labelled) {
    const parts = ordered.map(({ key, value }) =>
      key === 'city' && choices.chance(0.3) ? `from ${String(value)}` : String(value),
    );
    const separator = choices.pick([', ', ', ', ', ', '; ', ' / ', ' - ', '\n', ' | ', ' ']);
    return {
      facts: ordered,
      text: parts.join(separator) + (separator === ', ' ? choices.pick(['.', '']) : ''),
    };
  }
  const upper = choices.chance(0.35);
  const [before, after, separator] = choices.pick([
    ['', ': ', '\n'],
    ['', ': ', ', '],
    ['', ': ', '; '],
    ['', '=', ' '],
    ['', ' = ', ', '],
    ['', ' ', ', '],
    ['', ' is ', ', '],
    ['- ', ': ', '\n'],
    ['', ' - ', '\n'],
    ['', ': ', ' | '],
  ] as const);
  const words = choices.pick([
    ['yes', 'no'],
    ['yes', 'no'],
    ['true', 'false'],
  ] as const);
  const text = ordered
    .map(({ key, value }) => {
      const label = key.replaceAll('_', ' ');
      const said = typeof value === 'boolean' ? words[value ? 0 : 1] : String(value);
      return `${before}${upper ? capitalize(label) : label}${after}${said}`;
    })
    .join(separator);
  return { facts: ordered, text };
}

const anyKinds: readonly RecordKind[] = [
  'small',
  'count',
  'price',
  'large',
  'word',
  'city',
  'person',
  'fullName',
  'title',
  'product',
  'company',
  'code',
  'colour',
  'time',
  'flag',
];

/** "The river is 12 and the zorp is red.": keys that say nothing beforehand. */
function describeAnything(choices: Choices): Description {
  const facts: Fact[] = [];
  const count = choices.integer(1, 4);
  const form = choices.pick(['the {key} is {}', 'the {key} is {}', '{key}: {}', '{key} = {}', '{key} {}']);
  while (facts.length < count) {
    const key = choices.chance(0.6) ? choices.pick(nouns) : writeNonsenseWord(choices);
    if (facts.some((fact) => fact.key === key)) continue;
    const value = writeRecordValue(choices, choices.pick(anyKinds));
    facts.push({ key, value, clause: form.replace('{key}', key).replace('{}', () => String(value)) });
  }
  const clauses = facts.map(({ clause }) => clause);
  return { facts, text: form.startsWith('the') ? `${capitalize(joinWords(clauses))}.` : clauses.join(', ') };
}

function chooseFields(choices: Choices, fields: readonly RecordField[]): RecordField[] {
  const chosen: RecordField[] = [];
  const count = choices.weighted([
    [1, 30],
    [2, 40],
    [3, 24],
    [4, 6],
  ]);
  for (const field of choices.shuffle(fields)) {
    // "likes red and likes blue" would leave it open which of them belongs to the key.
    if (chosen.length < count && !chosen.some(({ kind }) => kind === field.kind)) {
      chosen.push(field);
    }
  }
  return chosen;
}

/** The facts without those whose key came before. */
const distinct = (facts: readonly Fact[]): Fact[] =>
  facts.filter(({ key }, index) => facts.findIndex((fact) => fact.key === key) === index);

function stateField(choices: Choices, { keys, kind, clauses, negated }: RecordField): Fact {
  const key = choices.pick(keys);
  if (kind === 'words') {
    const value = writeList(choices, listKinds[key] ?? 'person');
    return { key, value, clause: choices.pick(clauses).replace('{}', joinWords(value)) };
  }
  const value = writeRecordValue(choices, kind);
  const forms = value === false && negated !== undefined ? negated : clauses;
  return {
    key,
    value,
    clause: choices
      .pick(forms)
      .replace('{}', () => String(value))
      .replace(/ a (?=[aeio])/u, ' an '),
  };
}

/** What the lists under these keys hold; the others hold names of people. */
const listKinds: Readonly<Record<string, RecordKind>> = {
  languages: 'tongue',
  ingredients: 'food',
  items: 'food',
  stops: 'city',
};
