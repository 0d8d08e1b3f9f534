import type { ToolCall } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { draw, pickForm } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { fill } from '../text/slots.ts';
import type { ComposedWording, ToolPlan } from './planning/planned-tool.ts';
import { drawArguments } from './planning/tool-sets.ts';
import {
  fillTemplate,
  frameLookup,
  frameOrder,
  type Parts,
  pickVerb,
  sayDetails,
  sayObject,
  type Wish,
  wrapOrder,
  writeWish,
} from './tool-wording.ts';

/** What the user says, and the calls it asks for. */
export interface ToolRequest {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

const callOf = ({ tool }: ToolPlan, { values }: Wish): ToolCall => ({ name: tool.name, arguments: values });

/** A question or order that one call of this tool answers, now and then, if `mayName`, by the tool's name. */
export function writeToolRequest(choices: Choices, plan: ToolPlan, mayName = true): ToolRequest {
  const wish = mayName && choices.chance(0.06) ? nameTheTool(choices, plan) : sayWish(choices, plan);
  return { text: wish.clause, calls: [callOf(plan, wish)] };
}

function nameTheTool(choices: Choices, plan: ToolPlan): Wish {
  const values = drawArguments(choices, plan);
  const given = Object.entries(values).map(([key, value]) =>
    choices.chance(0.3) && typeof value === 'string' ? `${key} '${value}'` : `${key} ${value}`,
  );
  const start = `${draw(choices, 'calls by name')} ${plan.tool.name}`;
  const end = choices.pick(['', '.']);
  return { values, clause: start + (given.length === 0 ? '' : ` with ${given.join(' and ')}`) + end };
}

function sayWish(choices: Choices, plan: ToolPlan): Wish {
  const { wording } = plan;
  if (wording.kind === 'composed') return sayComposed(choices, plan, wording);
  if (choices.chance(0.6) && wording.questions.length > 0)
    return fillTemplate(choices, plan, choices.pick(wording.questions));
  const { values, clause } = writeWish(choices, plan);
  return { values, clause: wrapOrder(choices, clause) };
}

function sayComposed(choices: Choices, plan: ToolPlan, wording: ComposedWording): Wish {
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
  const clause = choices.weighted([
    [() => frame({ ...object, details }), 84],
    // The details come first, in a sentence of their own, or as a list.
    [
      () => `${said}, ${choices.pick(['please ', '', 'can you '])}${verb} ${object.object}`,
      !isLookup && startsAlone ? 4 : 0,
    ],
    [() => `${closed(frame(object))} ${said}.`, startsAlone ? 3 : 0],
    [() => `${closed(frame(object))} ${capitalize(labelled)}`, labelled === '' ? 0 : 5],
    [() => `${verb} ${object.bare}${labelled === '' ? '' : `: ${labelled}`}`, 4],
  ])();
  return { values, clause };
}

/** Details that may begin a sentence: a value at its start would lose its small letter. */
const mayStart = /^ (?:in|on|at|for|with|to|of|from|by|near) /u;

const closed = (text: string): string => (/[.?!]$/u.test(text) ? text : `${text}.`);

/** "time 5:30, keeper Anna" */
function label(choices: Choices, values: Wish['values']): string {
  const mark = choices.pick([': ', ' ', ' = ', ' is ']);
  const labelled = Object.entries(values).map(([key, value]) => `${key.replaceAll('_', ' ')}${mark}${value}`);
  return labelled.join(choices.pick([', ', ', ', ' and ', '; ']));
}

/** A wish for two calls: of the same tool with other values, or of two tools. */
export function writeDoubleRequest(choices: Choices, first: ToolPlan, second: ToolPlan): ToolRequest {
  const [one, other] = [writeWish(choices, first), writeWish(choices, second)];
  const { wording } = first;
  const isShared = first === second && wording.kind === 'composed' && choices.chance(0.6);
  return {
    text: isShared
      ? sayTwice(choices, first, wording, [one, other])
      : joinWishes(choices, one.clause, other.clause),
    calls: [callOf(first, one), callOf(second, other)],
  };
}

/** "the tide in Oslo and in Rome": the noun once, the details twice. */
function sayTwice(
  choices: Choices,
  plan: ToolPlan,
  wording: ComposedWording,
  wishes: readonly Wish[],
): string {
  const object = sayObject(choices, wording);
  const details = wishes.map(({ values }) => sayDetails(choices, plan, values));
  const parts = { ...object, details: details.join(joint(choices, 'joints of details')) };
  return wording.lookup
    ? frameLookup(choices, parts)
    : frameOrder(choices, pickVerb(choices, wording), parts);
}

function joinWishes(choices: Choices, one: string, other: string): string {
  const form = pickForm(choices, 'two wishes');
  if (form === 'in one sentence') return wrapOrder(choices, `${one}${joint(choices, 'joints')} ${other}`);
  if (form === 'one after the other')
    return `${wrapOrder(choices, one)} ${draw(choices, 'followers')} ${other}.`;
  return fill(form, { one, other });
}

/** "and" after a space, ", and" without one. */
function joint(choices: Choices, section: string): string {
  const drawn = draw(choices, section);
  return drawn.startsWith(',') ? drawn : ` ${drawn}`;
}
