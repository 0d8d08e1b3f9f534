import type { ResponseItem } from '../../api/types.ts';
import type { NumberName } from '../settings/parameters.ts';

/** A call that the model made, and the answer to it once the person gave one. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

export interface AnswerStats {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** From sending to the first token; undefined: the answer was read on after it had begun. */
  readonly firstTokenMs?: number;
  /** From the first to the last token. */
  readonly generationMs?: number;
}

/** A picture or a recording that was attached. Its content lies under `fileId` in `files.ts`. */
export interface AttachedFile {
  readonly name: string;
  readonly kind: 'image' | 'audio';
  /** The media type, such as `image/png`. */
  readonly type: string;
  readonly fileId: string;
}

export interface AttachedText {
  readonly name: string;
  readonly kind: 'text';
  readonly text: string;
  /** Of a PDF, whose text this is. */
  readonly pages?: number;
  /** The size of the file, whose text may be far shorter; undefined: it is not known. */
  readonly bytes?: number;
}

export type Attachment = AttachedFile | AttachedText;

export interface AnswerStream {
  /** Its name at the server. */
  readonly name: string;
  /** How much of the message was there before, in characters. */
  readonly contentChars: number;
  readonly reasoningChars: number;
}

export interface Message {
  readonly id: string;
  /** The message that this one follows; null: it is the first. Messages with the same parent are versions. */
  readonly parentId: string | null;
  /** Of a question that was asked several models at once, each after its own answer: the first one of these. */
  readonly twinId?: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly attachments?: readonly Attachment[];
  /** Of a `tool` message: the call that it answers. */
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly toolCalls?: readonly ToolCall[];
  /** Of an answer for which servers' tools were called: its parts as the server has them. */
  readonly items?: readonly ResponseItem[];
  /** Of a `tool` message: whether it allows the call that the model wants to make. */
  readonly approves?: boolean;
  readonly model?: string;
  readonly reasoning?: string;
  readonly reasoningMs?: number;
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'stopped' | 'lost';
  readonly stats?: AnswerStats;
  /** Why there is no answer. */
  readonly error?: string;
  /** Whether a limit is behind that, the model or its server, or the length of its prompt; undefined: none of them. */
  readonly errorKind?: 'limit' | 'model' | 'length';
  /** The server's words about that, where they are for operators. */
  readonly errorDetails?: string;
  /** The request that failed, by which the operator finds it. */
  readonly failedRequest?: { readonly id: string; readonly atMs: number };
  /** When the server will take the request again, Unix ms. */
  readonly retryAtMs?: number;
  /** Of an answer that is being written: where the server has it, also for a page that is opened meanwhile. */
  readonly stream?: AnswerStream;
  /** Of an answer whose first word has not come: how much of its prompt is computed, and how long the rest takes. */
  readonly progress?: { readonly processed: number; readonly total: number; readonly leftMs: number };
  /** Grows with every change, so that of two tabs the later text is kept. */
  readonly revision?: number;
}

/** Settings that the person chose for a conversation; a missing one has the server's default. */
export interface ChatSettings extends Partial<Readonly<Record<NumberName, number>>> {
  readonly system?: string;
  readonly effort?: 'none' | 'low' | 'medium' | 'high';
  /** A JSON schema, as text. */
  readonly schema?: string;
  /** A JSON list of tools, as text. */
  readonly tools?: string;
  /** Labels of the MCP servers whose tools the model may call. */
  readonly servers?: readonly string[];
  /** By the label of a server of which not all tools may be called: the names of those that may. */
  readonly serverTools?: Readonly<Record<string, readonly string[]>>;
  /** Tools of servers that need no more asking in this chat, as `label tool`. */
  readonly allowed?: readonly string[];
  /** Texts that end an answer, one per line. */
  readonly stop?: string;
  /** A JSON object of token ids with their biases, as text. */
  readonly logitBias?: string;
  /** Whether its answers are read aloud as they are written. */
  readonly readsAloud?: true;
  /** The model that reads them; undefined: the first one. */
  readonly voiceModel?: string;
  /** The name of the voice; undefined: the server takes the first one, or the model's own. */
  readonly voice?: string;
}

export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** Whether the person gave the title. */
  readonly isNamed?: boolean;
  readonly updatedAtMs: number;
  readonly settings: ChatSettings;
  readonly messages: readonly Message[];
  /** The last message of the branch that is shown; null: there is none yet. */
  readonly leafId: string | null;
  /** The model that it is answered by; undefined: the one that was chosen last. */
  readonly model?: string | undefined;
  /** A second model that answers every question as well. */
  readonly comparedModel?: string | undefined;
  /** The first question of which, and of those after it, the answers are shown beside each other, until one is kept. */
  readonly comparedId?: string | undefined;
  readonly isPinned?: boolean;
  /** Whether it is out of sight in the list, until it is asked for or written in. */
  readonly isArchived?: boolean;
  /** Messages that were deleted, which another tab may still have. */
  readonly removedIds?: readonly string[];
}

