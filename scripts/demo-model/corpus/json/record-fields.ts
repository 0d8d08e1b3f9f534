import type { Choices } from '../text/choices.ts';
import { rows, words } from '../text/data.ts';
import { entries, type Entry } from '../text/entries.ts';
import { drawCount } from '../text/forms.ts';
import { joinWords, withAn } from '../text/inflect.ts';
import { type Value, writeRecordValue } from '../text/values.ts';

/** A fact: key, value, and how the sentence says it. */
export interface Fact {
  readonly key: string;
  readonly value: Value | readonly string[];
  readonly clause: string;
}

/** One field of a record: how a sentence about its subject says it. */
interface RecordField {
  /** Any of them may be asked for. */
  readonly keys: readonly string[];
  /** "words": a list. */
  readonly kind: string;
  /** `{}` stands for the value; flags have two lists instead. */
  readonly clauses: readonly string[];
  readonly negated?: readonly string[];
}

/** Things people extract facts about. */
export const recordSubjects = entries('record subjects').map((entry) => ({
  keys: words(entry.get('keys')),
  kind: entry.get('kind'),
  /** How a sentence begins with its name. */
  leads: entry.all('lead'),
  fields: readFields(entry),
}));

function readFields(entry: Entry): RecordField[] {
  return entry.inOrder().flatMap(([key, text]): RecordField[] => {
    const [keys = '', second = '', third = ''] = text.split(': ');
    const [name, seconds, thirds] = [words(keys), second.split('; '), third.split('; ')];
    if (key === 'flag') return [{ keys: name, kind: 'flag', clauses: seconds, negated: thirds }];
    return key === 'field' ? [{ keys: name, kind: second, clauses: thirds }] : [];
  });
}

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

const listKinds = new Map(rows('kinds in lists').map(([key = '', kind = '']) => [key, kind]));

function stateField(choices: Choices, { keys, kind, clauses, negated = clauses }: RecordField): Fact {
  const key = choices.pick(keys);
  if (kind === 'words') {
    const value = writeList(choices, listKinds.get(key) ?? 'person', choices.integer(2, 4));
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
