import type { Conversation, Message } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { drawCount } from '../text/forms.ts';
import { writeRiddle } from './riddles.ts';
import { planMismatch, noSuchTool } from '../tools/no-tool-fits.ts';
import { writeOutcome } from '../tools/tool-outcome.ts';
import { writeToolRequest } from '../tools/tool-request.ts';
import type { ToolRequest } from '../tools/tool-request.ts';
import { offer, planRequest } from '../tools/tools.ts';

/** Steps first, then the answer as it is without them; at times the same questions without the steps. */
export function writeThinkingConversation(choices: Choices): Conversation {
  return choices.weighted([
    [riddles, 70],
    [toolChoice, 21],
    [toolMismatch, 9],
  ])(choices);
}

function riddles(choices: Choices): Conversation {
  const thinking = choices.chance(0.75);
  const messages: Message[] = [];
  const rounds = drawCount(choices, 'riddles in a row');
  for (let round = 0; round < rounds; round++) {
    const { question, steps, answer, direct = answer } = writeRiddle(choices);
    messages.push(
      { role: 'user', content: question },
      thinking
        ? { role: 'assistant', content: answer, thought: steps.join('\n') }
        : { role: 'assistant', content: direct },
    );
  }
  return { group: 'thinking', thinking, messages };
}

function toolChoice(choices: Choices): Conversation {
  const { plans, request } = planRequest(choices);
  const messages: Message[] = [
    { role: 'user', content: request.text },
    { role: 'assistant', content: '', thought: thinkOfCalls(request), toolCalls: request.calls },
  ];
  const [plan] = plans;
  if (request.calls.length === 1 && choices.chance(0.35)) {
    const { content, sentence } = writeOutcome(choices, plan);
    messages.push(
      { role: 'tool', content },
      { role: 'assistant', content: sentence, thought: 'The tool has answered.' },
    );
    if (choices.chance(0.1)) {
      const again = writeToolRequest(choices, plan);
      messages.push(
        { role: 'user', content: again.text },
        { role: 'assistant', content: '', thought: thinkOfCalls(again), toolCalls: again.calls },
      );
    }
  }
  return { group: 'thinking', thinking: true, tools: offer(choices, plans), messages };
}

/** "I call get_weather with city Oslo.", a line for each call. */
function thinkOfCalls({ calls }: ToolRequest): string {
  return calls
    .map((call) => {
      const given = Object.entries(call.arguments).map(([key, value]) => `${key} ${value}`);
      return `I call ${call.name}${given.length === 0 ? '' : ` with ${given.join(', ')}`}.`;
    })
    .join('\n');
}

function toolMismatch(choices: Choices): Conversation {
  const { plans, question, answer } = planMismatch(choices);
  const thought = answer === noSuchTool ? 'No tool does this.' : 'I need no tool for this.';
  return {
    group: 'thinking',
    thinking: true,
    tools: offer(choices, plans),
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: answer, thought },
    ],
  };
}
