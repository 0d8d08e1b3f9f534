import type { Choices } from '../text/choices.ts';
import { entries, lines, words } from '../text/data.ts';
import { drawCount } from '../text/forms.ts';
import { capitalize, joinWords, withAn } from '../text/inflect.ts';
import { changeText } from '../text/slots.ts';
import { type Value, writeRecordValue } from '../text/values.ts';
import { vary } from '../text/wording.ts';

/** A fact: key, value, and how the sentence says it. */
export interface Fact {
  readonly key: string;
  readonly value: Value | readonly string[];
  readonly clause: string;
}

/** One field of a record: how a sentence about its subject says it. */
type RecordField = ReturnType<typeof readField>;

function readField(text: string) {
  const [keys = '', kind = '', clauses = '', negated = clauses] = text.split(': ');
  return {
    /** Any of them may be asked for. */
    keys: words(keys),
    /** "words": a list. */
    kind,
    /** `{}` stands for the value. */
    clauses: clauses.split('; '),
    /** How a flag that is not so is said. */
    negated: negated.split('; '),
  };
}

/** Things people extract facts about. */
export const recordSubjects = entries('record subjects').map((entry) => ({
  keys: words(entry.get('keys')),
  kind: entry.get('kind'),
  /** How a sentence begins with its name. */
  leads: entry.all('lead'),
  fields: entry.all('field').map(readField),
}));

/** Facts about some of the fields. */
export function drawFacts(choices: Choices, fields: readonly RecordField[]): Fact[] {
  const chosen: RecordField[] = [];
  const count = drawCount(choices, 'fields of a record');
  for (const field of choices.shuffle(fields)) {
    // "likes red and likes blue" would leave it open which of them belongs to the key.
    if (chosen.length < count && !chosen.some(({ kind }) => kind === field.kind)) chosen.push(field);
  }
  return chosen.map((field) => stateField(choices, field));
}

function stateField(choices: Choices, { keys, kind, clauses, negated }: RecordField): Fact {
  const key = choices.pick(keys);
  if (kind === 'words') {
    const value = writeList(choices, changeText('kinds in lists', key) ?? '', choices.integer(2, 4));
    return { key, value, clause: choices.pick(clauses).replace('{}', joinWords(value)) };
  }
  const value = writeRecordValue(choices, kind);
  const clause = choices.pick(value === false ? negated : clauses).replace('{}', () => String(value));
  return { key, value, clause: withAn(clause) };
}

/** So many values, each once. */
export const writeList = (choices: Choices, kind: string, count: number): string[] => [
  ...new Set(Array.from({ length: count }, () => String(writeRecordValue(choices, kind)))),
];

/** The facts without those whose key came before. */
export const distinct = (facts: readonly Fact[]): Fact[] =>
  facts.filter(({ key }, index) => facts.findIndex((fact) => fact.key === key) === index);

/** The facts as a JSON object. */
export const factsOf = (facts: readonly Fact[]) =>
  Object.fromEntries(facts.map(({ key, value }) => [key, value]));

const gap = /\{([\w/]+)(?::(\w+)(\+?)|\?([^~{}]*)~([^{}]*))\}/gu;

/** The facts that the sentence's gaps are filled with, and the sentence. */
export function fillSentence(choices: Choices, template: string): { facts: Fact[]; text: string } {
  const facts: Fact[] = [];
  const text = vary(choices, template)
    .replaceAll(gap, (_, keys: string, kind: string | undefined, many: string, yes: string, no: string) => {
      const key = choices.pick(keys.split('/'));
      const value =
        kind === undefined
          ? choices.chance(0.5)
          : many === '+'
            ? writeList(choices, kind, choices.integer(2, 4))
            : writeRecordValue(choices, kind);
      facts.push({ key, value, clause: '' });
      if (kind === undefined) return value === true ? yes : no;
      return Array.isArray(value) ? joinWords(value) : String(value);
    })
    .replaceAll(/\b([Aa]) (?=[aeio])/gu, '$1n ');
  const typed = choices.chance(0.1) ? text.replace(/[.]$/u, '') : text;
  return { facts: distinct(facts), text: choices.chance(0.07) ? typed : capitalize(typed) };
}

/** Two to four facts of the same kind, such as two people. */
export function writeRecords(choices: Choices): { records: readonly (readonly Fact[])[]; text: string } {
  const template = choices.pick(lines('record sentences').filter((sentence) => !sentence.includes('?')));
  const records = Array.from({ length: choices.integer(2, 3) }, () => fillSentence(choices, template));
  const keys = records[0]?.facts.map(({ key }) => key) ?? [];
  return {
    records: records.map(({ facts }) =>
      facts.slice(0, keys.length).map((fact, index) => ({ ...fact, key: keys[index] ?? fact.key })),
    ),
    text: records.map(({ text }) => text.replace(/(?<![.?])$/u, '.')).join(' '),
  };
}
