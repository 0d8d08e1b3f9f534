import { computed, signal } from '@preact/signals';
import type { ListOf, Model } from '../api/types.ts';
import { userJson } from './session.ts';

/** The models that the ordinary key may use; undefined until the server told them. */
export const models = signal<readonly Model[] | undefined>(undefined);

const chosenName = 'hearth-model';
const chosenId = signal(localStorage.getItem(chosenName) ?? '');

/** Whether it is a model that comes with hearth. */
export const isDemo = (id: string) => id.startsWith('hearth-demo');

/** The abilities of `model` besides that of its kind, by the words for them. */
export function abilitiesOf(
  { capabilities }: Model,
  words: Readonly<Record<'sees' | 'hears' | 'calls', string>>,
): string[] {
  const { supports_image: sees, supports_audio: hears, supports_function_calling: calls } = capabilities;
  return [...(sees ? [words.sees] : []), ...(hears ? [words.hears] : []), ...(calls ? [words.calls] : [])];
}

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

/**
 * The model that new answers come from: the one chosen last if it is there, else one of this machine, best one that is in
 * memory, else one that is well.
 */
export const chatModel = computed(() => {
  const all = chatModels.value;
  const own = all.filter(
    ({ id, state, runs_elsewhere: isElsewhere }) => state !== 'failed' && !isElsewhere && !isDemo(id),
  );
  return (
    all.find(({ id }) => id === chosenId.value) ??
    own.find(({ state }) => state === 'loaded') ??
    own[0] ??
    all.find(({ state }) => state !== 'failed') ??
    all[0]
  );
});

/** Makes a model the one that answers. `forNewChats`: in chats to come too. */
export function chooseModel(id: string, { forNewChats = true } = {}): void {
  chosenId.value = id;
  if (!forNewChats) return;
  localStorage.setItem(chosenName, id);
  const recent = [id, ...recentModels().filter((other) => other !== id)].slice(0, mostRecent);
  localStorage.setItem(recentName, recent.join('\n'));
}

const recentName = 'hearth-recent-models';
const mostRecent = 3;

/** The ids of the models that were chosen last, the newest first. */
export const recentModels = (): string[] =>
  (localStorage.getItem(recentName) ?? '').split('\n').filter(Boolean);

/** The model that was chosen last for new chats. */
export const lastChosenModel = (): string => localStorage.getItem(chosenName) ?? '';

export async function loadModels(): Promise<void> {
  models.value = (await userJson<ListOf<Model>>('models')).data;
}
