import { effect, signal } from '@preact/signals';
import { parsed } from '../state/stored.ts';
import { settingsForAll } from './settings/presets.ts';
import { newConversation, type Conversation } from './conversations/conversation.ts';
import { changeConversation } from './conversations/store.ts';

const storageName = 'hearth-new-chat';

/** The chat that has no message yet, with its settings. It outlives a reload of its tab. */
export const newChat = signal<Conversation>(
  parsed(sessionStorage.getItem(storageName), newConversation(settingsForAll.value)),
);

effect(() => sessionStorage.setItem(storageName, JSON.stringify(newChat.value)));

export type Change = (old: Conversation) => Conversation;

/** Changes the chat of that id, which may be the new one. */
export function changeChat(id: string, change: Change): void {
  if (newChat.value.id === id) newChat.value = change(newChat.value);
  else changeConversation(id, change);
}

const textsName = 'hearth-unsent';

/** Unsent texts in the composer, by the id of their chat. */
const unsent = signal<Readonly<Record<string, string>>>(parsed(sessionStorage.getItem(textsName), {}));

export const unsentText = (conversationId: string): string => unsent.value[conversationId] ?? '';

export function keepUnsent(conversationId: string, text: string): void {
  const { [conversationId]: _, ...others } = unsent.peek();
  unsent.value = text === '' ? others : { ...others, [conversationId]: text };
  try {
    sessionStorage.setItem(textsName, JSON.stringify(unsent.value));
  } catch {
    // A text that is too long to be kept stays on the screen.
  }
}
