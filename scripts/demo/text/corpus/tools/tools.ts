import type { Conversation, Message, Tool } from '../../conversation.ts';
import { writeGreetingExchange } from '../chat/greeting.ts';
import type { Choices } from '../text/choices.ts';
import { systemMessages, turn } from '../text/exchanges.ts';
import { draw, drawCount } from '../text/forms.ts';
import type { ToolPlan } from './planning/planned-tool.ts';
import { type Plans, planTools } from './planning/tool-sets.ts';
import { type ToolRequest, writeDoubleRequest, writeToolRequest } from './tool-request.ts';

/** Tools, and a request that the first of them, or the first two, answers. */
export interface RequestPlan {
  readonly plans: Plans;
  readonly request: ToolRequest;
}

/** A question and the call, or the two calls, that it asks for. */
export function writeToolsConversation(choices: Choices): Conversation {
  const { plans, request } = planRequest(choices);
  const tools = offer(choices, plans);
  const asked = turn(request.text, '', { toolCalls: request.calls });
  return { group: 'tools', tools, messages: [...writeOpening(choices), ...asked] };
}

export function planRequest(choices: Choices): RequestPlan {
  const plans = planTools(choices, drawCount(choices, 'offered tools'));
  const [first, second] = plans;
  if (!choices.chance(0.22)) return { plans, request: writeToolRequest(choices, first) };
  if (second !== undefined && choices.chance(0.65))
    return { plans, request: writeDoubleRequest(choices, first, second) };
  const request = writeDoubleRequest(choices, first, first);
  const [one, other] = request.calls.map((call) => JSON.stringify(call.arguments));
  // Asking the same thing twice would teach to repeat a call.
  return { plans, request: one === other ? writeToolRequest(choices, first) : request };
}

/** The tools in an order that tells nothing. */
export const offer = (choices: Choices, plans: readonly ToolPlan[]): Tool[] =>
  choices.shuffle(plans).map(({ tool }) => tool);

/** Mostly nothing: now and then a system prompt, or small talk before the request. */
export function writeOpening(choices: Choices): Message[] {
  const system = choices.chance(0.14) ? draw(choices, 'system prompts beside tools') : undefined;
  if (!choices.chance(0.07)) return systemMessages(system);
  const { question, answer } = writeGreetingExchange(choices);
  return [...systemMessages(system), ...turn(question, answer)];
}
