import type { Choices } from '../text/choices.ts';
import { draw, pickForm, weightedForms } from '../text/forms.ts';
import { capitalize, gerund, participle, plural, withArticles } from '../text/inflect.ts';
import type { Value } from '../text/values.ts';
import { vary } from '../text/wording.ts';
import type { ComposedWording, PlannedParameter, ToolPlan } from './planning/planned-tool.ts';
import { sayVerb } from './planning/tool-naming.ts';
import { drawArguments } from './planning/tool-plan.ts';

export type Arguments = Readonly<Record<string, Value>>;

/** One wish: the values, and the clause that tells it ("feed the lion at noon"). */
export interface Wish {
  readonly values: Arguments;
  readonly clause: string;
}

/** An object with its details: "the lion", "lion", " at noon". */
export interface Parts {
  readonly object: string;
  readonly bare: string;
  readonly tail: string;
}

/** One of the verbs that mean what the tool does, mostly that of its name. */
export function pickVerb(choices: Choices, { verb, verbs }: ComposedWording): string {
  return sayVerb(choices.chance(0.6) ? verb : choices.pick(verbs));
}

export function sayObject(choices: Choices, { names, mass, lookup }: ComposedWording): Omit<Parts, 'tail'> {
  const name = choices.chance(0.72) ? (names[0] ?? '') : choices.pick(names);
  const many = !mass && !lookup && !name.endsWith('s') && choices.chance(0.08);
  const bare = many ? plural(name) : name;
  const articles = lookup
    ? ['the']
    : mass || many
      ? ['the', 'my', 'some', 'our', 'the']
      : ['a', 'the', 'my', 'the', 'our', 'this'];
  return { object: withArticles(`${choices.pick(articles)} ${bare}`), bare };
}

/** An order to do this to that. */
export function frameOrder(choices: Choices, verb: string, { object, bare, tail }: Parts): string {
  const clause = `${verb} ${object}${tail}`;
  return fillForm(vary(choices, pickForm(choices, 'orders')), {
    c: clause,
    v: verb,
    g: gerund(verb),
    p: participle(verb),
    n: object,
    b: bare,
    t: tail,
  });
}

/** A question what this is. */
export const frameLookup = (choices: Choices, { object, bare, tail }: Parts): string =>
  fillForm(vary(choices, pickForm(choices, 'lookups')), { s: `${object}${tail}`, b: bare, t: tail });

const clauseForms = weightedForms('orders').filter(([form]) => !/\{[^cC]\}/u.test(form));

/** An order for what the clause tells. */
export const wrapOrder = (choices: Choices, clause: string): string =>
  fillForm(vary(choices, choices.weighted(clauseForms)), { c: clause });

/** The form with its gaps filled; a capital letter asks for a capitalised text. */
function fillForm(form: string, parts: Readonly<Record<string, string>>): string {
  return form
    .replaceAll(/\{(\w)\}/gu, (_, letter: string) => {
      const text = parts[letter.toLowerCase()] ?? '';
      return letter === letter.toLowerCase() ? text : capitalize(text);
    })
    .replace(/([?!])[.?!,]/u, '$1')
    .replace(/\.\.$/u, '.');
}

/** The values in a row, each with its preposition, in an order that need not be that of the parameters. */
export function sayDetails(choices: Choices, plan: ToolPlan, values: Arguments): string {
  const given = plan.parameters.filter(({ key }) => key in values);
  const ordered = choices.chance(0.65) ? given : choices.shuffle(given);
  return ordered.map((parameter) => ` ${sayValue(choices, parameter, values)}`).join('');
}

function sayValue(choices: Choices, { key, slot }: PlannedParameter, values: Arguments): string {
  const value = values[key];
  const phrase = choices.pick(value === false ? (slot.negated ?? slot.phrases) : slot.phrases);
  return phrase.replace('{key}', key.replaceAll('_', ' ')).replace('{}', String(value));
}

/** The roles that a request or a template names. */
const rolesIn = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/gu)].map(([, role = '']) => role);

/** A template of a familiar tool or a family with values; in a family it says itself which ones it needs. */
export function fillTemplate(choices: Choices, plan: ToolPlan, template: string): Wish {
  const chosen = withArticles(vary(choices, template));
  const isFamily = plan.wording.kind === 'family';
  const values = drawArguments(choices, plan, isFamily ? rolesIn(chosen) : undefined);
  let text = chosen;
  const left: PlannedParameter[] = [];
  for (const parameter of plan.parameters) {
    const gap = `{${parameter.role ?? parameter.key}}`;
    const value = String(values[parameter.key]);
    const article = /^[aeiou]/iu.test(value) ? 'an' : 'a';
    if (text.includes(gap)) text = text.replaceAll(` a ${gap}`, ` ${article} ${gap}`).replaceAll(gap, value);
    else if (parameter.key in values) left.push(parameter);
  }
  const more = left.map((parameter) => ` ${sayValue(choices, parameter, values)}`).join('');
  const mark = /[.?!]$/u.exec(text)?.[0] ?? '';
  const clause = text.slice(0, text.length - mark.length) + more + mark;
  return { values, clause };
}

/** The clause for one call of the tool, as after "Please". */
export function writeWish(choices: Choices, plan: ToolPlan): Wish {
  const { wording } = plan;
  if (wording.kind !== 'composed') {
    return fillTemplate(choices, plan, choices.pick(wording.clauses));
  }
  const values = drawArguments(choices, plan);
  const tail = sayDetails(choices, plan, values);
  const { object } = sayObject(choices, wording);
  const verb = wording.lookup ? draw(choices, 'verbs of lookups') : pickVerb(choices, wording);
  return { values, clause: `${verb} ${object}${tail}` };
}
