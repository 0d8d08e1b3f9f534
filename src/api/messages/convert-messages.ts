import type { ChatMessage } from '../../engine/types.ts';
import { quoteRequest } from '../../documents/document-text.ts';
import type { QuoteIndex } from '../../documents/quotes/quote-index.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';
import { MessageContent, readContent, type ContentPart } from '../conversation/message-content.ts';
import { Conversation, joinTexts } from '../conversation/conversation.ts';
import { invalid, unsupported } from '../request/validate.ts';
import { CitableBlocks, textsIn, type TextCitation } from './citations.ts';
import type { MessageParameter, PromptParameters, ShownBlock, UserBlock } from './schema.ts';
import { readThought } from './thought-signature.ts';

type Path = readonly PropertyKey[];
type ToolReference = Extract<ShownBlock, { type: 'tool_reference' }>;
type PlainBlock = Exclude<ShownBlock, ToolReference>;

/** The conversation in the engine's form. Throws unsupported_content, or invalid_value for parts that do not fit. */
export function toChatMessages(
  { system, messages, tools = [] }: Pick<PromptParameters, 'system' | 'messages' | 'tools'>,
  signingKey: Uint8Array,
  files: AttachedFiles,
  quotes: QuoteIndex<TextCitation>,
): readonly ChatMessage[] {
  const conversation = new Conversation();
  const citable = new CitableBlocks(quotes);
  const toPart: ToPart = (block, path) => toContentPart(block, path, files, citable);
  const offered = new Set(tools.flatMap((tool) => ('input_schema' in tool ? [tool.name] : [])));
  if (system !== undefined) conversation.add('system', readContent(system, ['system'], files, toPart));
  for (const [index, message] of messages.entries()) {
    const path = ['messages', index, 'content'];
    if (message.role === 'assistant') addAnswer(conversation, message, path, signingKey);
    else if (message.role === 'system')
      conversation.add('system', readContent(message.content, path, files, toPart));
    else addUserBlocks(conversation, blocksOf(message.content), path, files, toPart, offered);
  }
  if (messages.at(-1)?.role === 'assistant')
    throw invalid(
      ['messages'],
      'must end with a message of the user: the text of an answer cannot be continued here',
    );
  return conversation.messages;
}

const blocksOf = <Block>(content: string | readonly Block[]) =>
  typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;

function addAnswer(
  conversation: Conversation,
  { content }: Extract<MessageParameter, { role: 'assistant' }>,
  path: Path,
  signingKey: Uint8Array,
): void {
  const blocks = blocksOf(content);
  const thoughts = blocks.flatMap((block, index) => {
    if (block.type !== 'thinking') return [];
    const thought = readThought(block, signingKey);
    if (thought !== undefined) return [thought];
    throw invalid(
      [...path, index, 'signature'],
      'is not of this server for this text. Send thoughts back as they came, or leave the block out',
    );
  });
  conversation.endTurn();
  conversation.think(thoughts.join('\n'));
  conversation.say(joinTexts(saidIn(blocks)));
  for (const block of blocks)
    if (block.type === 'tool_use') conversation.call(block.id, block.name, JSON.stringify(block.input));
}

type AnswerBlock = Exclude<Extract<MessageParameter, { role: 'assistant' }>['content'], string>[number];

/** The texts of an answer. Those around a quote were one text when they were written. */
function saidIn(blocks: readonly AnswerBlock[]): readonly string[] {
  const texts: string[] = [];
  let wasQuote: boolean | undefined;
  for (const block of blocks) {
    const isQuote = block.type === 'text' && Array.isArray(block.citations) && block.citations.length > 0;
    if (block.type === 'text') {
      const isOneText = wasQuote !== undefined && (wasQuote || isQuote);
      texts.push((isOneText ? (texts.pop() ?? '') : '') + block.text);
    }
    wasQuote = block.type === 'text' ? isQuote : undefined;
  }
  return texts;
}

/** Each result of a tool becomes a message of its own; the parts between them are the user's. */
function addUserBlocks(
  conversation: Conversation,
  blocks: readonly UserBlock[],
  path: Path,
  files: AttachedFiles,
  toPart: ToPart,
  offered: ReadonlySet<string>,
): void {
  let said: MessageContent | undefined;
  const flush = (): void => {
    if (said !== undefined) conversation.add('user', said);
    said = undefined;
  };
  for (const [index, block] of blocks.entries()) {
    const place = [...path, index];
    if (block.type !== 'tool_result') {
      said ??= new MessageContent();
      said.addPart(toPart(block, place), place, files);
      continue;
    }
    conversation.expectOpen(
      block.tool_use_id,
      [...place, 'tool_use_id'],
      'a tool_use block in an earlier message',
    );
    flush();
    const content = new MessageContent();
    if (block.is_error === true) content.addPrefix('Error: ');
    const shown = blocksOf(block.content ?? '').map((one) =>
      one.type === 'tool_reference' ? { type: 'text' as const, text: referenceText(one, offered) } : one,
    );
    readContent(shown, [...place, 'content'], files, toPart, content);
    conversation.addResult(block.tool_use_id, content);
  }
  flush();
}

/** All tools are offered from the beginning, but one that was found may be gone since. */
const referenceText = ({ tool_name: name }: ToolReference, offered: ReadonlySet<string>): string =>
  offered.has(name) ? `The tool ${name} can be called now.` : `There is no tool ${name} any more.`;

type ToPart = (block: PlainBlock, path: Path) => ContentPart;

function toContentPart(
  block: PlainBlock,
  path: Path,
  files: AttachedFiles,
  citable: CitableBlocks,
): ContentPart {
  if (block.type !== 'image') return { text: blockText(block, path, files, citable) };
  const what = 'is of type image';
  const { source } = block;
  if (source.type === 'base64') return { add: 'addPictureData', data: source.data, what };
  if (source.type === 'url') return { add: 'addPicture', data: source.url, what };
  throw unsupported([...path, 'source'], 'No files are kept here: send the picture itself as base64.');
}

type TextBlock = Exclude<PlainBlock, { type: 'image' }>;

function blockText(block: TextBlock, path: Path, files: AttachedFiles, citable: CitableBlocks): string {
  if (block.type === 'text') return block.text;
  const request = citable.add(block, files.documentAt(path)) ? quoteRequest : undefined;
  const about = block.type === 'document' ? block.context : block.source;
  return joinLines(block.title, about, textsIn(block).join('\n'), request);
}

const joinLines = (...lines: (string | null | undefined)[]) => lines.filter(Boolean).join('\n');
