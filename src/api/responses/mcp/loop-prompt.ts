import type { ChatMessage, GenerationRequest } from '../../../engine/types.ts';
import { Conversation } from '../../conversation/conversation.ts';
import { MessageContent } from '../../conversation/message-content.ts';
import { resultOf } from './call-messages.ts';
import type { LoopBlock } from './served-call.ts';

/** `request` with the turns that `blocks` make: what the model has said, and what came of its calls. */
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
