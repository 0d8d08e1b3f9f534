import { signal } from '@preact/signals';

const storageName = 'hearth-titles';

/** The models that write titles of chats: those that compute on this machine, unless the person chose otherwise. */
export type TitleModels = 'local' | 'all' | 'none';

export const titleModels = signal((localStorage.getItem(storageName) ?? 'local') as TitleModels);

export function chooseTitleModels(chosen: TitleModels): void {
  localStorage.setItem(storageName, chosen);
  titleModels.value = chosen;
}
