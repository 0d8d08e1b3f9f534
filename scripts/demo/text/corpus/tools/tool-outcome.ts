import { toSpacedJson } from '../../render.ts';
import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { compose, draw, drawCount, drawFrom, pickForm, weightedForms } from '../text/forms.ts';
import { capitalize, joinWords, withStop } from '../text/inflect.ts';
import { type Value, writeValue } from '../text/values.ts';
import { vary } from '../text/wording.ts';
import type { ToolPlan } from './planning/planned-tool.ts';
import { readResults } from './planning/tool-trades.ts';

/** A tool's result, and the one sentence that tells it: always of the same form, so that it carries over. */
export interface Outcome {
  readonly content: string;
  readonly sentence: string;
}

const resultKeys = readResults(lines('result keys').join(' '));
const rowLabels = readResults(lines('labels of rows').join(' '));
const keysBesideLabels = resultKeys.filter(([key]) => !rowLabels.some(([label]) => label === key));
const kindsButFlags = weightedForms('kinds of results').filter(([kind]) => kind !== 'flag');

const kinds = { fields, plain, failure, nothing, table, done };

export function writeOutcome(choices: Choices, plan: ToolPlan): Outcome {
  return drawFrom(choices, 'kinds of outcomes', kinds)(choices, plan);
}

function done(choices: Choices): Outcome {
  return { content: pickForm(choices, 'done'), sentence: 'Done.' };
}

function fields(choices: Choices, { results }: ToolPlan): Outcome {
  const count = drawCount(choices, 'fields of a result');
  const pool = results.length > 0 && choices.chance(0.4) ? results : resultKeys;
  const found: Record<string, Value | string[]> = {};
  const known = choices.chance(0.65) ? choices.sample(pool, count) : [];
  for (const [key, kind] of known) found[key] = writeValue(choices, kind);
  while (Object.keys(found).length < count) {
    if (choices.chance(0.2)) found[draw(choices, 'truths')] = choices.chance(0.5);
    else found[draw(choices, 'result key')] = writeAnyValue(choices);
  }
  // Some services wrap their results.
  const wrapped = choices.chance(0.08) ? { [draw(choices, 'wrappers of results')]: found } : found;
  return { content: writeJson(choices, wrapped), sentence: `${capitalize(listFields(found))}.` };
}

function plain(choices: Choices): Outcome {
  if (choices.chance(0.8)) {
    const value = writeValue(choices, pickForm(choices, 'kinds of results'));
    return { content: String(value), sentence: withStop(`The result is ${value}`) };
  }
  const values = listOf(choices);
  return { content: writeJson(choices, values), sentence: `The results are ${joinWords(values)}.` };
}

/** Things that were not found: an empty list under a name, or nothing at all. */
function nothing(choices: Choices): Outcome {
  if (choices.chance(0.3))
    return { content: choices.pick(['[]', '{}', 'null', '""', '']), sentence: 'There are no results.' };
  const key = draw(choices, 'collections');
  const found = choices.chance(0.3) ? { [key]: [], count: 0 } : { [key]: [] };
  return { content: writeJson(choices, found), sentence: `There are no ${key}.` };
}

/** A list of rows with the same two fields, told one after the other. */
function table(choices: Choices): Outcome {
  const [[label, labelKind], [key, kind]] = [choices.pick(rowLabels), choices.pick(keysBesideLabels)];
  const rows = Array.from({ length: choices.integer(2, 3) }, () => ({
    [label]: writeValue(choices, labelKind),
    [key]: writeValue(choices, kind),
  }));
  const content = choices.chance(0.5) ? rows : { [draw(choices, 'collections')]: rows };
  const told = rows.map((row) => withStop(`${row[label]}: ${listFields({ [key]: row[key] ?? '' })}`));
  return { content: writeJson(choices, content), sentence: told.join(' ') };
}

function failure(choices: Choices): Outcome {
  if (choices.chance(0.05)) return { content: pickForm(choices, 'failed'), sentence: 'That did not work.' };
  const error = compose(choices, vary(choices, choices.pick(lines('errors'))));
  const said = choices.chance(0.2) ? `${capitalize(error)}${choices.pick(['', '.'])}` : error;
  const codes = { CODE: choices.integer(400, 599), 'INNER CODE': choices.integer(400, 599) };
  const filled: Readonly<Record<string, unknown>> = { TEXT: said, ...codes };
  const form = pickForm(choices, 'error messages');
  const sentence = withStop(`That did not work: ${said}`);
  if (!form.startsWith('{')) return { content: form.replace('TEXT', () => said), sentence };
  const content: unknown = JSON.parse(form, (_, value) => filled[String(value)] ?? value);
  return { content: writeJson(choices, content), sentence };
}

const writeAnyValue = (choices: Choices): Value | string[] =>
  choices.chance(0.07) ? listOf(choices) : writeValue(choices, choices.weighted(kindsButFlags));

function listOf(choices: Choices): string[] {
  const kind = draw(choices, 'kinds in results');
  const count = choices.integer(2, 3);
  return Array.from({ length: count }, () => String(writeValue(choices, kind)));
}

/** "the temperature is 17, the sky is grey and it is windy". */
function listFields(found: Readonly<Record<string, Value | readonly string[]>>): string {
  const told = Object.entries(found).map(([key, value]) => {
    const name = key.replaceAll('_', ' ').replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
    if (typeof value === 'boolean') return `it is ${value ? '' : 'not '}${name.replace(/^is /u, '')}`;
    if (!Array.isArray(value)) return `the ${name} is ${String(value)}`;
    return `the ${name} ${name.endsWith('s') ? 'are' : 'is'} ${joinWords(value)}`;
  });
  return joinWords(told);
}

/** Compact or with spaces: clients write both. */
const writeJson = (choices: Choices, value: unknown): string =>
  choices.chance(0.5) ? JSON.stringify(value) : toSpacedJson(value);
