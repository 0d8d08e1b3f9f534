import { toSpacedJson } from '../../render.ts';
import type { Choices } from '../text/choices.ts';
import { errorTemplates, things } from '../data/more-names.ts';
import { adjectives, nouns } from '../data/name-pools.ts';
import { collections, resultKeys, truths } from '../data/result-keys.ts';
import type { ToolPlan } from './tool-plan.ts';
import { writeNonsenseWord, writeValue } from '../text/values.ts';
import type { Value, ValueKind } from '../text/values.ts';
import { capitalize, vary } from '../text/wording.ts';

/** What a tool returned, and the one sentence that tells it: always the same form, so that it carries over. */
export interface Outcome {
  readonly content: string;
  readonly sentence: string;
}

const done = [
  '{"ok": true}',
  '{"ok":true}',
  'ok',
  'OK',
  '{"success": true}',
  '{"success":true}',
  '{"status": "ok"}',
  'done',
  '{"done": true}',
  '{"result": "ok"}',
  '{"status":"success"}',
  '{"ok": 1}',
  'success',
  'Done',
];

const anyKind: readonly (readonly [ValueKind, number])[] = [
  ['small', 4],
  ['count', 4],
  ['large', 4],
  ['precise', 2],
  ['word', 4],
  ['title', 2],
  ['thing', 2],
  ['place', 2],
  ['rareName', 2],
  ['serial', 1],
  ['sentence', 1],
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
    [() => fieldsOutcome(choices, plan), 60],
    [() => plainOutcome(choices), 9],
    [() => errorOutcome(choices), 16],
    [() => emptyOutcome(choices), 4],
    [() => rowsOutcome(choices), 3],
    [() => ({ content: choices.pick(done), sentence: 'Done.' }), 8],
  ])();
}

function fieldsOutcome(choices: Choices, plan: ToolPlan): Outcome {
  const count = choices.weighted([
    [1, 40],
    [2, 40],
    [3, 17],
    [4, 3],
  ]);
  const pool = plan.results.length > 0 && choices.chance(0.4) ? plan.results : resultKeys;
  const fields: Record<string, Value | string[]> = {};
  const known = choices.chance(0.65) ? choices.sample(pool, count) : [];
  for (const [key, kind] of known) fields[key] = writeValue(choices, kind);
  while (Object.keys(fields).length < count) {
    if (choices.chance(0.2)) fields[choices.pick(truths)] = choices.chance(0.5);
    else fields[writeKey(choices)] = writeAnyValue(choices);
  }
  // Some services wrap what they return.
  const wrapped = choices.chance(0.08)
    ? { [choices.pick(['data', 'result', 'response', 'item', 'output', 'payload'])]: fields }
    : fields;
  return { content: writeJson(choices, wrapped), sentence: `${capitalize(listFields(fields))}.` };
}

function plainOutcome(choices: Choices): Outcome {
  const value = choices.chance(0.8) ? writeValue(choices, choices.weighted(anyKind)) : listOf(choices);
  const content = Array.isArray(value) ? writeJson(choices, value) : String(value);
  return {
    content,
    sentence: Array.isArray(value)
      ? `The results are ${joinWords(value)}.`
      : closeSentence(`The result is ${value}`),
  };
}

/** Things that were not found: an empty list under a name, or nothing at all. */
function emptyOutcome(choices: Choices): Outcome {
  if (choices.chance(0.3)) {
    return { content: choices.pick(['[]', '{}', 'null', '""', '']), sentence: 'There are no results.' };
  }
  const key = choices.pick(collections);
  const fields = choices.chance(0.3) ? { [key]: [], count: 0 } : { [key]: [] };
  return { content: writeJson(choices, fields), sentence: `There are no ${key}.` };
}

