import type { ToolCall } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { draw } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import type { ComposedWording, ToolPlan } from './planning/planned-tool.ts';
import { drawArguments } from './planning/tool-plan.ts';
import {
  type Arguments,
  fillTemplate,
  frameLookup,
  frameOrder,
  type Parts,
  pickVerb,
  sayDetails,
  sayObject,
  type Wish,
  wrapOrder,
} from './tool-wording.ts';

/** What the user says, and the calls it asks for. */
export interface ToolRequest {
  readonly text: string;
  readonly calls: readonly ToolCall[];
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

/** A wish for two calls: of the same tool with other values, or of two tools. */
export function writeDoubleRequest(choices: Choices, first: ToolPlan, second: ToolPlan): ToolRequest {
  const ones = writeWish(choices, first);
  const others = writeWish(choices, second);
  const { wording } = first;
  const isShared = first === second && wording.kind === 'composed' && choices.chance(0.6);
  return {
    text: isShared
      ? sayTwice(choices, first, wording, [ones.values, others.values])
      : joinWishes(choices, ones.clause, others.clause),
    calls: [
      { name: first.tool.name, arguments: ones.values },
      { name: second.tool.name, arguments: others.values },
    ],
  };
}

/** "the tide in Oslo and in Rome": the noun once, the details twice. */
function sayTwice(
  choices: Choices,
  plan: ToolPlan,
  wording: ComposedWording,
  values: readonly Arguments[],
): string {
  const object = sayObject(choices, wording);
  const tails = values.map((each) => sayDetails(choices, plan, each));
  const parts = { ...object, tail: tails.join(afterSpace(draw(choices, 'joints of details'))) };
  return wording.lookup
    ? frameLookup(choices, parts)
    : frameOrder(choices, pickVerb(choices, wording), parts);
}

function joinWishes(choices: Choices, one: string, other: string): string {
  return choices.weighted([
    [() => wrapOrder(choices, `${one}${afterSpace(draw(choices, 'joints'))} ${other}`), 5],
    [() => `${wrapOrder(choices, one)} ${draw(choices, 'followers')} ${other}.`, 4],
    [() => `${capitalize(one)}. ${capitalize(other)}.`, 2],
    [() => `Two things: ${one}, and ${other}.`, 0.6],
    [() => `First ${one}, then ${other}.`, 1],
    [() => `1. ${capitalize(one)} 2. ${capitalize(other)}`, 0.5],
    [() => `${capitalize(one)}. Can you also ${other}?`, 1],
    [() => `I need you to ${one}. I also want you to ${other}.`, 0.7],
  ])();
}

/** A space before a word, none before a comma. */
const afterSpace = (joint: string): string => (joint.startsWith(',') ? joint : ` ${joint}`);

function nameTheTool(choices: Choices, plan: ToolPlan, values: Arguments): string {
  const given = Object.entries(values).map(([key, value]) =>
    choices.chance(0.3) && typeof value === 'string' ? `${key} '${value}'` : `${key} ${value}`,
  );
  const start = draw(choices, 'calls by name');
  return `${start} ${plan.tool.name}${given.length === 0 ? '' : ` with ${given.join(' and ')}`}${choices.pick(['', '.'])}`;
}

function sayComposed(choices: Choices, plan: ToolPlan, wording: ComposedWording, values: Arguments): string {
  const object = sayObject(choices, wording);
  const verb = pickVerb(choices, wording);
  const lookedUp = wording.lookup && choices.chance(0.85);
  const frame = (parts: Parts): string =>
    lookedUp ? frameLookup(choices, parts) : frameOrder(choices, verb, parts);
  const tail = sayDetails(choices, plan, values);
  const labelled = labels(choices, values);
  const lead = (): string => choices.pick(['please ', '', 'can you ']);
  return choices.weighted([
    [() => frame({ ...object, tail }), 84],
    // The details come first, in a sentence of their own, or as a list.
    [
      () => `${capitalize(tail.trim())}, ${lead()}${verb} ${object.object}`,
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

/** The clause for one call of the tool, as after "Please". */
function writeWish(choices: Choices, plan: ToolPlan): Wish {
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
