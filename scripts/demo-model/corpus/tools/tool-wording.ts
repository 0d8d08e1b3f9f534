import type { Choices } from '../text/choices.ts';
import { draw, weightedForms } from '../text/forms.ts';
import { gerund, participle, plural, withArticles } from '../text/inflect.ts';
import { fill } from '../text/slots.ts';
import type { Value } from '../text/values.ts';
import { say, vary } from '../text/wording.ts';
import type { ComposedWording, PlannedParameter, ToolPlan } from './planning/planned-tool.ts';
import { sayVerb } from './planning/composed-tools.ts';
import { drawArguments } from './planning/tool-sets.ts';

export type Arguments = Readonly<Record<string, Value>>;

/** One wish: the values, and the clause that tells it ("feed the lion at noon"). */
export interface Wish {
  readonly values: Arguments;
  readonly clause: string;
}

/** "the lion", "lion", " at noon". */
export type Parts = Readonly<Record<'object' | 'bare' | 'details', string>>;

/** One of the verbs that mean what the tool does, mostly that of its name. */
export const pickVerb = (choices: Choices, { verb, verbs }: ComposedWording): string =>
  sayVerb(choices.chance(0.6) ? verb : choices.pick(verbs));

/** The tool's object, without details. */
export function sayObject(choices: Choices, { names, mass, lookup }: ComposedWording): Parts {
  const name = choices.chance(0.72) ? (names[0] ?? '') : choices.pick(names);
  const many = !mass && !lookup && !name.endsWith('s') && choices.chance(0.08);
  const bare = many ? plural(name) : name;
  const usual = mass || many ? 'the my some our the' : 'a the my the our this';
  const article = choices.pick((lookup ? 'the' : usual).split(' '));
  return { object: withArticles(`${article} ${bare}`), bare, details: '' };
}

/** An order to do this to that. */
export function frameOrder(choices: Choices, verb: string, parts: Parts): string {
  const clause = `${verb} ${parts.object}${parts.details}`;
  return tidy(
    say(choices, 'orders', { ...parts, clause, verb, doing: gerund(verb), done: participle(verb) }),
  );
}

/** A question what this is. */
export const frameLookup = (choices: Choices, parts: Parts): string =>
  tidy(say(choices, 'lookups', { ...parts, asked: parts.object + parts.details }));

const clauseForms = weightedForms('orders').filter(([form]) => !/\{(?!clause|Clause)/u.test(form));

/** An order for what the clause tells. */
export const wrapOrder = (choices: Choices, clause: string): string =>
  tidy(fill(vary(choices, choices.weighted(clauseForms)), { clause }));

/** The text with one mark at its end, where what was put in had one of its own. */
const tidy = (text: string): string => text.replace(/([?!])[.?!,]/u, '$1').replace(/\.\.$/u, '.');

/** The values in a row, each with its preposition, in an order that need not be that of the parameters. */
export function sayDetails(choices: Choices, plan: ToolPlan, values: Arguments): string {
  const given = plan.parameters.filter(({ key }) => key in values);
  return sayValues(choices, choices.chance(0.65) ? given : choices.shuffle(given), values);
}

function sayValues(choices: Choices, given: readonly PlannedParameter[], values: Arguments): string {
  const said = given.map(({ key, slot: { phrases, negated = phrases } }) => {
    const phrase = choices.pick(values[key] === false ? negated : phrases);
    return ` ${phrase.replace('{key}', key.replaceAll('_', ' ')).replace('{}', String(values[key]))}`;
  });
  return said.join('');
}

/** The roles that a request or a template names. */
const rolesIn = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/gu)].map(([, role = '']) => role);

/** A template of a familiar tool or a family with values; in a family it says itself which ones it needs. */
export function fillTemplate(choices: Choices, plan: ToolPlan, template: string): Wish {
  let text = withArticles(vary(choices, template));
  const isFamily = plan.wording.kind === 'family';
  const values = drawArguments(choices, plan, isFamily ? rolesIn(text) : undefined);
  const left: PlannedParameter[] = [];
  for (const parameter of plan.parameters) {
    const gap = `{${parameter.role ?? parameter.key}}`;
    const value = String(values[parameter.key]);
    const article = /^[aeiou]/iu.test(value) ? 'an' : 'a';
    if (text.includes(gap)) text = text.replaceAll(` a ${gap}`, ` ${article} ${gap}`).replaceAll(gap, value);
    else if (parameter.key in values) left.push(parameter);
  }
  const mark = /[.?!]$/u.exec(text)?.[0] ?? '';
  const start = text.slice(0, text.length - mark.length);
  return { values, clause: start + sayValues(choices, left, values) + mark };
}

/** The clause for one call of the tool, as after "Please". */
export function writeWish(choices: Choices, plan: ToolPlan): Wish {
  const { wording } = plan;
  if (wording.kind !== 'composed') return fillTemplate(choices, plan, choices.pick(wording.clauses));
  const values = drawArguments(choices, plan);
  const details = sayDetails(choices, plan, values);
  const { object } = sayObject(choices, wording);
  const verb = wording.lookup ? draw(choices, 'verbs of lookups') : pickVerb(choices, wording);
  return { values, clause: `${verb} ${object}${details}` };
}
