import { signal } from '@preact/signals';
import { parsed } from '../../state/stored.ts';
import type { ChatSettings } from '../conversations/conversation.ts';

export const storageName = 'hearth-presets';

export type Presets = Readonly<Record<string, ChatSettings>>;

export const forAllName = 'hearth-default-settings';

/** The settings with which chats of this browser begin. */
export const settingsForAll = signal<ChatSettings>(parsed(localStorage.getItem(forAllName), {}));

/** Settings that were kept under a name, in this browser. */
export const presets = signal<Presets>(parsed(localStorage.getItem(storageName), {}));

/** The name of the preset that has exactly these settings. */
export const presetOf = (settings: ChatSettings): string | undefined =>
  Object.entries(presets.value).find(([, preset]) => areSame(settings, preset))?.[0];

export const areSame = (one: ChatSettings, other: ChatSettings): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (settings: ChatSettings) =>
  Object.entries(settings).toSorted(([one], [other]) => one.localeCompare(other));
