import type { Choices } from '../../text/choices.ts';
import { lines } from '../../text/data.ts';
import { drawFrom } from '../../text/forms.ts';
import { type Value, writeValue } from '../../text/values.ts';
import { planComposedTool, planNonsenseTool } from './composed-tools.ts';
import { planFamiliarTool, planFamilyTool } from './known-tools.ts';
import { isHeldOut, type ToolPlan } from './planned-tool.ts';
import { drawComposition, drawSibling } from './tool-trades.ts';

/** Tools that are offered together. */
export type Plans = [ToolPlan, ...ToolPlan[]];
export type Arguments = Record<string, Value>;

const kinds = {
  composed: (choices: Choices) => planComposedTool(choices, drawComposition(choices)),
  family: planFamilyTool,
  familiar: planFamiliarTool,
  nonsense: planNonsenseTool,
};

/** A random tool: composed from a verb and a noun, of a family, one that people often try, or a nonsense one. */
function planTool(choices: Choices): ToolPlan {
  const plan = drawFrom(choices, 'kinds of tools', kinds)(choices);
  return isHeldOut(plan) ? planTool(choices) : plan;
}

/** A random tool, more often than elsewhere one that people try first, or of a family. */
export const planAnyTool = (choices: Choices): ToolPlan =>
  choices.chance(0.2) ? planUsualTool(choices) : planTool(choices);

function planUsualTool(choices: Choices): ToolPlan {
  const plan = (choices.chance(0.6) ? planFamiliarTool : planFamilyTool)(choices);
  return isHeldOut(plan) ? planUsualTool(choices) : plan;
}

/** Values for the parameters, in their order, no two the same; of the optional ones only some, or those named. */
export function drawArguments(choices: Choices, plan: ToolPlan, named?: readonly string[]): Arguments {
  const values: Arguments = {};
  for (const { key, role = key, slot, required, values: options } of plan.parameters) {
    const isLeft =
      named === undefined
        ? !required && choices.chance(plan.wording.kind === 'familiar' ? 0.7 : 0.4)
        : !named.includes(role);
    if (isLeft) continue;
    const draw = (): Value =>
      options === undefined ? writeValue(choices, slot.kind) : choices.pick(options);
    const value = draw();
    values[key] = Object.values(values).includes(value) ? draw() : value;
  }
  return values;
}

/** This many tools of different use; at times one is nearly another: same verb or same noun. */
export function planTools(choices: Choices, count: number): Plans {
  const plans: Plans = [planTool(choices)];
  while (plans.length < count) {
    const sibling = choices.chance(0.35) ? planNearMiss(choices, choices.pick(plans)) : undefined;
    const plan = sibling ?? planTool(choices);
    const clashes = sibling === undefined ? areAlike : hasSameUse;
    if (!plans.some((other) => other.tool.name === plan.tool.name || clashes(other, plan))) plans.push(plan);
  }
  return plans;
}

/** A tool that does nearly, but not quite, the same as this one; none where nothing is near. */
export function planNearMiss(choices: Choices, { wording }: ToolPlan): ToolPlan | undefined {
  const sibling = wording.kind === 'composed' ? drawSibling(choices, wording) : undefined;
  return sibling && planComposedTool(choices, sibling);
}

/** True where a request for the one might be meant for the other. */
export function hasSameUse(one: ToolPlan, other: ToolPlan): boolean {
  if (one.wording.kind !== 'composed' || other.wording.kind !== 'composed') return areAlike(one, other);
  const { verbs, names } = one.wording;
  return (
    other.wording.verbs.some((verb) => verbs.includes(verb)) &&
    other.wording.names.some((name) => names.includes(name))
  );
}

const areAlike = (one: ToolPlan, other: ToolPlan): boolean => isAbout(one, toolText(other));

/** True where the tool's name, description or object shares a content word with the text. */
export function isAbout(plan: ToolPlan, text: string): boolean {
  const said = contentWords(text);
  return [...contentWords(toolText(plan))].some((word) => said.has(word));
}

/** Name, description and nouns of the tool, for comparing. */
const toolText = ({ tool, wording }: ToolPlan): string =>
  [
    tool.name.replaceAll(/([A-Z])/gu, ' $1').replaceAll(/[_-]/gu, ' '),
    tool.description,
    ...(wording.kind === 'composed' ? wording.names : []),
  ].join(' ');

/** The words of four letters and more, without an s at the end, that tell what a text is about. */
function contentWords(text: string): Set<string> {
  const found = (text.toLowerCase().match(/[a-z]{4,}/gu) ?? []).filter((word) => !plain.has(word));
  return new Set(found.map((word) => word.replace(/s$/u, '')));
}

const plain = new Set(lines('plain words'));
