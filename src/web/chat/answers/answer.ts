import { signal } from '@preact/signals';
import { ApiError, eventsOf } from '../api/request.ts';
import type { ChatEvent } from '../api/types.ts';
import { messageOf } from '../state/polled.ts';
import { nextTask } from '../state/next-task.ts';
import { asUser } from '../state/session.ts';
import { t } from '../texts.ts';
import {
  append,
  branchOf,
  replaceMessage,
  type Conversation,
  type Message,
} from './conversations/conversation.ts';
import { findFile, toBase64 } from './conversations/files.ts';
import { changeConversation, findConversation } from './conversations/store.ts';
import { Draft } from './draft.ts';
import { toChatRequest, type ReadBase64 } from './request.ts';

/** An answer that is being written. */
export interface LiveAnswer {
  readonly conversationId: string;
  readonly message: Message;
  stop(): void;
}

/** The answers that are being written now, in whatever conversation. */
export const liveAnswers = signal<readonly LiveAnswer[]>([]);

/**
 * Has `model` answer the end of the shown branch, or write the rest of `begun`, an answer that ends it. The answer joins
 * the conversation when it has ended.
 */
export async function answer(conversationId: string, model: string, begun?: Message): Promise<void> {
  const conversation = findConversation(conversationId);
  if (conversation === undefined) return;
  const { leafId } = conversation;
  const leaving = new AbortController();
  const draft = new Draft(model, begun?.parentId ?? leafId, begun);
  const live = show({ conversationId, message: draft.toMessage(), stop: () => leaving.abort() });
  let failure: Pick<Message, 'error' | 'retryAtMs'> = {};
  try {
    // The question shows before the whole conversation is written as JSON.
    await nextTask();
    const body = {
      ...toChatRequest(conversation, model, await readFiles(conversation)),
      ...(begun !== undefined && { continue_final_message: true }),
    };
    const response = await asUser('chat/completions', { method: 'POST', body, signal: leaving.signal });
    for await (const event of eventsOf<ChatEvent>(response)) {
      draft.take(event);
      live.update(() => draft.toMessage());
    }
  } catch (thrown) {
    if (leaving.signal.aborted) draft.finish = 'stopped';
    else failure = toFailure(thrown);
  }
  live.end();
  const message = { ...draft.toMessage(), ...failure };
  changeConversation(conversationId, (old) => {
    if (begun !== undefined) return replaceMessage(old, message);
    // The person may have turned to another branch meanwhile, and stays there.
    const grown = append({ ...old, leafId }, message);
    return old.leafId === leafId ? grown : { ...grown, leafId: old.leafId };
  });
}

/** Reads what was attached in the shown branch. Rejects where this browser has lost it. */
async function readFiles(conversation: Conversation): Promise<ReadBase64> {
  const contents = new Map<string, string>();
  for (const { attachments = [] } of branchOf(conversation))
    for (const attachment of attachments) {
      if (attachment.kind === 'text') continue;
      const content = await findFile(attachment.fileId);
      if (content === undefined) throw new Error(t.chat.fileGone(attachment.name));
      contents.set(attachment.fileId, await toBase64(content));
    }
  return ({ fileId }) => contents.get(fileId) ?? '';
}

function toFailure(thrown: unknown): Pick<Message, 'error' | 'retryAtMs'> {
  const error = messageOf(thrown);
  const seconds = thrown instanceof ApiError ? thrown.retryAfterSeconds : undefined;
  return seconds === undefined ? { error } : { error, retryAtMs: Date.now() + seconds * 1000 };
}

/** Puts an answer among those that are being written; it is shown again at most once per frame. */
function show(first: LiveAnswer): { update(read: () => Message): void; end(): void } {
  let frame: number | undefined;
  const replace = (message: Message) => {
    liveAnswers.value = liveAnswers.value.map((other) =>
      other.message.id === message.id ? { ...other, message } : other,
    );
  };
  liveAnswers.value = [...liveAnswers.value, first];
  return {
    update(read) {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        replace(read());
      });
    },
    end() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      liveAnswers.value = liveAnswers.value.filter(({ message }) => message.id !== first.message.id);
    },
  };
}
