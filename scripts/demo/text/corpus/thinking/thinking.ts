import type { Conversation, Message } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { turn } from '../text/exchanges.ts';
import { drawCount, drawFrom } from '../text/forms.ts';
import { noSuchTool, planMismatch } from '../tools/no-tool-fits.ts';
import { writeOutcome } from '../tools/tool-outcome.ts';
import { type ToolRequest, writeToolRequest } from '../tools/tool-request.ts';
import { offer, planRequest } from '../tools/tools.ts';
import { writeRiddle } from './riddles.ts';

const kinds = { riddles, toolChoice, toolMismatch };

/** Steps first, then the answer as it is without them; at times the same questions without the steps. */
export function writeThinkingConversation(choices: Choices): Conversation {
  return drawFrom(choices, 'kinds of thinking', kinds)(choices);
}

function riddles(choices: Choices): Conversation {
  const thinking = choices.chance(0.75);
  const messages: Message[] = [];
  for (let left = drawCount(choices, 'riddles in a row'); left > 0; left--) {
    const { question, steps = [], answer, direct = answer } = writeRiddle(choices);
    messages.push(
      ...(thinking ? turn(question, answer, { thought: steps.join('\n') }) : turn(question, direct)),
    );
  }
  return { group: 'thinking', thinking, messages };
}

function toolChoice(choices: Choices): Conversation {
  const { plans, request } = planRequest(choices);
  const messages = thinkAndCall(request);
  const [plan] = plans;
  if (request.calls.length === 1 && choices.chance(0.35)) {
    const { content, sentence } = writeOutcome(choices, plan);
    messages.push(
      { role: 'tool', content },
      { role: 'assistant', content: sentence, thought: 'The tool has answered.' },
    );
    if (choices.chance(0.1)) messages.push(...thinkAndCall(writeToolRequest(choices, plan)));
  }
  return { group: 'thinking', thinking: true, tools: offer(choices, plans), messages };
}

/** "I call get_weather with city Oslo.", a line for each call. */
function thinkAndCall({ text, calls }: ToolRequest): Message[] {
  const thoughts = calls.map((call) => {
    const given = Object.entries(call.arguments).map(([key, value]) => `${key} ${value}`);
    return `I call ${call.name}${given.length === 0 ? '' : ` with ${given.join(', ')}`}.`;
  });
  return turn(text, '', { thought: thoughts.join('\n'), toolCalls: calls });
}

function toolMismatch(choices: Choices): Conversation {
  const { plans, question, answer } = planMismatch(choices);
  const thought = answer === noSuchTool ? 'No tool does this.' : 'I need no tool for this.';
  const messages = turn(question, answer, { thought });
  return { group: 'thinking', thinking: true, tools: offer(choices, plans), messages };
}
