import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { draw, pickForm } from '../text/forms.ts';
import { capitalize, joinWords } from '../text/inflect.ts';
import { writeRecordValue } from '../text/values.ts';
import { chooseFields, distinct, type Fact, recordSubjects, stateField } from './record-fields.ts';
import { fillSentence } from './record-sentences.ts';

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

/** "In Oslo lives a baker named Anna." */
function describeInOneSentence(choices: Choices): Description {
  return fillSentence(choices, choices.pick(lines('record sentences')));
}

/** "Anna is 31, lives in Oslo and works as a baker." */
function describeSubject(choices: Choices): Description {
  const { keys, kind, leads, fields } = choices.pick(recordSubjects);
  const name = String(writeRecordValue(choices, kind));
  const lead = capitalize(choices.pick(leads).replace('{}', name));
  const facts = chooseFields(choices, fields).map((field) => stateField(choices, field));
  const isPerson = kind === 'person' || kind === 'fullName';
  const plain = facts.every(({ value }) => typeof value !== 'boolean' && !Array.isArray(value));
  return {
    facts: distinct([{ key: choices.pick(keys), value: name, clause: '' }, ...facts]),
    text:
      plain && choices.chance(0.14)
        ? writePossessive(choices, lead, facts)
        : writeSentences(choices, lead, facts, isPerson),
  };
}

/** "Anna's age is 31. The city is Oslo." */
function writePossessive(choices: Choices, lead: string, facts: readonly Fact[]): string {
  return facts
    .map((fact, index) => {
      const [label, value] = [fact.key.replaceAll('_', ' '), String(fact.value)];
      if (index > 0) return `The ${label} is ${value}.`;
      return draw(choices, 'possessive sentences', { lead, label, value, within: within(lead) });
    })
    .join(' ');
}

/** The subject as it stands inside a sentence. */
const within = (lead: string): string =>
  lead.replace(/^(?:My |Our |This |(?:The|A) (?=\p{Ll}))/u, (word) => word.toLowerCase());

/** One sentence, or one for each fact: "Anna is 31. She lives in Oslo." */
function writeSentences(choices: Choices, lead: string, facts: readonly Fact[], isPerson: boolean): string {
  const clauses = facts.map(({ clause }) => clause);
  if (choices.chance(0.6)) return `${lead} ${joinWords(clauses)}.`;
  const pronoun = choices.pick(isPerson ? ['She', 'He'] : ['It']);
  const [first = '', ...others] = clauses;
  return choices.weighted([
    [() => clauses.map((clause, index) => `${index === 0 ? lead : pronoun} ${clause}.`).join(' '), 5],
    [
      () => `${lead}, who ${others.length === 0 ? first : `${joinWords(others)}, ${first}`}.`,
      isPerson && !lead.startsWith('The ') ? 2 : 0,
    ],
    [() => `${lead} ${clauses.join(', ')}.`, 2],
    [() => `${lead} ${clauses.join('; ')}`, 1],
    [() => `${draw(choices, 'said before facts')} ${within(lead)} ${joinWords(clauses)}.`, 4],
    [() => `${lead} ${joinWords(clauses)}. ${draw(choices, 'said after facts')}`, 3],
  ])();
}

/** "Anna, 31, Oslo", "name: Anna; age: 31". */
function describeShortly(choices: Choices): Description {
  const { keys, kind: subjectKind, fields } = choices.pick(recordSubjects);
  const labelled = choices.chance(0.55);
  const fitting = fields.filter(({ kind }) => kind !== 'words' && (labelled || kind !== 'flag'));
  const facts = distinct([
    { key: choices.pick(keys), value: writeRecordValue(choices, subjectKind), clause: '' },
    ...chooseFields(choices, fitting).map((field) => stateField(choices, field)),
  ]);
  const ordered = choices.chance(0.7) ? facts : choices.shuffle(facts);
  return { facts: ordered, text: labelled ? writeLabelled(choices, ordered) : writeBare(choices, ordered) };
}

function writeBare(choices: Choices, facts: readonly Fact[]): string {
  const parts = facts.map(({ key, value }) =>
    key === 'city' && choices.chance(0.3) ? `from ${String(value)}` : String(value),
  );
  const separator = choices.pick([', ', ', ', ', ', '; ', ' / ', ' - ', '\n', ' | ', ' ']);
  return parts.join(separator) + (separator === ', ' ? choices.pick(['.', '']) : '');
}

/** What stands before a label, after it, and between two of them. */
const labelForms = [
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
] as const;

function writeLabelled(choices: Choices, facts: readonly Fact[]): string {
  const upper = choices.chance(0.35);
  const [before, after, separator] = choices.pick(labelForms);
  const [yes, no] = choices.pick(['yes no', 'yes no', 'true false']).split(' ');
  return facts
    .map(({ key, value }) => {
      const label = key.replaceAll('_', ' ');
      const said = typeof value === 'boolean' ? (value ? yes : no) : String(value);
      return `${before}${upper ? capitalize(label) : label}${after}${said}`;
    })
    .join(separator);
}

/** "The river is 12 and the zorp is red.": keys that say nothing beforehand. */
function describeAnything(choices: Choices): Description {
  const facts: Fact[] = [];
  const count = choices.integer(1, 4);
  const form = pickForm(choices, 'unknown facts');
  while (facts.length < count) {
    const key = draw(choices, choices.chance(0.6) ? 'nouns' : 'nonsense word');
    if (facts.some((fact) => fact.key === key)) continue;
    const value = writeRecordValue(choices, draw(choices, 'any record kinds'));
    facts.push({ key, value, clause: form.replace('{key}', key).replace('{}', () => String(value)) });
  }
  const clauses = facts.map(({ clause }) => clause);
  return { facts, text: form.startsWith('the') ? `${capitalize(joinWords(clauses))}.` : clauses.join(', ') };
}
