import type { ChatMessage, ToolCall } from '../../../engine/types.ts';
import type { AttachedFiles } from '../../attachments/attached-files.ts';
import { MessageContent } from '../../attachments/message-content.ts';
import { joinTexts, toAssistantMessage } from '../../parameters/chat-messages.ts';
import { toTextArguments } from '../../parameters/tools/custom-tools.ts';
import { toToolCall } from '../../parameters/tools/tool-use.ts';
import { invalid } from '../../request/validate.ts';
import { answerToCall, serverToolName } from '../mcp/call-messages.ts';
import { toModelName, toolNamesIn, toolSearchName } from '../tools/offered-tools.ts';
import type { Item, ItemOf } from './items.ts';
import { unpackText } from './packed-text.ts';

type Call = ItemOf<'function_call' | 'custom_tool_call' | 'tool_search_call'>;
type CallOutput = Extract<Item, { type: `${string}_output` }>;
type Message = ItemOf<'message'>;
type Content = Pick<ChatMessage, 'content' | 'attachments'>;

/** The parts of one turn of the assistant: a thought, a text and calls, in this order. */
interface AssistantTurn {
  reasoning: string;
  texts: string[];
  calls: ToolCall[];
}

/**
 * The conversation in the engine's form: consecutive items of the assistant become one message. `items` follow
 * `history`. Pictures go through `files`. Throws invalid_value if one of them is the result of no earlier call.
 */
export function toChatMessages(
  instructions: string | undefined,
  history: readonly Item[],
  items: readonly Item[],
  files: AttachedFiles,
): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (instructions !== undefined) messages.push({ role: 'system', content: instructions.toWellFormed() });
  const callIds = new Set<string>();
  let turn: AssistantTurn | undefined;
  const endTurn = (): void => {
    if (turn !== undefined)
      messages.push(toAssistantMessage(turn.texts.join('\n'), turn.calls, turn.reasoning));
    turn = undefined;
  };
  const all = [...history, ...items];
  for (const [index, item] of all.entries()) {
    if (isPassedOver(item)) continue;
    if (item.type === 'mcp_call' || item.type === 'mcp_approval_request') {
      const answer = answerToCall(item, all);
      if (answer === undefined) continue;
      const { id, server_label: label, name, arguments: args } = item;
      turn ??= { reasoning: '', texts: [], calls: [] };
      turn.calls.push(toToolCall(id, serverToolName(label, name), args));
      endTurn();
      messages.push({ role: 'tool', content: answer.toWellFormed(), toolCallId: id.toWellFormed() });
    } else if (isOutput(item)) {
      const callId = item.call_id ?? '';
      if (!callIds.has(callId))
        throw invalid(
          ['input', index - history.length, 'call_id'],
          "must be the 'call_id' of an earlier call",
        );
      endTurn();
      const output = toOutput(item, ['input', index - history.length, 'output'], files);
      messages.push({ role: 'tool', ...output, toolCallId: callId.toWellFormed() });
    } else if (item.type === 'compaction') {
      endTurn();
      messages.push({ role: 'user', content: toSummary(item) });
    } else if (item.type === 'message' && item.role !== 'assistant') {
      endTurn();
      const role = item.role === 'developer' ? 'system' : item.role;
      const path = ['input', index - history.length, 'content'];
      messages.push({ role, ...toContent(item.content, path, files) });
    } else {
      if (isCall(item) && item.call_id !== null) callIds.add(item.call_id);
      if (turn !== undefined && startsTurn(item, turn)) endTurn();
      turn ??= { reasoning: '', texts: [], calls: [] };
      addTo(turn, item);
    }
  }
  endTurn();
  return messages;
}

const isCall = (item: Item): item is Call => item.type !== 'mcp_call' && item.type.endsWith('_call');
const isOutput = (item: Item): item is CallOutput => item.type.endsWith('_output');

/** An item that says nothing in its place. Tools are offered together, at the beginning of the prompt. */
type PassedOver = ItemOf<'additional_tools' | 'mcp_list_tools' | 'mcp_approval_response' | 'ignored'>;

const isPassedOver = (item: Item): item is PassedOver =>
  item.type === 'ignored' ||
  item.type === 'additional_tools' ||
  item.type === 'mcp_list_tools' ||
  item.type === 'mcp_approval_response' ||
  isSearchByServer(item);

/** Whether `item` belongs to a search that another vendor's server did by itself. Only its tools matter. */
const isSearchByServer = (item: Item) =>
  (item.type === 'tool_search_call' || item.type === 'tool_search_output') && item.call_id === null;

/** Whether `item` begins a new turn after what `turn` already has. */
function startsTurn({ type }: Item, { texts, calls }: AssistantTurn): boolean {
  if (type === 'reasoning') return texts.length > 0 || calls.length > 0;
  return type === 'message' && texts.length > 0 && calls.length === 0;
}

function addTo(turn: AssistantTurn, item: Message | ItemOf<'reasoning'> | Call): void {
  if (item.type === 'reasoning') turn.reasoning += toThought(item);
  else if (item.type === 'message') turn.texts.push(toText(item.content));
  else {
    const call = toCall(item);
    // The AI SDK repeats a call with its result, even if it continues the response that has the call.
    if (turn.calls.every(({ id }) => id !== call.id)) turn.calls.push(call);
  }
}

function toCall(item: Call): ToolCall {
  switch (item.type) {
    case 'function_call':
      return toToolCall(item.call_id, toModelName(item), item.arguments);
    case 'custom_tool_call':
      return toToolCall(item.call_id, toModelName(item), toTextArguments(item.input));
    case 'tool_search_call':
      return toToolCall(item.call_id ?? '', toolSearchName, JSON.stringify(item.arguments));
    default:
      return item satisfies never;
  }
}

/** The thought of an item; if it was not kept, its summary. */
function toThought({ content, summary }: ItemOf<'reasoning'>): string {
  const parts = content.length > 0 ? content : summary;
  return joinTexts(parts.map(({ text }) => text));
}

function toOutput(item: CallOutput, path: readonly PropertyKey[], files: AttachedFiles): Content {
  if (item.type !== 'tool_search_output') return toContent(item.output, path, files);
  return { content: JSON.stringify({ tools: toolNamesIn(item.tools) }) };
}

function toSummary({ encrypted_content: packed }: ItemOf<'compaction'>): string {
  return `A summary of the conversation up to here:\n\n${unpackText('summary', packed) ?? ''}`;
}

function toContent(
  content: Message['content'] | Exclude<CallOutput, { tools: unknown }>['output'],
  path: readonly PropertyKey[],
  files: AttachedFiles,
): Content {
  const whole = new MessageContent();
  if (typeof content === 'string') return whole.addText(content).fields();
  for (const [index, part] of content.entries()) {
    const place = { offset: whole.end, path: [...path, index], what: 'is a picture' };
    if (part.type === 'input_image') whole.addAttachment(files.addPicture(part.image_url, place));
    else whole.addText(part.type === 'refusal' ? part.refusal : part.text);
  }
  return whole.fields();
}

/** The text of an answer. Lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
function toText(content: Message['content']): string {
  return joinTexts(
    content.flatMap((part) => {
      if (part.type === 'input_image') return [];
      return part.type === 'refusal' ? part.refusal : part.text;
    }),
  );
}
