import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { Message, Tool } from '../conversation.ts';

/** The messages as OpenAI's API takes them; calls and their results are paired in order. */
export function toWireMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
  let callCount = 0;
  let resultCount = 0;
  return messages.map((message): ChatCompletionMessageParam => {
    if (message.role === 'tool') {
      return { role: 'tool', tool_call_id: `call_${resultCount++}`, content: message.content };
    }
    if (message.role !== 'assistant' || message.toolCalls === undefined) {
      return { role: message.role, content: message.content };
    }
    const toolCalls = message.toolCalls.map((call) => ({
      id: `call_${callCount++}`,
      type: 'function' as const,
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
    return { role: 'assistant', content: message.content, tool_calls: toolCalls };
  });
}

/** The tools as OpenAI's API takes them. */
export function toWireTools(tools: readonly Tool[]): ChatCompletionFunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: { ...parameters } },
  }));
}