export const newId = (): string =>
  crypto.getRandomValues(new Uint32Array(3)).reduce((id, part) => id + part.toString(36), '');

export function newConversation(settings: ChatSettings = {}): Conversation {
  return { id: newId(), title: '', updatedAtMs: Date.now(), settings, messages: [], leafId: null };
}

/** The messages from the first to `leafId`. */
export function branchOf({ messages, leafId }: Conversation): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const branch: Message[] = [];
  for (let at = leafId === null ? undefined : byId.get(leafId); at !== undefined;) {
    branch.unshift(at);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  return branch;
}

/** The versions of `message`, itself included, oldest first. */
export function versionsOf({ messages }: Conversation, { parentId, role }: Message): Message[] {
  return messages.filter((other) => other.parentId === parentId && other.role === role);
}

/** The conversation showing the newest branch below `messageId`. */
export function showBranch(conversation: Conversation, messageId: string): Conversation {
  let leafId = messageId;
  for (;;) {
    const next = conversation.messages.findLast(({ parentId }) => parentId === leafId);
    if (next === undefined) return { ...conversation, leafId };
    leafId = next.id;
  }
}

/** The conversation with `message` at the end of the shown branch. The first question, or its file, is the title. */
export function append(conversation: Conversation, message: Message): Conversation {
  const title =
    conversation.title === '' && message.role === 'user' ? firstTitle(message) : conversation.title;
  return {
    ...conversation,
    title,
    isArchived: false,
    updatedAtMs: Date.now(),
    messages: [...conversation.messages, message],
    leafId: message.id,
  };
}

/** The ids of the messages that follow from the one of that id, in all branches. */
export function followingOf(messages: readonly Message[], id: string): string[] {
  const following = new Set([id]);
  // Every message stands after the one that it follows.
  for (const { id: next, parentId } of messages)
    if (parentId !== null && following.has(parentId)) following.add(next);
  return [...following].slice(1);
}

/** The conversation without a message and those behind it, showing the version before it or the one after. */
export function removeMessage(conversation: Conversation, id: string): Conversation {
  const removed = conversation.messages.find((message) => message.id === id);
  if (removed === undefined) return conversation;
  const gone = new Set([id, ...followingOf(conversation.messages, id)]);
  const versions = versionsOf(conversation, removed).map((version) => version.id);
  const at = versions.indexOf(id);
  const rest = {
    ...conversation,
    updatedAtMs: Date.now(),
    messages: conversation.messages.filter((message) => !gone.has(message.id)),
    removedIds: [...(conversation.removedIds ?? []), ...gone],
  };
  if (conversation.leafId === null || !gone.has(conversation.leafId)) return rest;
  const next = versions[at - 1] ?? versions[at + 1] ?? removed.parentId;
  return next === null ? { ...rest, leafId: null } : showBranch(rest, next);
}

/** The conversation with `message` in place of the one with its id. */
export function replaceMessage(conversation: Conversation, message: Message): Conversation {
  const messages = conversation.messages.map((other) =>
    other.id === message.id ? { ...message, revision: (other.revision ?? 0) + 1 } : other,
  );
  return { ...conversation, updatedAtMs: Date.now(), messages };
}

/** `mine` with the messages that only `theirs` has, and of each message the later text. */
export function merge(mine: Conversation, theirs: Conversation): Conversation {
  const removedIds = [...new Set([...(mine.removedIds ?? []), ...(theirs.removedIds ?? [])])];
  const messages = new Map(mine.messages.map((message) => [message.id, message]));
  for (const message of theirs.messages) {
    const own = messages.get(message.id);
    if (own === undefined || (own.revision ?? 0) < (message.revision ?? 0)) messages.set(message.id, message);
  }
  for (const id of removedIds) messages.delete(id);
  const leafId = mine.leafId === null || messages.has(mine.leafId) ? mine.leafId : theirs.leafId;
  return {
    ...mine,
    ...(theirs.isNamed && !mine.isNamed && { title: theirs.title, isNamed: true }),
    messages: [...messages.values()],
    leafId,
    ...(removedIds.length > 0 && { removedIds }),
  };
}

/** The title of a chat that begins with a message. */
export const firstTitle = ({ content, attachments: [attachment] = [] }: Message) => {
  const line = content.trim().split('\n', 1)[0] || (attachment?.name ?? '');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
