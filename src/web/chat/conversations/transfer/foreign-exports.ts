import { newConversation, type Conversation, type Message } from '../conversation.ts';

/** A message of another program, as far as it is understood. */
interface Node {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: string;
  readonly text: string;
  readonly model?: string | undefined;
}

interface Export {
  readonly id?: string;
  readonly title?: string;
  /** Unix seconds. */
  readonly update_time?: number;
  readonly updated_at?: number;
  readonly current_node?: string;
  /** ChatGPT's. */
  readonly mapping?: Readonly<Record<string, GptNode>>;
  /** Open WebUI's. */
  readonly chat?: {
    readonly history?: { readonly messages?: Readonly<Record<string, WebNode>>; readonly currentId?: string };
  };
}

interface GptNode {
  readonly parent?: string | null;
  readonly message?: {
    readonly author?: { readonly role?: string };
    readonly content?: { readonly parts?: readonly unknown[] };
    readonly metadata?: { readonly model_slug?: string };
  } | null;
}

interface WebNode {
  readonly parentId?: string | null;
  readonly role?: string;
  readonly content?: unknown;
  readonly model?: string;
}

/** The chats of an export of ChatGPT or Open WebUI; undefined: it is neither. Throws where it is damaged. */
export function readForeign(content: unknown): Conversation[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const chats = (content as (Export | null)[]).flatMap((one) => {
    if (one?.mapping !== undefined) {
      const nodes = Object.entries(one.mapping).map(([id, { parent, message }]) => ({
        id,
        parentId: parent ?? null,
        role: message?.author?.role ?? '',
        text: (message?.content?.parts ?? []).filter((part) => typeof part === 'string').join('\n'),
        model: message?.metadata?.model_slug,
      }));
      return toConversation(one, nodes, one.current_node);
    }
    const { messages, currentId } = one?.chat?.history ?? {};
    if (one === null || messages === undefined) return [];
    const nodes = Object.entries(messages).map(
      ([id, { parentId = null, role = '', content: text, model }]) => ({
        id,
        parentId,
        role,
        text: typeof text === 'string' ? text : '',
        model,
      }),
    );
    return toConversation(one, nodes, currentId);
  });
  return chats.length > 0 ? chats : undefined;
}

/** Nodes that are neither questions nor answers are passed over; their replies follow from their parent. */
function toConversation(
  { id, title = '', update_time, updated_at }: Export,
  nodes: readonly Node[],
  currentId: string | undefined,
): Conversation {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const messages: Message[] = [];
  const nearest = new Map<string, string | null>();
  const waiting = [...(children.get(null) ?? [])];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    const parentId = node.parentId === null ? null : (nearest.get(node.parentId) ?? null);
    const { role, text, model } = node;
    const isShown = (role === 'user' || role === 'assistant') && text.trim() !== '';
    if (isShown)
      messages.push({ id: node.id, parentId, role, content: text, ...(model !== undefined && { model }) });
    nearest.set(node.id, isShown ? node.id : parentId);
    waiting.push(...(children.get(node.id) ?? []));
  }
  const fresh = newConversation();
  return {
    ...fresh,
    ...(id !== undefined && { id }),
    title,
    updatedAtMs: 1000 * (update_time ?? updated_at ?? Date.now() / 1000),
    messages,
    leafId: nearest.get(currentId ?? '') ?? messages.at(-1)?.id ?? null,
  };
}
