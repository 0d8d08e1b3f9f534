import type { Conversation, Message } from '../conversation.ts';
import type { Choices } from './choices.ts';
import { writeOutcome } from './tool-outcome.ts';
import type { Outcome } from './tool-outcome.ts';
import { writeToolRequest } from './tool-request.ts';
import type { ToolRequest } from './tool-request.ts';
import { writeOpening, offer, planRequest } from './tools.ts';
import type { ToolPlan } from './tool-plan.ts';

/** A request, the call, what the tool returned, and the answer in words; at times a second round. */
export function writeToolResultsConversation(choices: Choices): Conversation {
  const { plans, request } = planRequest(choices);
  const messages = [...writeOpening(choices), ...writeRound(choices, plans, request)];
  if (request.calls.length === 1 && choices.chance(0.15)) {
    const again = writeToolRequest(choices, choices.pick(plans));
    messages.push(...writeRound(choices, plans, again));
  } else if (choices.chance(0.05)) {
    messages.push(
      { role: 'user', content: choices.pick(['Thanks!', 'Thank you.', 'thanks', 'Great, thank you!']) },
      { role: 'assistant', content: 'You are welcome!' },
    );
  }
  return { group: 'tool-results', tools: offer(choices, plans), messages };
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
      const [subject] = Object.values(request.calls[index]?.arguments ?? {});
      return subject === undefined ? sentence : `${String(subject)}: ${sentence}`;
    })
    .join(' ');
}
