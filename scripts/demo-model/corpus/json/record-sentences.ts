import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { capitalize, joinWords } from '../text/inflect.ts';
import { writeRecordValue } from '../text/values.ts';
import { vary } from '../text/wording.ts';
import { distinct, type Fact, writeList } from './record-fields.ts';

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
