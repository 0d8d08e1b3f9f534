import type { Conversation, Message } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { line } from '../text/data.ts';
import { turn } from '../text/exchanges.ts';
import { draw, drawFrom } from '../text/forms.ts';
import { vary } from '../text/wording.ts';
import { noSuchTool, writeUnfitRequest } from './no-tool-fits.ts';
import { type Outcome, writeOutcome } from './tool-outcome.ts';
import { type ToolRequest, writeToolRequest } from './tool-request.ts';
import { offer, planRequest, type RequestPlan, writeOpening } from './tools.ts';

const followUps = { nothing: () => [], again, thank, thankAndAsk, decline };

/** A request, the call, the tool's result, and the answer in words; at times more rounds or other talk. */
export function writeToolResultsConversation(choices: Choices): Conversation {
  const planned = planRequest(choices);
  const messages = [...writeOpening(choices), ...writeRound(choices, planned)];
  messages.push(...drawFrom(choices, 'what follows a result', followUps)(choices, planned));
  return { group: 'tool-results', tools: offer(choices, planned.plans), messages };
}

/** A second request, mostly for another tool than the one before. */
function again(choices: Choices, { plans, request }: RequestPlan): Message[] {
  const others = plans.filter(({ tool }) => !request.calls.some(({ name }) => name === tool.name));
  const plan = choices.pick(others.length > 0 && choices.chance(0.8) ? others : plans);
  const { text, calls } = writeToolRequest(choices, plan);
  const opening = choices.chance(0.25) ? draw(choices, 'openings of second requests') : '';
  return writeRound(choices, { plans, request: { text: opening + text, calls } });
}

function thank(choices: Choices): Message[] {
  return turn(vary(choices, line('thanks for results')), 'You are welcome!');
}

function thankAndAsk(choices: Choices, planned: RequestPlan): Message[] {
  return [...thank(choices), ...again(choices, planned)];
}

/** After a call that worked, a wish that no tool here fulfils. */
function decline(choices: Choices, { plans }: RequestPlan): Message[] {
  const question = writeUnfitRequest(choices, plans);
  return question === undefined ? [] : turn(question, noSuchTool);
}

function writeRound(choices: Choices, { plans, request }: RequestPlan): Message[] {
  const outcomes = request.calls.map((call) => {
    const plan = plans.find(({ tool }) => tool.name === call.name);
    if (plan === undefined) throw new Error(`no tool ${call.name}`);
    return writeOutcome(choices, plan);
  });
  return [
    ...turn(request.text, '', { toolCalls: request.calls }),
    ...outcomes.map(({ content }): Message => ({ role: 'tool', content })),
    { role: 'assistant', content: tell(request, outcomes) },
  ];
}

/** Two results are told apart by their questions: "Oslo: The temperature is 3. Rome: The temperature is 20." */
function tell({ calls }: ToolRequest, outcomes: readonly Outcome[]): string {
  if (outcomes.length === 1) return outcomes.map(({ sentence }) => sentence).join('');
  const told = outcomes.map(({ sentence }, index) => {
    const given = Object.values(calls[index]?.arguments ?? {});
    const subject = given.find((value) => typeof value !== 'boolean');
    return subject === undefined ? sentence : `${String(subject)}: ${sentence}`;
  });
  return told.join(' ');
}
