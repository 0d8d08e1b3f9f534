import type { Conversation } from '../../conversation.ts';
import { simpleGroups } from '../chat/joined.ts';
import type { Choices } from '../text/choices.ts';
import { type Exchange, exchangeOf, turn } from '../text/exchanges.ts';
import { drawCount, drawFrom } from '../text/forms.ts';
import { writeValue } from '../text/values.ts';
import type { ToolPlan } from './planning/planned-tool.ts';
import { hasSameUse, isAbout, planAnyTool, planNearMiss, planTools } from './planning/tool-sets.ts';
import { writeToolRequest } from './tool-request.ts';
import { offer, writeOpening } from './tools.ts';

export const noSuchTool = 'I cannot do that with the tools I have.';

/** Tools that do not help: talk and facts are answered in words, other wishes declined. */
export function writeNoToolFitsConversation(choices: Choices): Conversation {
  const { plans, question, answer } = planMismatch(choices);
  const tools = offer(choices, plans);
  return { group: 'no-tool-fits', tools, messages: [...writeOpening(choices), ...turn(question, answer)] };
}

/** Offered tools, and a question that none of them answers. */
export function planMismatch(choices: Choices): Exchange & { readonly plans: readonly ToolPlan[] } {
  const plans = planTools(choices, drawCount(choices, 'offered tools'));
  if (choices.chance(0.62)) {
    const question = writeUnfitRequest(choices, plans);
    if (question !== undefined) return { plans, question, answer: noSuchTool };
  }
  const inWords = { ...simpleGroups, introduction: introduceUser };
  const { question, answer } = drawFrom(choices, 'what needs no tool', inWords)(choices);
  const related = plans.filter((plan) => !isAbout(plan, question) && !adds.test(plan.tool.name));
  return related.length === 0 ? planMismatch(choices) : { plans: related, question, answer };
}

/** A wish for something that none of these tools does, nearly or at all; none where that did not come about. */
export function writeUnfitRequest(choices: Choices, plans: readonly ToolPlan[]): string | undefined {
  const near = choices.chance(0.4) ? planNearMiss(choices, choices.pick(plans)) : undefined;
  const missing = near ?? planAnyTool(choices);
  const { text } = writeToolRequest(choices, missing, false);
  // "What is 3 + 4?" and the like are answered in words where no tool does it.
  if (answersInWords.test(text)) return undefined;
  const fits = (plan: ToolPlan): boolean =>
    near === undefined ? isAbout(plan, text) : hasSameUse(plan, near);
  return plans.some(fits) ? undefined : text;
}

function introduceUser(choices: Choices): Exchange {
  const name = String(writeValue(choices, 'person'));
  return exchangeOf(choices, 'user introductions', { name }, { keepCase: true, statement: true });
}

/** Tools that may answer questions that are otherwise answered in words. */
const adds =
  /calc|add|sum|multipl|times|product|split|divide|convert|change|transl|interpret|who_?is|language/iu;
const answersInWords =
  /\d \+ \d|\bplus\b|\bsum\b|\b(?:capital|currency|language|multiply|times|calculate)\b|\d x \d/iu;
