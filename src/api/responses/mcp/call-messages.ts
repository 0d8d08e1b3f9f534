import { createHash } from 'node:crypto';
import type { Item, ItemOf } from '../items/items.ts';
import { toModelName } from '../tools/offered-tools.ts';
import type { ChatMessage, GenerationRequest } from '../../../engine/types.ts';
import { Conversation } from '../../conversation/conversation.ts';
import { MessageContent } from '../../conversation/message-content.ts';
import type { LoopBlock } from './served-call.ts';

const mostNameChars = 64;
const hashChars = 8;

/** The name by which the model calls a tool of a server: a character that no function's name may have becomes `_`. */
export function serverToolName(label: string, tool: string): string {
  const name = toModelName({ name: tool, namespace: label });
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  if (plain === name && name.length <= mostNameChars) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashChars);
  return `${plain.slice(0, mostNameChars - hashChars - 1)}_${hash}`;
}

/**
 * The result of a call that this server made or asked approval for, as the model is told it; undefined where another
 * item of the conversation tells it, or this request makes the call.
 */
export function answerToCall(
  item: ItemOf<'mcp_call' | 'mcp_approval_request'>,
  conversation: readonly Item[],
): string | undefined {
  if (item.type === 'mcp_call') return resultOf(item);
  const { id } = item;
  const isMade = conversation.some((one) => one.type === 'mcp_call' && one.approval_request_id === id);
  if (isMade) return undefined;
  const answer = conversation.find(
    (one) => one.type === 'mcp_approval_response' && one.approval_request_id === id,
  );
  if (answer?.type !== 'mcp_approval_response')
    return 'The call was not made: nobody has said whether it is allowed.';
  if (answer.approve) return undefined;
  return `The user does not allow this call.${answer.reason === null ? '' : ` ${answer.reason}`}`;
}

/** The result of a call that was made, as the model is told it. */
export function resultOf({ output, error }: Pick<ItemOf<'mcp_call'>, 'output' | 'error'>): string {
  if (error === null) return output ?? '';
  if (error.type === 'mcp_protocol_error') return `The call failed. ${error.message}`;
  return `The tool failed. ${error.content.map(({ text }) => text).join('\n')}`;
}

/** `request` with the turns that `blocks` make: the model's messages, and the outputs of its calls. */
export function withTurns(request: GenerationRequest, blocks: readonly LoopBlock[]): GenerationRequest {
  const { prompt } = request;
  if (prompt.kind !== 'messages') return request;
  const { messages } = prompt;
  const added = toMessages(blocks);
  const [last, next] = [messages.at(-1), added[0]];
  // A call that was allowed belongs to the turn in which the model wanted it.
  const belongs = last?.role === 'assistant' && last.toolCalls === undefined && next?.toolCalls;
  const all = belongs
    ? [...messages.slice(0, -1), { ...last, toolCalls: belongs }, ...added.slice(1)]
    : [...messages, ...added];
  return { ...request, prompt: { kind: 'messages', messages: all } };
}

function toMessages(blocks: readonly LoopBlock[]): readonly ChatMessage[] {
  const conversation = new Conversation();
  for (const block of blocks) {
    if (block.type === 'text') conversation.say(block.text);
    else if (block.type === 'thought') conversation.think(block.text);
    else {
      const { outcome, id } = block.served ?? {};
      if (id === undefined || outcome === undefined || 'askedAs' in outcome) continue;
      const result = new MessageContent().addText(resultOf(outcome.fields));
      for (const attachment of outcome.attachments) result.addAttachment(attachment);
      conversation.call(id, block.name, block.text);
      conversation.addResult(id, result);
    }
  }
  return conversation.messages;
}
