import type { ChatSettings } from '../conversations/conversation.ts';
import { forAllName, presets, settingsForAll, storageName, type Presets } from './presets.ts';

/** Has chats of this browser begin with `own` from now on. */
export function keepForAll(own: ChatSettings): void {
  // That calls need no asking holds for one chat.
  const { allowed: _, ...settings } = own;
  localStorage.setItem(forAllName, JSON.stringify(settings));
  settingsForAll.value = settings;
}

function keep(next: Presets): void {
  localStorage.setItem(storageName, JSON.stringify(next));
  presets.value = next;
}

export const keepPreset = (name: string, settings: ChatSettings): void =>
  keep({ ...presets.value, [name]: settings });

export function removePreset(name: string): void {
  const { [name]: _, ...others } = presets.value;
  keep(others);
}
