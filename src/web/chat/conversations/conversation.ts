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
  /** From sending to the first token. */
  readonly firstTokenMs: number;
  /** From the first to the last token. */
  readonly generationMs: number;
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
}

export type Attachment = AttachedFile | AttachedText;

export interface Message {
  readonly id: string;
  /** The message that this one follows; null: it is the first. Messages with the same parent are versions. */
  readonly parentId: string | null;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly attachments?: readonly Attachment[];
  /** Of a `tool` message: the call that it answers. */
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly model?: string;
  readonly reasoning?: string;
  readonly reasoningMs?: number;
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'stopped';
  readonly stats?: AnswerStats;
  /** Why there is no answer. */
  readonly error?: string;
  /** When the server will take the request again, Unix ms. */
  readonly retryAtMs?: number;
}

/** What the person set for a conversation; what is missing is the server's default. */
export interface ChatSettings {
  readonly system?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly effort?: 'none' | 'low' | 'medium' | 'high';
  /** A JSON schema, as text. */
  readonly schema?: string;
  /** A JSON list of tools, as text. */
  readonly tools?: string;
}

export interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly updatedAtMs: number;
  readonly settings: ChatSettings;
  readonly messages: readonly Message[];
  /** The last message of the branch that is shown; null: there is none yet. */
  readonly leafId: string | null;
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

/** The conversation with `message` at the end of the shown branch. The first question, or what it brings, is the title. */
export function append(conversation: Conversation, message: Message): Conversation {
  const title = conversation.title === '' && message.role === 'user' ? toTitle(message) : conversation.title;
  return {
    ...conversation,
    title,
    updatedAtMs: Date.now(),
    messages: [...conversation.messages, message],
    leafId: message.id,
  };
}

/** The conversation with `message` in place of the one with its id. */
export function replaceMessage(conversation: Conversation, message: Message): Conversation {
  const messages = conversation.messages.map((other) => (other.id === message.id ? message : other));
  return { ...conversation, updatedAtMs: Date.now(), messages };
}

const toTitle = ({ content, attachments: [attachment] = [] }: Message) => {
  const line = content.trim().split('\n', 1)[0] || (attachment?.name ?? '');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
