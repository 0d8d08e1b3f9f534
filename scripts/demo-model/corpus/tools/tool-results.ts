import type { Conversation, Message } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { draw } from '../text/forms.ts';
import { vary } from '../text/wording.ts';
import { noSuchTool, writeUnfitRequest } from './no-tool-fits.ts';
import type { ToolPlan } from './planning/planned-tool.ts';
import { type Outcome, writeOutcome } from './tool-outcome.ts';
import { type ToolRequest, writeToolRequest } from './tool-request.ts';
import { offer, planRequest, writeOpening } from './tools.ts';

/** A request, the call, what the tool returned, and the answer in words; at times more rounds or other talk. */
export function writeToolResultsConversation(choices: Choices): Conversation {
  const { plans, request } = planRequest(choices);
  const messages = [...writeOpening(choices), ...writeRound(choices, plans, request)];
  const next = choices.weighted([
    [() => [], 55],
    [() => writeRound(choices, plans, askAgain(choices, plans, request)), 26],
    [() => thank(choices), 8],
    [() => [...thank(choices), ...writeRound(choices, plans, askAgain(choices, plans, request))], 3],
    [() => decline(choices, plans), 8],
  ]);
  messages.push(...next());
  return { group: 'tool-results', tools: offer(choices, plans), messages };
}

/** Mostly for another tool than the one before. */
function askAgain(
  choices: Choices,
  plans: readonly [ToolPlan, ...ToolPlan[]],
  { calls }: ToolRequest,
): ToolRequest {
  const others = plans.filter(({ tool }) => !calls.some(({ name }) => name === tool.name));
  const plan = choices.pick(others.length > 0 && choices.chance(0.8) ? others : plans);
  const again = writeToolRequest(choices, plan);
  if (!choices.chance(0.25)) return again;
  return { ...again, text: draw(choices, 'openings of second requests') + again.text };
}

function thank(choices: Choices): Message[] {
  return [
    { role: 'user', content: vary(choices, line('thanks for results')) },
    { role: 'assistant', content: 'You are welcome!' },
  ];
}

/** After a call that worked, a wish that no tool here fulfils. */
function decline(choices: Choices, plans: readonly ToolPlan[]): Message[] {
  const question = writeUnfitRequest(choices, plans);
  if (question === undefined) return [];
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: noSuchTool },
  ];
}

function writeRound(choices: Choices, plans: readonly ToolPlan[], request: ToolRequest): Message[] {
  const outcomes = request.calls.map((call) => {
    const plan = plans.find(({ tool }) => tool.name === call.name);
    if (plan === undefined) throw new Error(`no tool ${call.name}`);
    return writeOutcome(choices, plan);
  });
  return [
    { role: 'user', content: request.text },
    { role: 'assistant', content: '', toolCalls: request.calls },
    ...outcomes.map(({ content }): Message => ({ role: 'tool', content })),
    { role: 'assistant', content: tell(request, outcomes) },
  ];
}

/** Two results are told apart by what was asked: "Oslo: The temperature is 3. Rome: The temperature is 20." */
export function tell(request: ToolRequest, outcomes: readonly Outcome[]): string {
  if (outcomes.length === 1) return outcomes.map(({ sentence }) => sentence).join('');
  return outcomes
    .map(({ sentence }, index) => {
      const given = Object.values(request.calls[index]?.arguments ?? {});
      const subject = given.find((value) => typeof value !== 'boolean');
      return subject === undefined ? sentence : `${String(subject)}: ${sentence}`;
    })
    .join(' ');
}
