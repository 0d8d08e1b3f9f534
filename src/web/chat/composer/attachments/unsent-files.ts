import { effect, signal } from '@preact/signals';
import { parsed } from '../../../state/stored.ts';
import type { Attachment } from '../../conversations/conversation.ts';

const storageName = 'hearth-unsent-files';

/** The files of messages that are being written, by the id of their chat: they stay while another chat is looked at. */
export const unsent = signal<Readonly<Record<string, readonly Attachment[]>>>(
  parsed(sessionStorage.getItem(storageName), {}),
);

// They outlive a reload of their tab.
effect(() => {
  try {
    sessionStorage.setItem(storageName, JSON.stringify(unsent.value));
  } catch {
    // Texts that are too long to be kept stay on the screen.
  }
});

export const unsentFiles = (conversationId: string): readonly Attachment[] =>
  unsent.value[conversationId] ?? [];
