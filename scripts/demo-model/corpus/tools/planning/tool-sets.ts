import type { Choices } from '../../text/choices.ts';
import { lines } from '../../text/data.ts';
import { planComposedTool } from './composed-tools.ts';
import type { ToolPlan } from './planned-tool.ts';
import { planTool } from './tool-plan.ts';
import { drawSibling } from './tool-trades.ts';

/** This many tools of different use; at times one is nearly another: same verb or same noun. */
export type Plans = [ToolPlan, ...ToolPlan[]];

export function planTools(choices: Choices, count: number): Plans {
  const plans: [ToolPlan, ...ToolPlan[]] = [planTool(choices)];
  while (plans.length < count) {
    const sibling = choices.chance(0.35) ? planNearMiss(choices, choices.pick(plans)) : undefined;
    const plan = sibling ?? planTool(choices);
    const clashes = sibling === undefined ? areAlike : hasSameUse;
    if (!plans.some((other) => other.tool.name === plan.tool.name || clashes(other, plan))) plans.push(plan);
  }
  return plans;
}

/** A tool that does nearly, but not quite, what this one does; none where nothing is near. */
export function planNearMiss(choices: Choices, { wording }: ToolPlan): ToolPlan | undefined {
  if (wording.kind !== 'composed') return undefined;
  const sibling = drawSibling(choices, wording);
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

const areAlike = (one: ToolPlan, other: ToolPlan): boolean => {
  const known = contentWords(toolText(one));
  return [...contentWords(toolText(other))].some((word) => known.has(word));
};

/** Name, description and nouns of the tool, for comparing. */
export const toolText = ({ tool, wording }: ToolPlan): string =>
  [
    tool.name.replaceAll(/([A-Z])/gu, ' $1').replaceAll(/[_-]/gu, ' '),
    tool.description,
    ...(wording.kind === 'composed' ? wording.names : []),
  ].join(' ');

/** The words of four letters and more, without an s at the end, that tell what a text is about. */
export function contentWords(text: string): Set<string> {
  const found = (text.toLowerCase().match(/[a-z]{4,}/gu) ?? []).filter((word) => !plain.has(word));
  return new Set(found.map((word) => word.replace(/s$/u, '')));
}

const plain = new Set(lines('plain words'));
