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
  wrapOrder,
  writeWish,
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
