import { toSpacedJson } from '../../render.ts';
import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { compose, draw, drawCount, pickForm, weightedForms } from '../text/forms.ts';
import { capitalize, joinWords } from '../text/inflect.ts';
import { type Value, writeValue } from '../text/values.ts';
import { vary } from '../text/wording.ts';
import type { ToolPlan } from './planning/planned-tool.ts';
import { readResults } from './planning/tool-trades.ts';

/** What a tool returned, and the one sentence that tells it: always the same form, so that it carries over. */
export interface Outcome {
  readonly content: string;
  readonly sentence: string;
}

const resultKeys = readResults(lines('result keys').join(' '));
const rowLabels = readResults(lines('labels of rows').join(' '));
const keysBesideLabels = resultKeys.filter(([key]) => !rowLabels.some(([label]) => label === key));
const kindsButFlags = weightedForms('kinds of results').filter(([kind]) => kind !== 'flag');

export function writeOutcome(choices: Choices, plan: ToolPlan): Outcome {
  return choices.weighted([
    [() => fieldsOutcome(choices, plan), 60],
    [() => plainOutcome(choices), 9],
    [() => errorOutcome(choices), 16],
    [() => emptyOutcome(choices), 4],
    [() => rowsOutcome(choices), 3],
    [() => ({ content: pickForm(choices, 'done'), sentence: 'Done.' }), 8],
  ])();
}

function fieldsOutcome(choices: Choices, plan: ToolPlan): Outcome {
  const count = drawCount(choices, 'fields of a result');
  const pool = plan.results.length > 0 && choices.chance(0.4) ? plan.results : resultKeys;
  const fields: Record<string, Value | string[]> = {};
  const known = choices.chance(0.65) ? choices.sample(pool, count) : [];
  for (const [key, kind] of known) fields[key] = writeValue(choices, kind);
  while (Object.keys(fields).length < count) {
    if (choices.chance(0.2)) fields[draw(choices, 'truths')] = choices.chance(0.5);
    else fields[draw(choices, 'result key')] = writeAnyValue(choices);
  }
  // Some services wrap what they return.
  const wrapped = choices.chance(0.08) ? { [draw(choices, 'wrappers of results')]: fields } : fields;
  return { content: writeJson(choices, wrapped), sentence: `${capitalize(listFields(fields))}.` };
}

function plainOutcome(choices: Choices): Outcome {
  if (choices.chance(0.8)) {
    const value = writeValue(choices, pickForm(choices, 'kinds of results'));
    return { content: String(value), sentence: closeSentence(`The result is ${value}`) };
  }
  const values = listOf(choices);
  return { content: writeJson(choices, values), sentence: `The results are ${joinWords(values)}.` };
}

/** Things that were not found: an empty list under a name, or nothing at all. */
function emptyOutcome(choices: Choices): Outcome {
  if (choices.chance(0.3)) {
    return { content: choices.pick(['[]', '{}', 'null', '""', '']), sentence: 'There are no results.' };
  }
  const key = draw(choices, 'collections');
  const fields = choices.chance(0.3) ? { [key]: [], count: 0 } : { [key]: [] };
  return { content: writeJson(choices, fields), sentence: `There are no ${key}.` };
}

/** A list of rows with the same two fields, told one after the other. */
function rowsOutcome(choices: Choices): Outcome {
  const [[label, labelKind], [key, kind]] = [choices.pick(rowLabels), choices.pick(keysBesideLabels)];
  const count = choices.integer(2, 3);
  const found = Array.from({ length: count }, () => ({
    [label]: writeValue(choices, labelKind),
    [key]: writeValue(choices, kind),
  }));
  const content = choices.chance(0.5) ? found : { [draw(choices, 'collections')]: found };
  const told = found.map((row) => closeSentence(`${row[label]}: ${listFields({ [key]: row[key] ?? '' })}`));
  return { content: writeJson(choices, content), sentence: told.join(' ') };
}

function errorOutcome(choices: Choices): Outcome {
  if (choices.chance(0.05)) return { content: pickForm(choices, 'failed'), sentence: 'That did not work.' };
  const error = compose(choices, vary(choices, choices.pick(lines('errors'))));
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

function writeAnyValue(choices: Choices): Value | string[] {
  return choices.chance(0.07) ? listOf(choices) : writeValue(choices, choices.weighted(kindsButFlags));
}

function listOf(choices: Choices): string[] {
  const kind = draw(choices, 'kinds in results');
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

/** Compact or with spaces: clients write both. */
function writeJson(choices: Choices, value: unknown): string {
  return choices.chance(0.5) ? JSON.stringify(value) : toSpacedJson(value);
}
