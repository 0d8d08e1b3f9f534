import { toSpacedJson } from '../render.ts';
import type { Choices } from './choices.ts';
import { adjectives, nouns } from './data/name-pools.ts';
import type { ToolPlan } from './tool-plan.ts';
import { writeNonsenseWord, writeValue } from './values.ts';
import type { Value, ValueKind } from './values.ts';
import { capitalize } from './wording.ts';

/** What a tool returned, and the one sentence that tells it: always the same form, so that it carries over. */
export interface Outcome {
  readonly content: string;
  readonly sentence: string;
}

const errors = (
  'not found, no connection, access denied, timeout, unknown city, invalid date, too many requests, no such user, ' +
  'out of stock, wrong code, not allowed, bad request, server error, service unavailable, no results, limit reached, ' +
  'card declined, already exists, device offline, name missing'
).split(', ');

const done = [
  '{"ok": true}',
  '{"ok":true}',
  'ok',
  'OK',
  '{"success": true}',
  '{"success":true}',
  '{"status": "ok"}',
  'done',
];

const anyKind: readonly (readonly [ValueKind, number])[] = [
  ['small', 5],
  ['count', 5],
  ['word', 4],
  ['title', 2],
  ['city', 2],
  ['person', 2],
  ['code', 2],
  ['time', 2],
  ['decimal', 2],
  ['colour', 1],
  ['fullName', 1],
  ['date', 1],
  ['flag', 1],
  ['signed', 1],
  ['measure', 2],
];

export function writeOutcome(choices: Choices, plan: ToolPlan): Outcome {
  return choices.weighted([
    [() => fieldsOutcome(choices, plan), 72],
    [() => plainOutcome(choices), 9],
    [() => errorOutcome(choices), 10],
    [() => ({ content: choices.pick(done), sentence: 'Done.' }), 9],
  ])();
}

function fieldsOutcome(choices: Choices, plan: ToolPlan): Outcome {
  const count = choices.weighted([
    [1, 40],
    [2, 42],
    [3, 18],
  ]);
  const fields: Record<string, Value | string[]> = {};
  const known = choices.chance(0.55) ? choices.sample(plan.results, count) : [];
  for (const [key, kind] of known) fields[key] = writeValue(choices, kind);
  while (Object.keys(fields).length < count) fields[writeKey(choices)] = writeAnyValue(choices);
  // Some services wrap what they return.
  const wrapped = choices.chance(0.06)
    ? { [choices.pick(['data', 'result', 'response', 'item'])]: fields }
    : fields;
  return { content: writeJson(choices, wrapped), sentence: `${capitalize(listFields(fields))}.` };
}

function plainOutcome(choices: Choices): Outcome {
  const value = choices.chance(0.8)
    ? writeValue(choices, choices.weighted(anyKind.filter(([kind]) => kind !== 'flag')))
    : listOf(choices);
  const content = Array.isArray(value) ? writeJson(choices, value) : String(value);
  return {
    content,
    sentence: Array.isArray(value) ? `The results are ${joinWords(value)}.` : `The result is ${value}.`,
  };
}

function errorOutcome(choices: Choices): Outcome {
  const error = choices.chance(0.7)
    ? choices.pick(errors)
    : `${choices.pick(['no', 'unknown', 'bad', 'invalid', 'missing'])} ${writeValue(choices, 'word')}`;
  const content = choices.chance(0.8) ? writeJson(choices, { error }) : `error: ${error}`;
  return { content, sentence: `That did not work: ${error}.` };
}

function writeKey(choices: Choices): string {
  return choices.weighted([
    [() => choices.pick(nouns), 5],
    [() => writeNonsenseWord(choices), 3],
    [() => `${choices.pick(adjectives)}_${choices.pick(nouns)}`, 2],
    [
      () =>
        `${choices.pick(nouns)}_${choices.pick(['name', 'id', 'count', 'speed', 'level', 'date', 'status'])}`,
      2,
    ],
  ])();
}

function writeAnyValue(choices: Choices): Value | string[] {
  return choices.chance(0.07) ? listOf(choices) : writeValue(choices, choices.weighted(anyKind));
}

function listOf(choices: Choices): string[] {
  const kind = choices.pick(['person', 'city', 'word', 'title', 'code'] as const);
  const count = choices.integer(2, 3);
  return Array.from({ length: count }, () => String(writeValue(choices, kind)));
}

/** "the temperature is 17, the sky is grey and it is windy". */
function listFields(fields: Readonly<Record<string, Value | readonly string[]>>): string {
  return joinWords(
    Object.entries(fields).map(([key, value]) => {
      const name = key.replaceAll('_', ' ');
      if (typeof value === 'boolean') return value ? `it is ${name}` : `it is not ${name}`;
      return Array.isArray(value) ? `the ${name} is ${joinWords(value)}` : `the ${name} is ${String(value)}`;
    }),
  );
}

/** "a, b and c". */
export function joinWords(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** Compact or with spaces: clients write both. */
function writeJson(choices: Choices, value: unknown): string {
  return choices.chance(0.5) ? JSON.stringify(value) : toSpacedJson(value);
}
