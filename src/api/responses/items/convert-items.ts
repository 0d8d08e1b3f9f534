import type { ChatMessage, ToolCall } from '../../../engine/types.ts';
import { AppError } from '../../../errors/errors.ts';
import { formatPath } from '../../../words/format-path.ts';
import { toToolCall } from '../../parameters/tool-use.ts';
import type { FunctionCallOutput, Item, Message, Reasoning } from './item-schema.ts';

/** The parts of one turn of the assistant: a thought, a text and calls, in this order. */
interface AssistantTurn {
  reasoning: string;
  texts: string[];
  calls: ToolCall[];
}

/**
 * The conversation in the engine's form: consecutive items of the assistant become one message. `items` follow
 * `history`. Throws invalid_value if one of them is the result of no earlier call.
 */
export function toChatMessages(
  instructions: string | undefined,
  history: readonly Item[],
  items: readonly Item[],
): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (instructions !== undefined) messages.push({ role: 'system', content: instructions.toWellFormed() });
  const callIds = new Set<string>();
  let turn: AssistantTurn | undefined;
  const endTurn = (): void => {
    if (turn !== undefined) messages.push(toAssistantMessage(turn));
    turn = undefined;
  };
  for (const [index, item] of [...history, ...items].entries()) {
    if (item.type === 'function_call_output') {
      if (!callIds.has(item.call_id)) throw answersNothing(index - history.length);
      endTurn();
      messages.push({ role: 'tool', content: toText(item), toolCallId: item.call_id.toWellFormed() });
    } else if (item.type === 'message' && item.role !== 'assistant') {
      endTurn();
      const role = item.role === 'developer' ? 'system' : item.role;
      messages.push({ role, content: toText(item) });
    } else {
      if (item.type === 'function_call') callIds.add(item.call_id);
      if (turn !== undefined && startsTurn(item, turn)) endTurn();
      turn ??= { reasoning: '', texts: [], calls: [] };
      addTo(turn, item);
    }
  }
  endTurn();
  return messages;
}

/** Whether `item` begins a new turn after what `turn` already has. */
function startsTurn({ type }: Item, { texts, calls }: AssistantTurn): boolean {
  if (type === 'reasoning') return texts.length > 0 || calls.length > 0;
  return type === 'message' && texts.length > 0 && calls.length === 0;
}

function addTo(turn: AssistantTurn, item: Exclude<Item, FunctionCallOutput>): void {
  if (item.type === 'reasoning') turn.reasoning += toThought(item);
  else if (item.type === 'message') turn.texts.push(toText(item));
  else {
    const call = toToolCall(item.call_id, item.name, item.arguments);
    // The AI SDK repeats a call with its result, even if it continues the response that has the call.
    if (turn.calls.every(({ id }) => id !== call.id)) turn.calls.push(call);
  }
}

function toAssistantMessage({ reasoning, texts, calls }: AssistantTurn): ChatMessage {
  return {
    role: 'assistant',
    content: texts.join('\n'),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(reasoning !== '' && { reasoning }),
  };
}

/** The thought of an item; if it was not kept, its summary. */
function toThought({ content, summary }: Reasoning): string {
  const parts = content.length > 0 ? content : summary;
  return parts.map(({ text }) => text).join('\n').toWellFormed(); // prettier-ignore
}

/** The text of `content`. Lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
function toText(item: Message | FunctionCallOutput): string {
  const content = item.type === 'message' ? item.content : item.output;
  if (typeof content === 'string') return content.toWellFormed();
  const texts = content.map((part) => (part.type === 'refusal' ? part.refusal : part.text));
  return texts.join('\n').toWellFormed();
}

function answersNothing(index: number): AppError {
  const param = formatPath(['input', index, 'call_id']);
  return new AppError('invalid_value', `'${param}' must be the 'call_id' of an earlier function_call.`, {
    param,
  });
}
