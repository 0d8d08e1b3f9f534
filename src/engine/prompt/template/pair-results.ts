import type { ChatMessage } from '../../types.ts';
import type { TemplateFacts } from './template-facts.ts';
import { filler } from './turn-shape.ts';

type Facts = Pick<TemplateFacts, 'calls' | 'turns'>;

/**
 * `messages` with the results of each turn in the order of its calls, the first directly behind them: most templates
 * show no ids, so that a result belongs to the call in its place. Where the template shows one call in a message, each
 * becomes a message of its own, in front of its result.
 */
export function pairResults(messages: readonly ChatMessage[], facts: Facts): ChatMessage[] {
  const turns: ChatMessage[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (message.role === 'assistant' || turn === undefined) turns.push([message]);
    else turn.push(message);
  }
  return turns.flatMap((turn) => {
    const [message, ...behind] = turn;
    return message?.toolCalls ? pairTurn(message, behind, facts) : turn;
  });
}

function pairTurn(
  message: ChatMessage,
  behind: readonly ChatMessage[],
  { calls, turns }: Facts,
): ChatMessage[] {
  const { toolCalls = [], content, reasoning, ...rest } = message;
  const results: ChatMessage[] = [];
  // By the number of results before them, which is at least one.
  const others: ChatMessage[][] = [];
  for (const one of behind)
    if (one.role === 'tool') results.push(one);
    else (others[Math.max(1, results.length)] ??= []).push(one);
  const isApart = calls?.several === false;
  const turn = isApart ? [] : [message];
  const answered = new Set<ChatMessage>();
  for (const [index, call] of toolCalls.entries()) {
    const first = index === 0 && { content, ...(reasoning !== undefined && { reasoning }) };
    if (isApart) turn.push({ ...rest, content: '', ...first, toolCalls: [call] });
    const result = results.find((one) => one.toolCallId === call.id && !answered.has(one));
    if (result === undefined) {
      if (turns.fillsResults) turn.push({ role: 'tool', content: filler.result, toolCallId: call.id });
      continue;
    }
    turn.push(result);
    answered.add(result);
    if (answered.size === results.length) continue;
    turn.push(...(others[answered.size] ?? []));
    others[answered.size] = [];
  }
  const unasked = results.filter((result) => !answered.has(result));
  return [...turn, ...unasked, ...others.flat()];
}
