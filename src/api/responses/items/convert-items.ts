import type { ChatMessage } from '../../../engine/types.ts';
import { partsOf } from '../../../documents/document-text.ts';
import type { AttachedFiles } from '../../attachments/attached-files.ts';
import { MessageContent, readContent, type ContentPart } from '../../conversation/message-content.ts';
import { Conversation, joinTexts } from '../../conversation/conversation.ts';
import { toTextArguments } from '../../parameters/tools/custom-tools.ts';
import { answerToCall, serverToolName } from '../mcp/call-messages.ts';
import type { FileQuotes } from '../events/file-annotations.ts';
import { toModelName, toolNamesIn, toolSearchName } from '../tools/offered-tools.ts';
import type { Item, ItemOf } from './items.ts';
import { unpackText } from './packed-text.ts';

type Call = ItemOf<'function_call' | 'custom_tool_call' | 'tool_search_call'>;
type CallOutput = Extract<Item, { type: `${string}_output` }>;
type Message = ItemOf<'message'>;

/** The conversation, `history` first, in the engine's form. Throws invalid_value for a result of no earlier call. */
export function toChatMessages(
  instructions: string | undefined,
  history: readonly Item[],
  items: readonly Item[],
  files: AttachedFiles,
  quotes: FileQuotes,
): readonly ChatMessage[] {
  const conversation = new Conversation();
  const toPart: ToPart = (part, path) => {
    const document = files.documentAt(path);
    if (document?.isCited === true) {
      const citation = { file_id: document.fileId ?? '', filename: document.name ?? '' };
      quotes.add(partsOf(document), () => citation);
    }
    return toContentPart(part);
  };
  if (instructions !== undefined) conversation.add('system', new MessageContent().addText(instructions));
  const all = [...history, ...items];
  for (const [index, item] of all.entries()) {
    const path = ['input', index - history.length];
    if (isPassedOver(item)) continue;
    if (item.type === 'reasoning') conversation.think(toThought(item));
    else if (item.type === 'message') addMessage(conversation, item, [...path, 'content'], files, toPart);
    else if (item.type === 'compaction')
      conversation.add('user', new MessageContent().addText(toSummary(item)));
    else if (item.type === 'mcp_call' || item.type === 'mcp_approval_request') {
      const answer = answerToCall(item, all);
      if (answer === undefined) continue;
      conversation.call(item.id, serverToolName(item.server_label, item.name), item.arguments);
      conversation.addResult(item.id, new MessageContent().addText(answer));
    } else if (isOutput(item)) {
      const callId = item.call_id ?? '';
      // A custom tool of Codex tells of its work meanwhile in results of its own.
      const takesMore = item.type === 'custom_tool_call_output';
      conversation.expectOpen(callId, [...path, 'call_id'], 'an earlier call', takesMore);
      conversation.addResult(callId, toOutput(item, [...path, 'output'], files, toPart));
    } else addCall(conversation, item);
  }
  return conversation.messages;
}

function addMessage(
  conversation: Conversation,
  { role, content }: Message,
  path: readonly PropertyKey[],
  files: AttachedFiles,
  toPart: ToPart,
): void {
  if (role === 'assistant') conversation.say(toText(content));
  else conversation.add(role === 'user' ? 'user' : 'system', readContent<Part>(content, path, files, toPart));
}

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

function addCall(conversation: Conversation, item: Call): void {
  const id = item.call_id ?? '';
  // The AI SDK repeats a call with its result, even if it continues the response that has the call.
  if (conversation.isCalling(id)) return;
  if (item.type === 'tool_search_call')
    return conversation.call(id, toolSearchName, JSON.stringify(item.arguments));
  const text = item.type === 'function_call' ? item.arguments : toTextArguments(item.input);
  conversation.call(id, toModelName(item), text);
}

/** The thought of an item; if it was not kept, its summary. */
function toThought({ content, summary }: ItemOf<'reasoning'>): string {
  const parts = content.length > 0 ? content : summary;
  return joinTexts(parts.map(({ text }) => text));
}

function toOutput(
  item: CallOutput,
  path: readonly PropertyKey[],
  files: AttachedFiles,
  toPart: ToPart,
): MessageContent {
  if (item.type !== 'tool_search_output') return readContent<Part>(item.output, path, files, toPart);
  return new MessageContent().addText(JSON.stringify({ tools: toolNamesIn(item.tools) }));
}

function toSummary({ encrypted_content: packed }: ItemOf<'compaction'>): string {
  return `A summary of the conversation up to here:\n\n${unpackText('summary', packed) ?? ''}`;
}

type Part = Exclude<Message['content'] | Exclude<CallOutput, { tools: unknown }>['output'], string>[number];

type ToPart = (part: Part, path: readonly PropertyKey[]) => ContentPart;

function toContentPart(part: Part): ContentPart {
  if (part.type === 'input_image') return { add: 'addPicture', data: part.image_url, what: 'is a picture' };
  return part.type === 'refusal' ? { text: part.refusal } : part;
}

/** The text of an answer. Lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
function toText(content: Message['content']): string {
  return joinTexts(content.map(toContentPart).flatMap((part) => ('text' in part ? part.text : [])));
}