/** A list of rows with the same two fields, told one after the other. */
function rowsOutcome(choices: Choices): Outcome {
  const [[label, labelKind], [key, kind]] = [
    choices.pick([
      ['name', 'nickname'],
      ['title', 'title'],
      ['city', 'city'],
      ['id', 'code'],
    ] as const),
    choices.pick(resultKeys.filter(([name]) => !['name', 'title', 'city', 'id'].includes(name))),
  ];
  const count = choices.integer(2, 3);
  const found = Array.from({ length: count }, () => ({
    [label]: writeValue(choices, labelKind),
    [key]: writeValue(choices, kind),
  }));
  const content = choices.chance(0.5) ? found : { [choices.pick(collections)]: found };
  const told = found.map((row) => closeSentence(`${row[label]}: ${listFields({ [key]: row[key] ?? '' })}`));
  return { content: writeJson(choices, content), sentence: told.join(' ') };
}

function errorOutcome(choices: Choices): Outcome {
  if (choices.chance(0.05)) {
    const content = choices.pick([
      '{"ok": false}',
      '{"success":false}',
      '{"status": "failed"}',
      'failed',
      'error',
    ]);
    return { content, sentence: 'That did not work.' };
  }
  const error = writeError(choices);
  const said = choices.chance(0.2) ? `${capitalize(error)}${choices.pick(['', '.'])}` : error;
  const content = choices.weighted<unknown>([
    [{ error: said }, 50],
    [`error: ${said}`, 7],
    [`Error: ${said}`, 6],
    [{ error: { message: said } }, 6],
    [{ error: said, code: choices.integer(400, 599) }, 6],
    [{ status: 'error', message: said }, 7],
    [{ ok: false, error: said }, 5],
    [{ success: false, reason: said }, 4],
    [{ error: { code: choices.integer(400, 599), message: said } }, 3],
    [{ errors: [said] }, 3],
  ]);
  return {
    content: typeof content === 'string' ? content : writeJson(choices, content),
    sentence: closeSentence(`That did not work: ${said}`),
  };
}

/** An error message in the words of some program. */
export function writeError(choices: Choices): string {
  const fill = {
    thing: () =>
      choices.weighted([
        [choices.pick(things), 6],
        [choices.pick(nouns), 3],
        [writeNonsenseWord(choices), 1],
      ]),
    code: () => String(writeValue(choices, choices.pick(['code', 'count', 'serial'] as const))),
    number: () => String(writeValue(choices, choices.pick(['digit', 'small', 'count'] as const))),
    name: () =>
      String(
        writeValue(choices, choices.pick(['person', 'rareName', 'city', 'fullName', 'nickname'] as const)),
      ),
    day: () => String(writeValue(choices, 'weekday')),
  };
  return vary(choices, choices.pick(errorTemplates.trim().split('\n'))).replaceAll(
    /\{(thing|code|number|name|day)\}/gu,
    (_, gap: keyof typeof fill) => fill[gap](),
  );
}

function writeKey(choices: Choices): string {
  const thing = (): string => choices.pick(choices.pick([nouns, things]));
  const aspect = (): string =>
    choices.pick([
      'name',
      'id',
      'count',
      'speed',
      'level',
      'date',
      'status',
      'number',
      'code',
      'price',
      'size',
      'time',
    ]);
  return choices.weighted([
    [thing, 5],
    [() => writeNonsenseWord(choices), 3],
    [() => `${choices.pick(adjectives)}_${thing()}`, 2],
    [() => `${thing()}_${aspect()}`, 2],
    [() => `${thing()}${capitalize(aspect())}`, 1],
  ])();
}

function writeAnyValue(choices: Choices): Value | string[] {
  return choices.chance(0.07)
    ? listOf(choices)
    : writeValue(choices, choices.weighted(anyKind.filter(([kind]) => kind !== 'flag')));
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
      const name = key.replaceAll('_', ' ').replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
      if (typeof value === 'boolean') return `it is ${value ? '' : 'not '}${name.replace(/^is /u, '')}`;
      if (!Array.isArray(value)) return `the ${name} is ${String(value)}`;
      return `the ${name} ${name.endsWith('s') ? 'are' : 'is'} ${joinWords(value)}`;
    }),
  );
}

/** The text with a full stop, unless it ends with a mark of its own. */
const closeSentence = (text: string): string => (/[.?!]$/u.test(text) ? text : `${text}.`);

/** "a, b and c". */
export function joinWords(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** Compact or with spaces: clients write both. */
function writeJson(choices: Choices, value: unknown): string {
  return choices.chance(0.5) ? JSON.stringify(value) : toSpacedJson(value);
}
