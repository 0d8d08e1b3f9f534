import { effect, signal, untracked } from '@preact/signals';
import { chatModel } from '../../state/models.ts';
import { ask } from '../actions.ts';
import { liveIn } from '../answers/answer.ts';
import type { Attachment, Conversation } from '../conversations/conversation.ts';
import { wantedCalls } from '../conversations/parts.ts';
import { findConversation } from '../conversations/store.ts';
import { keepUnsent, unsentText } from '../new-chat.ts';
import { unsent, unsentFiles } from './attachments/unsent-files.ts';

/** A message that is sent when the answer before it has ended. */
export interface NextMessage {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Whether it is sent however that answer ends. */
  readonly isUrgent?: boolean;
}

/** The next message of each chat that has one, by the chat's id. */
export const nextMessages = signal<Readonly<Record<string, NextMessage>>>({});

const joinTexts = (...texts: readonly string[]) => texts.filter((text) => text.trim() !== '').join('\n\n');

/** Has a message wait for the end of the answer that is being written; what waits there already gets longer. */
export function queue(id: string, text: string, attachments: readonly Attachment[]): void {
  const before = nextMessages.value[id];
  nextMessages.value = {
    ...nextMessages.value,
    [id]: {
      text: joinTexts(before?.text ?? '', text),
      attachments: [...(before?.attachments ?? []), ...attachments],
    },
  };
}

/** Stops the answer that the next message waits for, and sends that. */
export function sendNow(id: string): void {
  const next = nextMessages.value[id];
  if (next === undefined) return;
  nextMessages.value = { ...nextMessages.value, [id]: { ...next, isUrgent: true } };
  for (const live of liveIn(id)) live.stop();
}

function take(id: string): NextMessage | undefined {
  const { [id]: next, ...others } = nextMessages.value;
  nextMessages.value = others;
  return next;
}

/** Puts the next message back where messages are written, before what is written there. */
export function takeBack(id: string): void {
  const next = take(id);
  if (next === undefined) return;
  keepUnsent(id, joinTexts(next.text, unsentText(id)));
  unsent.value = { ...unsent.value, [id]: [...next.attachments, ...unsentFiles(id)] };
}

/** What becomes of the next message of a chat in which nothing is being written. */
function outcome({ messages, leafId }: Conversation, { isUrgent }: NextMessage): 'send' | 'wait' | 'back' {
  const last = messages.find((message) => message.id === leafId);
  if (isUrgent) return 'send';
  // It is being asked again, or goes on once its calls are answered.
  if (last?.role !== 'assistant' || last.finish === 'tool_calls' || wantedCalls(last).length > 0)
    return 'wait';
  const isWhole = last.error === undefined && (last.finish === 'stop' || last.finish === 'length');
  return isWhole ? 'send' : 'back';
}

effect(() => {
  for (const [id, next] of Object.entries(nextMessages.value)) {
    if (liveIn(id).length > 0) continue;
    const conversation = findConversation(id);
    untracked(() => {
      if (conversation === undefined) return void take(id);
      const model = conversation.model ?? chatModel.value?.id;
      const what = model === undefined ? 'back' : outcome(conversation, next);
      if (what === 'back') takeBack(id);
      else if (what === 'send' && model !== undefined) {
        take(id);
        ask(conversation, model, next.text, next.attachments);
      }
    });
  }
});

// A page that is loaded again has them as drafts.
addEventListener('pagehide', () => Object.keys(nextMessages.value).forEach(takeBack));
