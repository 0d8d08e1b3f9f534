import { signal } from '@preact/signals';
import { parsed } from './stored.ts';

const storageName = 'hearth-chats-on-server';

/** Whether the person wants the chats of this browser to be at the server too, for their other devices. */
export const isKept = signal(localStorage.getItem(storageName) !== null);

/** By id of a chat: the state in which it was the same here and at the server. `next` replaces them. */
export function knownStamps(next?: Readonly<Record<string, string | undefined>>): Record<string, string> {
  if (next !== undefined) localStorage.setItem(storageName, JSON.stringify(next));
  return parsed(localStorage.getItem(storageName), {});
}

export function keepOnServer(isWanted: boolean): void {
  if (isWanted) knownStamps({});
  else localStorage.removeItem(storageName);
  isKept.value = isWanted;
}
