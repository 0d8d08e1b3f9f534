import type { ToolCall } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { draw, pickForm } from '../text/forms.ts';
import { fill } from '../text/slots.ts';
import type { ToolPlan } from './planning/planned-tool.ts';
import { drawArguments } from './planning/tool-sets.ts';
import {
  fillTemplate,
  joint,
  sayComposed,
  sayTwice,
  type Wish,
  wrapOrder,
  writeWish,
} from './tool-wording.ts';

/** A message of the user, and the calls it asks for. */
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

function joinWishes(choices: Choices, one: string, other: string): string {
  const form = pickForm(choices, 'two wishes');
  if (form === 'in one sentence') return wrapOrder(choices, `${one}${joint(choices, 'joints')} ${other}`);
  if (form === 'one after the other')
    return `${wrapOrder(choices, one)} ${draw(choices, 'followers')} ${other}.`;
  return fill(form, { one, other });
}
