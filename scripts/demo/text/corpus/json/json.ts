import type { Conversation } from '../../conversation.ts';
import { toSpacedJson } from '../../render.ts';
import type { Choices } from '../text/choices.ts';
import { hasSection, lines, pairs } from '../text/data.ts';
import { systemMessages, turn } from '../text/exchanges.ts';
import { draw, drawFrom, pickForm } from '../text/forms.ts';
import { joinWords } from '../text/inflect.ts';
import { vary } from '../text/wording.ts';
import { writeDescription } from './descriptions.ts';
import { factsOf, writeList, writeRecords } from './record-fields.ts';

const kinds = { description, list, records };

/** Facts in a sentence and the JSON object that holds them. */
export function writeJsonConversation(choices: Choices): Conversation {
  const { question, answer, system } = drawFrom(choices, 'kinds of JSON', kinds)(choices);
  return { group: 'json', messages: [...systemMessages(system), ...turn(question, toSpacedJson(answer))] };
}

interface Extraction {
  readonly question: string;
  readonly answer: unknown;
  readonly system?: string;
}

function description(choices: Choices): Extraction {
  const { facts, text } = writeDescription(choices);
  const isNamed = choices.chance(0.58);
  // Where no keys are named, a schema may decide about them and their order: any subset in any order must work.
  const kept =
    facts.length > 1 && choices.chance(isNamed ? 0.3 : 0.06)
      ? choices.sample(facts, choices.integer(1, facts.length - 1))
      : facts;
  const asked = choices.chance(isNamed ? 0.5 : 0.75) ? kept : choices.shuffle(kept);
  const keys = asked.map(({ key }) => key);
  const flat = factsOf(asked);
  const answer = choices.chance(0.02) ? { [draw(choices, 'wrapping keys')]: flat } : flat;
  const requests = isNamed ? 'requests with keys' : 'requests without keys';
  if (!choices.chance(0.1)) return { question: request(choices, requests, keys, text), answer };
  const system = request(choices, isNamed ? 'extraction prompts with keys' : 'extraction prompts', keys);
  const question = choices.chance(0.5) ? text : request(choices, requests, keys, text);
  return { question, answer, system };
}

/** "We need milk, eggs and bread." */
function list(choices: Choices): Extraction {
  const [key, kind] = choices.pick(pairs('listed kinds'));
  const values = writeList(choices, kind, choices.integer(2, 5));
  const listed = choices.chance(0.75) ? joinWords(values) : values.join(choices.pick([', ', '; ', '\n']));
  const text = pickForm(choices, 'sentences around a list').replace('{}', () => listed);
  return { question: request(choices, 'requests with keys', [key], text), answer: { [key]: values } };
}

/** "Anna is 31. Ben is 42.", as a list of objects. */
function records(choices: Choices): Extraction {
  const { records: found, text } = writeRecords(choices);
  const key = draw(choices, 'keys of records');
  const keys = joinWords(found[0]?.map((fact) => fact.key) ?? []);
  const question = draw(choices, 'requests for records', { key, keys, text });
  return { question, answer: { [key]: found.map(factsOf) } };
}

/** A request for JSON. Keys and text are put in after the choices of wording, as they may hold brackets. */
function request(choices: Choices, section: string, keys: readonly string[], text = ''): string {
  return vary(choices, choices.pick(lines(section)))
    .replaceAll(' :', ':')
    .replace('KEYS', () => nameKeys(choices, keys))
    .replace('TEXT', () => text)
    .trim();
}

/** "name, age and city", "the name and the age", "name/age", `{"name": ..., "age": ...}`. */
function nameKeys(choices: Choices, keys: readonly string[]): string {
  const form = pickForm(choices, 'named keys');
  const example = hasSection(form) ? pickForm(choices, form) : form;
  const named = example.includes('LABEL') ? keys.map((key) => key.replaceAll('_', ' ')) : keys;
  const [start = '', joint = '', lastJoint = '', end = ''] = example.split(/KEY|LABEL/u);
  const [last = '', others] = [named.at(-1), named.slice(0, -1).join(joint)];
  return start + (named.length > 1 ? others + lastJoint : '') + last + end;
}
