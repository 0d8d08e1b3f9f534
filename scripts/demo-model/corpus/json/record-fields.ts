import type { Choices } from '../text/choices.ts';
import { drawCount } from '../text/forms.ts';
import { rows, words } from '../text/data.ts';
import { entries, type Entry } from '../text/entries.ts';
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
export interface RecordSubject {
  readonly keys: readonly string[];
  readonly kind: string;
  /** How a sentence begins with its name. */
  readonly leads: readonly string[];
  readonly fields: readonly RecordField[];
}

export const recordSubjects: readonly RecordSubject[] = entries('record subjects').map((entry) => ({
  keys: words(entry.get('keys')),
  kind: entry.get('kind'),
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

export function chooseFields(choices: Choices, fields: readonly RecordField[]): RecordField[] {
  const chosen: RecordField[] = [];
  const count = drawCount(choices, 'fields of a record');
  for (const field of choices.shuffle(fields)) {
    // "likes red and likes blue" would leave it open which of them belongs to the key.
    if (chosen.length < count && !chosen.some(({ kind }) => kind === field.kind)) chosen.push(field);
  }
  return chosen;
}

const listKinds = new Map(rows('kinds in lists').map(([key = '', kind = '']) => [key, kind]));

export function stateField(choices: Choices, { keys, kind, clauses, negated }: RecordField): Fact {
  const key = choices.pick(keys);
  if (kind === 'words') {
    const value = writeList(choices, listKinds.get(key) ?? 'person');
    return { key, value, clause: choices.pick(clauses).replace('{}', joinWords(value)) };
  }
  const value = writeRecordValue(choices, kind);
  const forms = value === false && negated !== undefined ? negated : clauses;
  const clause = choices.pick(forms).replace('{}', () => String(value));
  return { key, value, clause: withAn(clause) };
}

/** Two to four different values. */
export function writeList(choices: Choices, kind: string): string[] {
  const count = choices.integer(2, 4);
  return [...new Set(Array.from({ length: count }, () => String(writeRecordValue(choices, kind))))];
}

/** The facts without those whose key came before. */
export const distinct = (facts: readonly Fact[]): Fact[] =>
  facts.filter(({ key }, index) => facts.findIndex((fact) => fact.key === key) === index);
