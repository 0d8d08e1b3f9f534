import type { Message, Tool, ToolCall } from '../conversation.ts';
import type { Answer, EvaluationCase } from './case.ts';

type Round = readonly [question: string, call: ToolCall | readonly ToolCall[], ...results: string[]];

export const call = (tool: Tool, values: ToolCall['arguments']): ToolCall => ({
  name: tool.name,
  arguments: values,
});

/** What the tools returned is to be told in words. */
export const got = (
  tools: readonly Tool[],
  round: Round,
  accepts: (answer: Answer) => boolean,
): EvaluationCase => ({
  group: 'tool-results',
  tools,
  messages: writeRound(round),
  accepts,
});

/** A question, the calls that followed and what they returned. */
export function writeRound([question, given, ...results]: Round): Message[] {
  const toolCalls = 'name' in given ? [given] : given;
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: '', toolCalls },
    ...results.map((content): Message => ({ role: 'tool', content })),
  ];
}
