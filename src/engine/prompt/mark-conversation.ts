/**
 * A conversation as the template gets it: with marks in the texts of clients. A mark is two private-use characters that
 * no message has side by side, drawn anew for each request, so that nobody can write one. One mark breaks the texts of
 * control tokens (see `text/control-texts.ts`), the other stands where an attachment does. The rendered prompt is cut
 * at both.
 */
import { AppError } from '../../errors/errors.ts';
import type { Attachment, ChatMessage } from '../types.ts';
import { conversationTexts, mapConversationTexts, textsAround, type Conversation } from './conversation.ts';
import type { TemplateFacts } from './template/template-facts.ts';
import { breakControlTexts, unusedMark, type ControlPattern } from './text/control-texts.ts';

/** A text in quotes that is a marker, in a template's source. */
const quotedMarker = /(?<quote>['"])(?<marker><[^<>\s'"]{1,60}>|\[\/?[A-Z][A-Z _]{1,40}\])(?:\\n)?\k<quote>/g;

/** A switch that a template takes out of messages, such as Nemotron's `/think`. */
const removedSwitch = /\.replace\(\s*(?<quote>['"])(?<text>\/\w+)\k<quote>,\s*(?:''|"")\)/g;
const printable = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(33 + index));

/**
 * The texts by which a template with this source tells its parts apart: a client's text with one of them is cut or
 * becomes a thought, unless a mark breaks it. A switch is one where it stands alone: in a path it is none.
 */
export function markersOfTemplate(source: string, { thoughts }: Pick<TemplateFacts, 'thoughts'>): string[] {
  const tags = thoughts?.syntax.kind === 'tags' ? Object.values(thoughts.syntax.tags) : [];
  const quoted = [...source.matchAll(quotedMarker)].map(({ groups }) => groups?.['marker'] ?? '');
  const switches = [...source.matchAll(removedSwitch)].map(({ groups }) => groups?.['text'] ?? '');
  const inWords = switches.flatMap((text) => printable.map((before) => before + text));
  return [...new Set([...tags.map((tag) => tag.trim()), ...quoted, ...inWords])];
}

/**
 * `conversation` with the thought with which an answer begins, in tags of the template, in its own field: a client has
 * it from a server that leaves thoughts in answers.
 */
export function withThoughtsApart(
  conversation: Conversation,
  { thoughts }: Pick<TemplateFacts, 'thoughts'>,
): Conversation {
  if (thoughts?.syntax.kind !== 'tags') return conversation;
  const { begin, end } = thoughts.syntax.tags;
  const apart = (message: ChatMessage, at: number): ChatMessage => {
    const text = message.content.trimStart();
    if (message.role !== 'assistant' || message.reasoning || !text.startsWith(begin.trim())) return message;
    const [thought = '', ...rest] = text.slice(begin.trim().length).split(end);
    const goesOn = conversation.continuesLast === true && at === conversation.messages.length - 1;
    if (rest.length === 0 && !goesOn) return message;
    return { ...message, reasoning: thought.trim(), content: rest.join(end).trimStart() };
  };
  return { ...conversation, messages: conversation.messages.map(apart) };
}

export interface MarkedConversation {
  readonly conversation: Conversation;
  /** Undefined: there is no control text. */
  readonly controlMark: string | undefined;
  /** In the order in which they stand in the conversation. */
  readonly attachments: readonly Attachment[];
  /** Undefined: there are no attachments. */
  readonly attachmentMark: string | undefined;
}

/** The conversation with its marks. Lets other work run in between. */
export async function markConversation(
  given: Conversation,
  pattern: ControlPattern | undefined,
): Promise<MarkedConversation> {
  const attachments = given.messages.flatMap((message) => message.attachments ?? []);
  const attachmentMark = attachments.length === 0 ? undefined : unusedMark(conversationTexts(given));
  const withMarks = ({ attachments: inside = [], ...message }: ChatMessage): ChatMessage => ({
    ...message,
    content: textsAround(message.content, inside).join(attachmentMark),
  });
  const conversation =
    attachmentMark === undefined ? given : { ...given, messages: given.messages.map(withMarks) };
  const { texts: broken, mark: controlMark } = await breakControlTexts(
    conversationTexts(conversation),
    pattern,
  );
  const found = { controlMark, attachments, attachmentMark };
  if (controlMark === undefined) return { conversation, ...found };
  let next = 0;
  return { conversation: mapConversationTexts(conversation, (text) => broken[next++] ?? text), ...found };
}

/**
 * `rendered`, cut where its attachments stand; each part is one text, or the texts around its control marks. Throws
 * AppError where the template left some of the attachments out.
 */
export function cutAtMarks(
  rendered: string,
  { controlMark, attachmentMark, attachments }: MarkedConversation,
): readonly (string | Iterable<string>)[] {
  const parts = attachmentMark === undefined ? [rendered] : rendered.split(attachmentMark);
  if (parts.length !== attachments.length + 1)
    throw new AppError(
      'invalid_value',
      `The model's chat template shows ${parts.length - 1} of ${attachments.length} attachments. Send them in messages of the user.`,
      { param: 'messages' },
    );
  return parts.map((part) =>
    controlMark === undefined || part === '' ? part : piecesBetween(part, controlMark),
  );
}

/** The texts between the marks, one after the other: of millions, only the first may be needed. */
function* piecesBetween(text: string, mark: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(mark, start);
    const end = found < 0 ? text.length : found;
    if (end > start) yield text.slice(start, end);
    start = end + mark.length;
  }
}
