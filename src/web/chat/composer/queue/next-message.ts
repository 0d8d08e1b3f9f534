import { effect, signal, untracked } from '@preact/signals';
import { chatModel, models } from '../../../state/models.ts';
import { parsed } from '../../../state/stored.ts';
import { ask } from '../../actions.ts';
import { liveIn } from '../../answers/answer.ts';
import { newId, type Attachment, type Conversation } from '../../conversations/conversation.ts';
import { wantedCalls } from '../../conversations/parts.ts';
import { areLoaded, findConversation } from '../../conversations/store.ts';
import { keepUnsent, unsentText } from '../../new-chat.ts';
import { unsent, unsentFiles } from '../attachments/unsent-files.ts';
import { claimQueue, isQueueOwn } from './own-queue.ts';

/** A message that is sent when the answer before it has ended. */
export interface NextMessage {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Whether it is sent however that answer ends. */
  readonly isUrgent?: boolean;
}

const storageName = 'hearth-next-messages';

/** The next messages of each chat that has some, by the chat's id, in the order in which they are sent. */
const queues = signal<Readonly<Record<string, readonly NextMessage[]>>>(
  parsed(sessionStorage.getItem(storageName), {}),
);

// They outlive a reload of their tab.
effect(() => {
  try {
    sessionStorage.setItem(storageName, JSON.stringify(queues.value));
  } catch {
    // Texts that are too long to be kept stay on the screen.
  }
});

export const nextMessages = (id: string): readonly NextMessage[] => queues.value[id] ?? [];
export const allNext = (): readonly NextMessage[] => Object.values(queues.value).flat();

function setQueue(id: string, next: readonly NextMessage[]): void {
  const { [id]: _, ...others } = queues.value;
  queues.value = next.length === 0 ? others : { ...others, [id]: next };
}

claimQueue(
  () => allNext().map(({ id }) => id),
  (ids) => {
    for (const [id, next] of Object.entries(queues.value))
      setQueue(
        id,
        next.filter((message) => !ids.includes(message.id)),
      );
  },
);

/** Has a message wait for the end of the answer that is being written, and of those to the messages that wait already. */
export const queue = (id: string, text: string, attachments: readonly Attachment[]): void =>
  setQueue(id, [...nextMessages(id), { id: newId(), text, attachments }]);

export const removeNext = (id: string, { id: messageId }: NextMessage): void =>
  setQueue(
    id,
    nextMessages(id).filter((other) => other.id !== messageId),
  );

/** Stops the answer that the first message waits for, and sends that. */
export function sendNow(id: string): void {
  const [first, ...others] = nextMessages(id);
  if (first === undefined) return;
  setQueue(id, [{ ...first, isUrgent: true }, ...others]);
  for (const live of liveIn(id)) live.stop();
}

/** Puts a message back where messages are written, before the text there. */
export function takeBack(id: string, message: NextMessage): void {
  removeNext(id, message);
  keepUnsent(id, [message.text, unsentText(id)].filter((text) => text.trim() !== '').join('\n\n'));
  unsent.value = { ...unsent.value, [id]: [...message.attachments, ...unsentFiles(id)] };
}

/** The outcome of the next message of a chat in which nothing is being written. */
function outcome({ messages, leafId }: Conversation, { isUrgent }: NextMessage): 'send' | 'wait' | 'back' {
  const last = messages.find((message) => message.id === leafId);
  if (isUrgent) return 'send';
  // It is being asked again, is soon read on after a reload, or goes on once its calls are answered.
  if (last?.role !== 'assistant' || last.stream !== undefined || last.finish === 'tool_calls') return 'wait';
  if (wantedCalls(last).length > 0) return 'wait';
  const isWhole = last.error === undefined && (last.finish === 'stop' || last.finish === 'length');
  return isWhole ? 'send' : 'back';
}

function goOn(id: string): void {
  const conversation = findConversation(id);
  if (conversation === undefined) return setQueue(id, []);
  const model = conversation.model ?? chatModel.value?.id;
  const [first] = nextMessages(id);
  if (first === undefined || model === undefined) return;
  const next = outcome(conversation, first);
  if (next === 'send') {
    removeNext(id, first);
    ask(conversation, model, first.text, first.attachments);
  } else if (next === 'back') for (const message of nextMessages(id).toReversed()) takeBack(id, message);
}

effect(() => {
  if (!isQueueOwn.value || !areLoaded.value || models.value === undefined) return;
  for (const id of Object.keys(queues.value)) {
    if (liveIn(id).length > 0) continue;
    findConversation(id);
    untracked(() => goOn(id));
  }
});
