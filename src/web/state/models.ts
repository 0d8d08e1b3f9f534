import { computed, signal } from '@preact/signals';
import type { ListOf, Model } from '../api/types.ts';
import { userJson } from './session.ts';

/** The models that the ordinary key may use; undefined until the server told them. */
export const models = signal<readonly Model[] | undefined>(undefined);

const chosenName = 'hearth-model';
const chosenId = signal(localStorage.getItem(chosenName) ?? '');

/** Whether it is a model that comes with hearth. */
export const isDemo = (id: string) => id.startsWith('hearth-demo');

/** The models of a kind, those that come with hearth last, since they know too little to be the first choice. */
const modelsOf = (wanted: Model['kind']) =>
  computed(() =>
    (models.value ?? [])
      .filter(({ kind }) => kind === wanted)
      .toSorted((one, other) => Number(isDemo(one.id)) - Number(isDemo(other.id))),
  );

export const chatModels = modelsOf('chat');
export const speechModels = modelsOf('speech');
export const voiceModels = modelsOf('voice');

/** The model that new answers come from: the one chosen last if it is there, else one that is in memory, or at least well. */
export const chatModel = computed(
  () =>
    chatModels.value.find(({ id }) => id === chosenId.value) ??
    chatModels.value.find(({ state }) => state === 'loaded') ??
    chatModels.value.find(({ state }) => state !== 'failed') ??
    chatModels.value[0],
);

/** Makes a model the one that answers. `forNewChats`: in chats to come too. */
export function chooseModel(id: string, { forNewChats = true } = {}): void {
  chosenId.value = id;
  if (forNewChats) localStorage.setItem(chosenName, id);
}

/** The model that was chosen last for new chats. */
export const lastChosenModel = (): string => localStorage.getItem(chosenName) ?? '';

export async function loadModels(): Promise<void> {
  models.value = (await userJson<ListOf<Model>>('models')).data;
}
