import type { Conversation } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { writeArithmeticExchange } from '../chat/arithmetic.ts';
import { writeFactsExchange } from '../chat/facts.ts';
import { writeGreetingExchange } from '../chat/greeting.ts';
import { writeHearthExchange } from '../chat/hearth.ts';
import { writeListsExchange } from '../chat/lists.ts';
import { writeValue } from '../text/values.ts';
import { type Exchange, exchangeOf } from '../text/intents.ts';
import type { ToolPlan } from './planning/planned-tool.ts';
import { planTool, planUsualTool } from './planning/tool-plan.ts';
import { contentWords, hasSameUse, planNearMiss, planTools, toolText } from './planning/tool-sets.ts';
import { writeToolRequest } from './tool-request.ts';
import { offer, toolCount, writeOpening } from './tools.ts';

export const noSuchTool = 'I cannot do that with the tools I have.';

/** Tools that do not help: talk and facts are answered in words, other wishes declined. */
export function writeNoToolFitsConversation(choices: Choices): Conversation {
  const { plans, question, answer } = planMismatch(choices);
  return {
    group: 'no-tool-fits',
    tools: offer(choices, plans),
    messages: [
      ...writeOpening(choices),
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
  };
}

/** Offered tools, and a question that none of them answers. */
export function planMismatch(choices: Choices): {
  plans: readonly ToolPlan[];
  question: string;
  answer: string;
} {
  const plans = planTools(choices, toolCount(choices));
  if (choices.chance(0.62)) {
    const question = writeUnfitRequest(choices, plans);
    if (question !== undefined) return { plans, question, answer: noSuchTool };
  }
  const { question, answer } = choices.weighted([
    [writeGreetingExchange, 38],
    [introduceUser, 4],
    [writeFactsExchange, 25],
    [writeArithmeticExchange, 15],
    [writeHearthExchange, 12],
    [writeListsExchange, 6],
  ])(choices);
  const related = plans.filter((plan) => !overlaps(plan, question) && !adds.test(plan.tool.name));
  return related.length === 0 ? planMismatch(choices) : { plans: related, question, answer };
}

/** A wish for something that none of these tools does, nearly or at all; none where that did not come about. */
export function writeUnfitRequest(choices: Choices, plans: readonly ToolPlan[]): string | undefined {
  const near = choices.chance(0.4) ? planNearMiss(choices, choices.pick(plans)) : undefined;
  const missing = near ?? (choices.chance(0.2) ? planUsualTool(choices) : planTool(choices));
  const { text } = writeToolRequest(choices, missing, { explicit: false });
  // "What is 3 + 4?" and the like are answered in words where no tool does it.
  if (answersInWords.test(text)) return undefined;
  if (near === undefined) return plans.some((plan) => overlaps(plan, text)) ? undefined : text;
  return plans.some((plan) => hasSameUse(plan, near)) ? undefined : text;
}

function introduceUser(choices: Choices): Exchange {
  const name = String(writeValue(choices, 'person'));
  return exchangeOf(choices, 'user introductions', { name }, { keepCase: true, statement: true });
}

/** Tools that may answer what is otherwise answered in words. */
const adds =
  /calc|add|sum|multipl|times|product|split|divide|convert|change|transl|interpret|who_?is|language/iu;
const answersInWords =
  /\d \+ \d|\bplus\b|\bsum\b|\b(?:capital|currency|language|multiply|times|calculate)\b|\d x \d/iu;

/** True where the tool's name, description or object shares a content word with the question. */
function overlaps(plan: ToolPlan, question: string): boolean {
  const said = contentWords(question);
  return [...contentWords(toolText(plan))].some((word) => said.has(word));
}
