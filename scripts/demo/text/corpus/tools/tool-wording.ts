import type { Choices } from '../text/choices.ts';
import { draw, weightedForms } from '../text/forms.ts';
import { capitalize, gerund, participle, plural, withArticles, withStop } from '../text/inflect.ts';
import { fill } from '../text/slots.ts';
import { say, vary } from '../text/wording.ts';
import { sayVerb } from './planning/composed-tools.ts';
import type { PlannedParameter } from './planning/parameters.ts';
import type { ComposedWording, ToolPlan } from './planning/planned-tool.ts';
import { type Arguments, drawArguments } from './planning/tool-sets.ts';

/** One wish: the values, and the clause that tells it ("feed the lion at noon"). */
export interface Wish {
  readonly values: Arguments;
  readonly clause: string;
}

/** "the lion", "lion", " at noon". */
type Parts = Readonly<Record<'object' | 'bare' | 'details', string>>;

/** One of the verbs for the tool's act, mostly that of its name. */
const pickVerb = (choices: Choices, { verb, verbs }: ComposedWording): string =>
  sayVerb(choices.chance(0.6) ? verb : choices.pick(verbs));

/** The tool's object, without details. */
function sayObject(choices: Choices, { names, mass, lookup }: ComposedWording): Parts {
  const name = choices.chance(0.72) ? (names[0] ?? '') : choices.pick(names);
  const many = !mass && !lookup && !name.endsWith('s') && choices.chance(0.08);
  const bare = many ? plural(name) : name;
  const usual = mass || many ? 'the my some our the' : 'a the my the our this';
  const article = choices.pick((lookup ? 'the' : usual).split(' '));
  return { object: withArticles(`${article} ${bare}`), bare, details: '' };
}

/** An order to do this to that. */
function frameOrder(choices: Choices, verb: string, parts: Parts): string {
  const forms = { verb, doing: gerund(verb), done: participle(verb) };
  const clause = `${verb} ${parts.object}${parts.details}`;
  return tidy(say(choices, 'orders', { ...parts, ...forms, clause }));
}

/** A question what this is. */
const frameLookup = (choices: Choices, parts: Parts): string =>
  tidy(say(choices, 'lookups', { ...parts, asked: parts.object + parts.details }));

const clauseForms = weightedForms('orders').filter(([form]) => !/\{(?!clause|Clause)/u.test(form));

/** An order for the thing in the clause. */
export const wrapOrder = (choices: Choices, clause: string): string =>
  tidy(fill(vary(choices, choices.weighted(clauseForms)), { clause }));

/** The text with one mark at its end, where the inserted text had one of its own. */
const tidy = (text: string): string => text.replace(/([?!])[.?!,]/u, '$1').replace(/\.\.$/u, '.');

/** The values in a row, each with its preposition, in an order that need not be that of the parameters. */
function sayDetails(choices: Choices, plan: ToolPlan, values: Arguments): string {
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

/** A template of a familiar tool or a family with values; in a family it says itself which ones it needs. */
export function fillTemplate(choices: Choices, plan: ToolPlan, template: string): Wish {
  let text = withArticles(vary(choices, template));
  const roles = [...text.matchAll(/\{(\w+)\}/gu)].map(([, role = '']) => role);
  const values = drawArguments(choices, plan, plan.wording.kind === 'family' ? roles : undefined);
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

/** A request for one call of a composed tool. */
export function sayComposed(choices: Choices, plan: ToolPlan, wording: ComposedWording): Wish {
  const values = drawArguments(choices, plan);
  const object = sayObject(choices, wording);
  const verb = pickVerb(choices, wording);
  const isLookup = wording.lookup && choices.chance(0.85);
  const frame = (parts: Parts): string =>
    isLookup ? frameLookup(choices, parts) : frameOrder(choices, verb, parts);
  const details = sayDetails(choices, plan, values);
  const said = capitalize(details.trim());
  const labelled = label(choices, values);
  const startsAlone = mayStart.test(details);
  const first = startsAlone && !isLookup ? 4 : 0;
  const clause = choices.weighted([
    [() => frame({ ...object, details }), 84],
    // The details come first, in a sentence of their own, or as a list.
    [() => `${said}, ${choices.pick(['please ', '', 'can you '])}${verb} ${object.object}`, first],
    [() => `${withStop(frame(object))} ${said}.`, startsAlone ? 3 : 0],
    [() => `${withStop(frame(object))} ${capitalize(labelled)}`, labelled === '' ? 0 : 5],
    [() => `${verb} ${object.bare}${labelled === '' ? '' : `: ${labelled}`}`, 4],
  ])();
  return { values, clause };
}

/** Details that may begin a sentence: a value at its start would lose its small letter. */
const mayStart = /^ (?:in|on|at|for|with|to|of|from|by|near) /u;

/** "time 5:30, keeper Anna" */
function label(choices: Choices, values: Arguments): string {
  const mark = choices.pick([': ', ' ', ' = ', ' is ']);
  const labelled = Object.entries(values).map(([key, value]) => `${key.replaceAll('_', ' ')}${mark}${value}`);
  return labelled.join(choices.pick([', ', ', ', ' and ', '; ']));
}

/** "the tide in Oslo and in Rome": the noun once, the details twice. */
export function sayTwice(choices: Choices, plan: ToolPlan, wording: ComposedWording, wishes: Wish[]): string {
  const object = sayObject(choices, wording);
  const details = wishes.map(({ values }) => sayDetails(choices, plan, values));
  const parts = { ...object, details: details.join(joint(choices, 'joints of details')) };
  if (wording.lookup) return frameLookup(choices, parts);
  return frameOrder(choices, pickVerb(choices, wording), parts);
}

/** "and" after a space, ", and" without one. */
export function joint(choices: Choices, section: string): string {
  const drawn = draw(choices, section);
  return drawn.startsWith(',') ? drawn : ` ${drawn}`;
}
