import type { ChatMessage } from '../../engine/types.ts';
import { joinTexts, toAssistantMessage } from '../parameters/conversation.ts';
import { toToolCall } from '../parameters/tools/tool-use.ts';
import { invalid, notUnderstood, unsupported } from '../request/validate.ts';
import type { MessageParameter, PromptParameters, ShownBlock, UserBlock } from './schema.ts';
import { readThought } from './thought-signature.ts';

type Path = readonly PropertyKey[];

/**
 * The conversation in the engine's form. Throws unsupported_content for what no model here understands, and
 * invalid_value for results without a call, for thoughts that this server did not write, and for an answer to be
 * continued.
 */
export function toChatMessages(
  { system, messages }: Pick<PromptParameters, 'system' | 'messages'>,
  signingKey: Uint8Array,
): readonly ChatMessage[] {
  const callIds = new Set<string>();
  const converted = messages.flatMap((message, index): readonly ChatMessage[] => {
    const path = ['messages', index, 'content'];
    if (message.role === 'assistant') return [toAnswer(message, path, callIds, signingKey)];
    if (message.role === 'system') return [{ role: 'system', content: toText(message.content, path) }];
    const { content } = message;
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    return fromUserBlocks(blocks, path, callIds);
  });
  if (messages.at(-1)?.role === 'assistant')
    throw invalid(
      ['messages'],
      'must end with a message of the user: the text of an answer cannot be continued here',
    );
  return system === undefined
    ? converted
    : [{ role: 'system', content: toText(system, ['system']) }, ...converted];
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
): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let said: string[] = [];
  const flush = (): void => {
    if (said.length > 0) messages.push({ role: 'user', content: said.join('\n') });
    said = [];
  };
  for (const [index, block] of blocks.entries()) {
    const place = [...path, index];
    if (block.type !== 'tool_result') {
      said.push(blockText(block, place));
      continue;
    }
    if (!callIds.has(block.tool_use_id))
      throw invalid([...place, 'tool_use_id'], 'must be the id of a tool_use block in an earlier message');
    flush();
    const content = toText(block.content ?? '', [...place, 'content']);
    messages.push({
      role: 'tool',
      content: block.is_error === true ? `Error: ${content}` : content,
      toolCallId: block.tool_use_id.toWellFormed(),
    });
  }
  flush();
  return messages;
}

/** Lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
function toText(content: string | readonly ShownBlock[], path: Path): string {
  if (typeof content === 'string') return content.toWellFormed();
  return content.map((block, index) => blockText(block, [...path, index])).join('\n');
}

function blockText(block: ShownBlock, path: Path): string {
  switch (block.type) {
    case 'text':
      return block.text.toWellFormed();
    case 'tool_reference':
      return `The tool ${block.tool_name} can be called now.`.toWellFormed();
    case 'search_result':
      refuseCitations(block, path);
      return joinLines(block.title, block.source, toText(block.content, path));
    case 'document': {
      refuseCitations(block, path);
      const { source, title, context } = block;
      if (source.type === 'text') return joinLines(title, context, source.data);
      if (source.type === 'content') return joinLines(title, context, toText(source.content, path));
      throw notUnderstood(path, `is of the source ${source.type}`);
    }
    case 'image':
      throw notUnderstood(path, 'is of type image');
    default:
      return block satisfies never;
  }
}

const joinLines = (...lines: (string | null | undefined)[]) =>
  lines.filter(Boolean).join('\n').toWellFormed();

function refuseCitations({ citations }: Extract<ShownBlock, { citations?: unknown }>, path: Path): void {
  if (citations?.enabled === true)
    throw unsupported([...path, 'citations', 'enabled'], 'Answers have no citations here: leave it out.');
}
