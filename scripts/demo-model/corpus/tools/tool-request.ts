import type { ToolCall } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { lookupForms, orderForms } from '../data/request-forms.ts';
import { gerund, participle, plural, withArticles } from '../text/inflect.ts';
import { rolesIn } from './tool-family.ts';
import { sayVerb } from './tool-naming.ts';
import { drawArguments } from './tool-plan.ts';
import type { PlannedParameter, ToolPlan, Wording } from './tool-plan.ts';
import type { Value } from '../text/values.ts';
import { capitalize, vary } from '../text/wording.ts';

/** What the user says, and the calls it asks for. */
export interface ToolRequest {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

type Arguments = Readonly<Record<string, Value>>;

/** One wish: the values, and the clause that tells it ("feed the lion at noon"). */
interface Wish {
  readonly values: Arguments;
  readonly clause: string;
}

/** A question or order that one call of this tool answers; `explicit` ones name the tool itself. */
export function writeToolRequest(
  choices: Choices,
  plan: ToolPlan,
  options = { explicit: true },
): ToolRequest {
  const { wording } = plan;
  const answer = (text: string, values: Arguments): ToolRequest => ({
    text,
    calls: [{ name: plan.tool.name, arguments: values }],
  });
  if (options.explicit && choices.chance(0.06)) {
    const values = drawArguments(choices, plan);
    return answer(nameTheTool(choices, plan, values), values);
  }
  if (wording.kind === 'composed') {
    const values = drawArguments(choices, plan);
    return answer(sayComposed(choices, plan, wording, values), values);
  }
  if (choices.chance(0.6) && wording.questions.length > 0) {
    const { values, clause } = fillTemplate(choices, plan, choices.pick(wording.questions));
    return answer(clause, values);
  }
  const { values, clause } = writeWish(choices, plan);
  return answer(wrapOrder(choices, clause), values);
}

const joints = [
  ' and ',
  ' and then ',
  ' and also ',
  ', then ',
  ', and ',
  ' and after that ',
  ' as well as ',
  ' plus ',
];
const followers = [
  'And',
  'Also',
  'Then',
  'After that,',
  'And then',
  'And also',
  'Also please',
  'Next,',
  'In addition,',
];

/** A wish for two calls: of the same tool with other values, or of two tools. */
export function writeDoubleRequest(choices: Choices, first: ToolPlan, second: ToolPlan): ToolRequest {
  const ones = writeWish(choices, first);
  const others = writeWish(choices, second);
  const { wording } = first;
  const calls = (one: Arguments, other: Arguments): ToolCall[] => [
    { name: first.tool.name, arguments: one },
    { name: second.tool.name, arguments: other },
  ];
  if (first === second && wording.kind === 'composed' && choices.chance(0.6)) {
    // "the tide in Oslo and in Rome": the noun once, the details twice.
    const object = sayObject(choices, wording);
    const tails = [ones, others].map(({ values }) => phrases(choices, first, values));
    const joint = choices.pick([' and', ' and', ' and also', ' and then', ', and']);
    const parts = { ...object, tail: tails.join(joint) };
    return {
      text: wording.lookup
        ? frameLookup(choices, parts)
        : frameOrder(choices, pickVerb(choices, wording), parts),
      calls: calls(ones.values, others.values),
    };
  }
  const text = choices.weighted([
    [() => wrapOrder(choices, ones.clause + choices.pick(joints) + others.clause), 5],
    [() => `${wrapOrder(choices, ones.clause)} ${choices.pick(followers)} ${others.clause}.`, 4],
    [() => `${capitalize(ones.clause)}. ${capitalize(others.clause)}.`, 2],
    [() => `Two things: ${ones.clause}, and ${others.clause}.`, 0.6],
    [() => `First ${ones.clause}, then ${others.clause}.`, 1],
    [() => `1. ${capitalize(ones.clause)} 2. ${capitalize(others.clause)}`, 0.5],
    [() => `${capitalize(ones.clause)}. Can you also ${others.clause}?`, 1],
    [() => `I need you to ${ones.clause}. I also want you to ${others.clause}.`, 0.7],
  ])();
  return { text, calls: calls(ones.values, others.values) };
}

function nameTheTool(choices: Choices, plan: ToolPlan, values: Arguments): string {
  const given = Object.entries(values).map(([key, value]) =>
    choices.chance(0.3) && typeof value === 'string' ? `${key} '${value}'` : `${key} ${value}`,
  );
  const start = choices.pick(['Call', 'call', 'Use', 'Please call', 'Run', 'Please use', 'Use the tool']);
  return `${start} ${plan.tool.name}${given.length === 0 ? '' : ` with ${given.join(' and ')}`}${choices.pick(['', '.'])}`;
}

type Composed = Extract<Wording, { kind: 'composed' }>;

/** An object with its details: "the lion", "lion", " at noon". */
interface Parts {
  readonly object: string;
  readonly bare: string;
  readonly tail: string;
}

function sayComposed(choices: Choices, plan: ToolPlan, wording: Composed, values: Arguments): string {
  const object = sayObject(choices, wording);
  const verb = pickVerb(choices, wording);
  const lookedUp = wording.lookup && choices.chance(0.85);
  const frame = (parts: Parts): string =>
    lookedUp ? frameLookup(choices, parts) : frameOrder(choices, verb, parts);
  const tail = phrases(choices, plan, values);
  const labelled = labels(choices, values);
  return choices.weighted([
    [() => frame({ ...object, tail }), 84],
    // The details come first, in a sentence of their own, or as a list.
    [
      () =>
        `${capitalize(tail.trim())}, ${choices.pick(['please ', '', 'can you '])}${verb} ${object.object}`,
      lookedUp || !startsAlone.test(tail) ? 0 : 4,
    ],
    [
      () => `${closed(frame({ ...object, tail: '' }))} ${capitalize(tail.trim())}.`,
      startsAlone.test(tail) ? 3 : 0,
    ],
    [() => `${closed(frame({ ...object, tail: '' }))} ${capitalize(labelled)}`, labelled === '' ? 0 : 5],
    [() => `${verb} ${object.bare}${labelled === '' ? '' : `: ${labelled}`}`, 4],
  ])();
}

/** Details that may begin a sentence: a value at its start would lose its small letter. */
const startsAlone = /^ (?:in|on|at|for|with|to|of|from|by|near) /u;

const closed = (text: string): string => (/[.?!]$/u.test(text) ? text : `${text}.`);

/** "time 5:30, keeper Anna" */
function labels(choices: Choices, values: Arguments): string {
  const mark = choices.pick([': ', ' ', ' = ', ' is ']);
  return Object.entries(values)
    .map(([key, value]) => `${key.replaceAll('_', ' ')}${mark}${value}`)
    .join(choices.pick([', ', ', ', ' and ', '; ']));
}

function pickVerb(choices: Choices, { verb, verbs }: Composed): string {
  return sayVerb(choices.chance(0.6) ? verb : choices.pick(verbs));
}

function sayObject(choices: Choices, { names, mass, lookup }: Composed): Omit<Parts, 'tail'> {
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

/** The clause for one call of the tool, as after "Please". */
function writeWish(choices: Choices, plan: ToolPlan): Wish {
  const { wording } = plan;
  if (wording.kind !== 'composed') {
    return fillTemplate(choices, plan, choices.pick(wording.clauses));
  }
  const values = drawArguments(choices, plan);
  const tail = phrases(choices, plan, values);
  const { object } = sayObject(choices, wording);
  const verb = wording.lookup
    ? choices.pick(['show me', 'get', 'find', 'tell me', 'check', 'look up', 'give me', 'get me'])
    : pickVerb(choices, wording);
  return { values, clause: `${verb} ${object}${tail}` };
}

function frameOrder(choices: Choices, verb: string, { object, bare, tail }: Parts): string {
  const clause = `${verb} ${object}${tail}`;
  return fillForm(vary(choices, choices.weighted(orderForms)), {
    c: clause,
    v: verb,
    g: gerund(verb),
    p: participle(verb),
    n: object,
    b: bare,
    t: tail,
  });
}

const frameLookup = (choices: Choices, { object, bare, tail }: Parts): string =>
  fillForm(vary(choices, choices.weighted(lookupForms)), {
    s: `${object}${tail}`,
    b: bare,
    t: tail,
  });

const clauseForms = orderForms.filter(([form]) => !/\{[^cC]\}/u.test(form));
const wrapOrder = (choices: Choices, clause: string): string =>
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
function phrases(choices: Choices, plan: ToolPlan, values: Arguments): string {
  const given = plan.parameters.filter(({ key }) => key in values);
  const ordered = choices.chance(0.65) ? given : choices.shuffle(given);
  return ordered.map((parameter) => ` ${sayValue(choices, parameter, values)}`).join('');
}

function sayValue(choices: Choices, { key, slot }: PlannedParameter, values: Arguments): string {
  const value = values[key];
  const phrase = choices.pick(value === false ? (slot.negated ?? slot.phrases) : slot.phrases);
  return phrase.replace('{key}', key.replaceAll('_', ' ')).replace('{}', String(value));
}

/** A template of a familiar tool or a family with values; in a family it says itself which ones it needs. */
function fillTemplate(choices: Choices, plan: ToolPlan, template: string): Wish {
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
