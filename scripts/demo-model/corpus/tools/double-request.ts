import type { Choices } from '../text/choices.ts';
import { draw } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import type { ComposedWording, ToolPlan } from './planning/planned-tool.ts';
import type { ToolRequest } from './tool-request.ts';
import {
  type Arguments,
  frameLookup,
  frameOrder,
  pickVerb,
  sayDetails,
  sayObject,
  wrapOrder,
  writeWish,
} from './tool-wording.ts';

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
