import type { ChatMessage } from '../../engine/types.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';
import { MessageContent } from '../attachments/message-content.ts';
import { joinTexts, toAssistantMessage } from '../parameters/chat-messages.ts';
import { toToolCall } from '../parameters/tools/tool-use.ts';
import { invalid, notUnderstood, unsupported } from '../request/validate.ts';
import type { MessageParameter, PromptParameters, ShownBlock, UserBlock } from './schema.ts';
import { readThought } from './thought-signature.ts';

type Path = readonly PropertyKey[];

/**
 * The conversation in the engine's form. Its pictures go through `files`. Throws unsupported_content for what the model
 * does not understand, and invalid_value for results without a call, for thoughts that this server did not write, and
 * for an answer to be continued.
 */
export function toChatMessages(
  { system, messages }: Pick<PromptParameters, 'system' | 'messages'>,
  signingKey: Uint8Array,
  files: AttachedFiles,
): readonly ChatMessage[] {
  const callIds = new Set<string>();
  const converted = messages.flatMap((message, index): readonly ChatMessage[] => {
    const path = ['messages', index, 'content'];
    if (message.role === 'assistant') return [toAnswer(message, path, callIds, signingKey)];
    if (message.role === 'system') return [{ role: 'system', ...toContent(message.content, path, files) }];
    const { content } = message;
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    return fromUserBlocks(blocks, path, callIds, files);
  });
  if (messages.at(-1)?.role === 'assistant')
    throw invalid(
      ['messages'],
      'must end with a message of the user: the text of an answer cannot be continued here',
    );
  return system === undefined
    ? converted
    : [{ role: 'system', ...toContent(system, ['system'], files) }, ...converted];
}

function toAnswer(
  { content }: Extract<MessageParameter, { role: 'assistant' }>,
  path: Path,
  callIds: Set<string>,
  signingKey: Uint8Array,
): ChatMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const thoughts = blocks.flatMap((block, index) => {
    if (block.type !== 'thinking') return [];
    const thought = readThought(block, signingKey);
    if (thought !== undefined) return [thought];
    throw invalid(
      [...path, index, 'signature'],
      'is not of this server for this text. Send thoughts back as they came, or leave the block out',
    );
  });
  const toolCalls = blocks.flatMap((block) => {
    if (block.type !== 'tool_use') return [];
    callIds.add(block.id);
    return [toToolCall(block.id, block.name, JSON.stringify(block.input))];
  });
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return toAssistantMessage(joinTexts(texts), toolCalls, thoughts.join('\n'));
}

/** Each result of a tool becomes a message of its own; what is between them is the user's. */
function fromUserBlocks(
  blocks: readonly UserBlock[],
  path: Path,
  callIds: ReadonlySet<string>,
  files: AttachedFiles,
): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let said: MessageContent | undefined;
  const flush = (): void => {
    if (said !== undefined) messages.push({ role: 'user', ...said.fields() });
    said = undefined;
  };
  for (const [index, block] of blocks.entries()) {
    const place = [...path, index];
    if (block.type !== 'tool_result') {
      said ??= new MessageContent();
      addBlock(said, block, place, files);
      continue;
    }
    if (!callIds.has(block.tool_use_id))
      throw invalid([...place, 'tool_use_id'], 'must be the id of a tool_use block in an earlier message');
    flush();
    const content = new MessageContent();
    if (block.is_error === true) content.addPrefix('Error: ');
    addContent(content, block.content ?? '', [...place, 'content'], files);
    messages.push({
      role: 'tool',
      ...content.fields(),
      toolCallId: block.tool_use_id.toWellFormed(),
    });
  }
  flush();
  return messages;
}

function toContent(
  content: string | readonly ShownBlock[],
  path: Path,
  files: AttachedFiles,
): Pick<ChatMessage, 'content' | 'attachments'> {
  const whole = new MessageContent();
  addContent(whole, content, path, files);
  return whole.fields();
}

function addContent(
  whole: MessageContent,
  content: string | readonly ShownBlock[],
  path: Path,
  files: AttachedFiles,
): void {
  if (typeof content === 'string') whole.addText(content);
  else for (const [index, block] of content.entries()) addBlock(whole, block, [...path, index], files);
}

function addBlock(whole: MessageContent, block: ShownBlock, path: Path, files: AttachedFiles): void {
  if (block.type !== 'image') {
    whole.addText(blockText(block, path));
    return;
  }
  const { source } = block;
  const place = { offset: whole.end, path, what: 'is of type image' };
  if (source.type === 'base64') whole.addAttachment(files.addPictureData(source.data, place));
  else if (source.type === 'url') whole.addAttachment(files.addPicture(source.url, place));
  else throw unsupported([...path, 'source'], 'No files are kept here: send the picture itself as base64.');
}

type TextBlock = Exclude<ShownBlock, { type: 'image' }>;

function blockText(block: TextBlock, path: Path): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_reference':
      return `The tool ${block.tool_name} can be called now.`;
    case 'search_result':
      refuseCitations(block, path);
      return joinLines(block.title, block.source, linesOf(block.content));
    case 'document': {
      refuseCitations(block, path);
      const { source, title, context } = block;
      if (source.type === 'text') return joinLines(title, context, source.data);
      if (source.type === 'content') return joinLines(title, context, linesOf(source.content));
      throw notUnderstood(path, `is of the source ${source.type}`);
    }
    default:
      return block satisfies never;
  }
}

const linesOf = (content: string | readonly { readonly text: string }[]) =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

const joinLines = (...lines: (string | null | undefined)[]) => lines.filter(Boolean).join('\n');

function refuseCitations(
  { citations }: Extract<ShownBlock, { type: 'document' | 'search_result' }>,
  path: Path,
): void {
  if (citations?.enabled === true)
    throw unsupported([...path, 'citations', 'enabled'], 'Answers have no citations here: leave it out.');
}
