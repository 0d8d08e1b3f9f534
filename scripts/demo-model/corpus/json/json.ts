import type { Conversation } from '../../conversation.ts';
import { toSpacedJson } from '../../render.ts';
import type { Choices } from '../text/choices.ts';
import { lines, pairs } from '../text/data.ts';
import { draw, pickForm } from '../text/forms.ts';
import { joinWords } from '../text/inflect.ts';
import { writeRecordValue } from '../text/values.ts';
import { vary } from '../text/wording.ts';
import { type Description, writeDescription } from './descriptions.ts';
import { writeRecords } from './record-sentences.ts';

/** Facts in a sentence and the JSON object that holds them. */
export function writeJsonConversation(choices: Choices): Conversation {
  return choices.weighted([
    [(): Conversation => extract(choices, writeDescription(choices)), 92],
    [(): Conversation => extractList(choices), 4],
    [(): Conversation => extractRecords(choices), 4],
  ])();
}

function extract(choices: Choices, { facts, text }: Description): Conversation {
  const isNamed = choices.chance(0.58);
  const requests = lines(isNamed ? 'requests with keys' : 'requests without keys');
  // Where no keys are named, a schema may decide about them and their order: any subset in any order must work.
  const kept =
    facts.length > 1 && choices.chance(isNamed ? 0.3 : 0.06)
      ? choices.sample(facts, choices.integer(1, facts.length - 1))
      : facts;
  const asked = choices.chance(isNamed ? 0.5 : 0.75) ? kept : choices.shuffle(kept);
  const keys = asked.map(({ key }) => key);
  const flat = Object.fromEntries(asked.map(({ key, value }) => [key, value]));
  const answer = choices.chance(0.02) ? { [draw(choices, 'wrapping keys')]: flat } : flat;
  if (!choices.chance(0.1)) return conversation(fill(choices, choices.pick(requests), keys, text), answer);
  const prompt = isNamed
    ? fill(choices, choices.pick(lines('extraction prompts with keys')), keys, '')
    : vary(choices, choices.pick(lines('extraction prompts')));
  const question = choices.chance(0.5) ? text : fill(choices, choices.pick(requests), keys, text);
  return conversation(question, answer, prompt);
}

/** "We need milk, eggs and bread." */
function extractList(choices: Choices): Conversation {
  const [key, kind] = choices.pick(pairs('listed kinds'));
  const count = choices.integer(2, 5);
  const values = [...new Set(Array.from({ length: count }, () => String(writeRecordValue(choices, kind))))];
  const listed = choices.chance(0.75) ? joinWords(values) : values.join(choices.pick([', ', '; ', '\n']));
  const text = pickForm(choices, 'sentences around a list').replace('{}', () => listed);
  return conversation(fill(choices, choices.pick(lines('requests with keys')), [key], text), {
    [key]: values,
  });
}

/** "Anna is 31. Ben is 42.", as a list of objects. */
function extractRecords(choices: Choices): Conversation {
  const { records, text } = writeRecords(choices);
  const [first = []] = records;
  const key = draw(choices, 'keys of records');
  const answer = {
    [key]: records.map((facts) => Object.fromEntries(facts.map((fact) => [fact.key, fact.value]))),
  };
  const keys = joinWords(first.map((fact) => fact.key));
  const question = draw(choices, 'requests for records', { key, keys, text });
  return conversation(question, answer);
}

function conversation(question: string, answer: unknown, system?: string): Conversation {
  return {
    group: 'json',
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system } as const]),
      { role: 'user', content: question },
      { role: 'assistant', content: toSpacedJson(answer) },
    ],
  };
}

function fill(choices: Choices, request: string, keys: readonly string[], text: string): string {
  // What is put in may hold brackets: it comes after the choices of wording.
  return vary(choices, request)
    .replaceAll(' :', ':')
    .replace('KEYS', () => nameKeys(choices, keys))
    .replace('TEXT', () => text)
    .trim();
}

/** "name, age and city", "the name and the age", "name/age", `{"name": ..., "age": ...}`. */
function nameKeys(choices: Choices, keys: readonly string[]): string {
  const plain = keys.map((key) => key.replaceAll('_', ' '));
  return choices.weighted([
    [() => joinWords(keys), 46],
    [() => joinWords(plain.map((key) => `the ${key}`)), 16],
    [() => keys.join(', '), 16],
    [() => joinWords(keys.map((key) => `"${key}"`)), 6],
    [() => keys.map((key) => `\`${key}\``).join(', '), 3],
    [() => keys.join(choices.pick(['/', ' / ', '; ', ' + '])), 4],
    [() => `(${keys.join(', ')})`, 3],
    [() => `{${keys.map((key) => `"${key}": ...`).join(', ')}}`, 4],
    [() => `[${keys.join(', ')}]`, 2],
  ])();
}
