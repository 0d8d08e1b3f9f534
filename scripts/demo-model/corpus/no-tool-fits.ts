import type { Conversation } from '../conversation.ts';
import type { Choices } from './choices.ts';
import { writeArithmeticExchange } from './arithmetic.ts';
import { writeFactsExchange } from './facts.ts';
import { writeGreetingExchange } from './greeting.ts';
import { writeHearthExchange } from './hearth.ts';
import { writeListsExchange } from './lists.ts';
import { words } from './data/rows.ts';
import { planTools } from './tool-plan.ts';
import type { ToolPlan } from './tool-plan.ts';
import { writeToolRequest } from './tool-request.ts';
import { writeOpening, offer, toolCount } from './tools.ts';
import { writeValue } from './values.ts';
import { ask } from './wording.ts';
import type { Exchange } from './wording.ts';

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
  const [missing, ...others] = planTools(choices, 1 + toolCount(choices));
  if (choices.chance(0.5)) {
    const { text } = writeToolRequest(choices, missing, { explicit: false });
    const related = others.filter((plan) => !overlaps(plan, text));
    // "What is 3 + 4?" and the like are answered in words where no tool does it.
    if (related.length > 0 && !answersInWords.test(text))
      return { plans: related, question: text, answer: noSuchTool };
  }
  const { question, answer } = choices.weighted([
    [writeGreetingExchange, 36],
    [introduceUser, 4],
    [writeFactsExchange, 27],
    [writeArithmeticExchange, 15],
    [writeHearthExchange, 12],
    [writeListsExchange, 6],
  ])(choices);
  const plans = others.filter((plan) => !overlaps(plan, question) && !adds.test(plan.tool.name));
  return plans.length === 0 ? planMismatch(choices) : { plans, question, answer };
}

function introduceUser(choices: Choices): Exchange {
  const name = String(writeValue(choices, 'person'));
  const questions = [`(hello|hi|hey)(,|!) (my name is|I am|I'm) ${name}.`, `my name is ${name}.`];
  return ask(
    choices,
    { questions, answer: `Nice to meet you, ${name}.` },
    { keepCase: true, statement: true },
  );
}

const adds = /^(?:calc|add_numbers|sum)/u;
const answersInWords = /\d \+ \d|\bplus\b|\bsum\b|\b(?:capital|currency|language)\b/u;

/** True where the tool's name or description shares a content word with the question. */
function overlaps({ tool }: ToolPlan, question: string): boolean {
  const said = new Set(question.toLowerCase().match(/[a-z]{4,}/gu));
  const offered = `${tool.name.replaceAll(/([A-Z])/gu, ' $1').replaceAll('_', ' ')} ${tool.description}`;
  return (offered.toLowerCase().match(/[a-z]{4,}/gu) ?? []).some(
    (word) => said.has(word) && !plain.has(word),
  );
}

/** Words that tell nothing about a tool's subject. */
const plain = new Set(
  words(`
  with from some send make that what check find show read fetch look lookup create delete remove start stop cancel book
  order current minutes city person please this tool name number`),
);
