import { signal } from '@preact/signals';
import type { ChatSettings } from '../conversations/conversation.ts';

const storageName = 'hearth-presets';

export type Presets = Readonly<Record<string, ChatSettings>>;

/** Settings that were kept under a name, in this browser. */
export const presets = signal<Presets>(readStored());

function readStored(): Presets {
  try {
    return (JSON.parse(localStorage.getItem(storageName) ?? '{}') ?? {}) as Presets;
  } catch {
    return {};
  }
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

/** The name of the preset that has exactly these settings. */
export const presetOf = (settings: ChatSettings): string | undefined => {
  const text = JSON.stringify(sorted(settings));
  return Object.entries(presets.value).find(([, preset]) => JSON.stringify(sorted(preset)) === text)?.[0];
};

const sorted = (settings: ChatSettings) =>
  Object.entries(settings).toSorted(([one], [other]) => one.localeCompare(other));
