import type { Conversation, Message } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { writeGreetingExchange } from '../chat/greeting.ts';
import { draw, drawCount } from '../text/forms.ts';
import type { ToolPlan } from './planning/planned-tool.ts';
import { writeDoubleRequest } from './double-request.ts';
import { planTools } from './planning/tool-sets.ts';
import { type ToolRequest, writeToolRequest } from './tool-request.ts';

/** A question and the call, or the two calls, that it asks for. */
export function writeToolsConversation(choices: Choices): Conversation {
  const { plans, request } = planRequest(choices);
  return {
    group: 'tools',
    tools: offer(choices, plans),
    messages: [
      ...writeOpening(choices),
      { role: 'user', content: request.text },
      { role: 'assistant', content: '', toolCalls: request.calls },
    ],
  };
}

/** Tools, and a request that the first of them, or the first two, answers. */
export function planRequest(choices: Choices): { plans: [ToolPlan, ...ToolPlan[]]; request: ToolRequest } {
  const plans = planTools(choices, toolCount(choices));
  const [first, second] = plans;
  if (!choices.chance(0.22)) return { plans, request: writeToolRequest(choices, first) };
  if (second !== undefined && choices.chance(0.65)) {
    return { plans, request: writeDoubleRequest(choices, first, second) };
  }
  const request = writeDoubleRequest(choices, first, first);
  const [one, other] = request.calls.map((call) => JSON.stringify(call.arguments));
  // Asking the same thing twice would teach to repeat a call.
  return one === other ? { plans, request: writeToolRequest(choices, first) } : { plans, request };
}

export const toolCount = (choices: Choices): number => drawCount(choices, 'offered tools');

/** The tools in an order that tells nothing. */
export const offer = (choices: Choices, plans: readonly ToolPlan[]) =>
  choices.shuffle(plans).map(({ tool }) => tool);

/** Mostly nothing: now and then a system prompt, or small talk before the request. */
export function writeOpening(choices: Choices): Message[] {
  const messages: Message[] = choices.chance(0.14)
    ? [{ role: 'system', content: draw(choices, 'system prompts beside tools') }]
    : [];
  if (choices.chance(0.07)) {
    const { question, answer } = writeGreetingExchange(choices);
    messages.push({ role: 'user', content: question }, { role: 'assistant', content: answer });
  }
  return messages;
}
