import { computed, signal } from '@preact/signals';
import type { ListOf, Model } from '../api/types.ts';
import { userJson } from './session.ts';

/** The models that the ordinary key may use; undefined until the server told them. */
export const models = signal<readonly Model[] | undefined>(undefined);

function listOf(storageName: string): readonly string[] {
  return (localStorage.getItem(storageName) ?? '').split('\n').filter(Boolean);
}

const chosenName = 'hearth-model';
const answeredName = 'hearth-answered';

/** The model of the chat that is shown; '': none was chosen for it. */
const chosenId = signal('');

/** Whether nothing is known that keeps a model from answering. */
export const isWell = ({ state }: Model): boolean => state !== 'failed';

const failedName = 'hearth-failed';

/** The models whose last answer in this browser failed. */
const failedIds = () => listOf(failedName);
export const hasFailed = (id: string): boolean => failedIds().includes(id);

/** Keeps whether a model answered here. One that is compared with the chat's own is no choice for other chats. */
export function noteAnswer(id: string, isAnswered: boolean): void {
  if (isAnswered && id === chatModel.value?.id) localStorage.setItem(answeredName, id);
  const others = failedIds().filter((one) => one !== id);
  localStorage.setItem(failedName, (isAnswered ? others : [...others, id]).join('\n'));
}

/** Whether it is a model that comes with hearth. */
export const isDemo = (id: string) => id.startsWith('hearth-demo');

/**
 * Flaws that make a model a worse first choice than another, the weightiest first: those that come with hearth know
 * little, and one that is in memory writes at once. The model that speaks stays the same.
 */
const flawsOf = (model: Model): readonly boolean[] => [
  !isWell(model),
  model.id !== localStorage.getItem(answeredName),
  model.runs_elsewhere,
  isDemo(model.id),
  model.kind === 'chat' && model.state !== 'loaded',
];
const weightOf = (model: Model) => Number.parseInt(flawsOf(model).map(Number).join(''), 2);

/** The models of a kind, the best choice for somebody who chose none first. */
const modelsOf = (wanted: Model['kind']) =>
  computed(() =>
    (models.value ?? [])
      .filter(({ kind }) => kind === wanted)
      .toSorted((one, other) => weightOf(one) - weightOf(other)),
  );

export const chatModels = modelsOf('chat');
export const speechModels = modelsOf('speech');
export const voiceModels = modelsOf('voice');

/** The model that new answers come from: that of the chat, else the one chosen last if it is well, else the best one. */
export const chatModel = computed(() => {
  const all = chatModels.value;
  const find = (id: string | null) => all.find((model) => model.id === id);
  const last = find(localStorage.getItem(chosenName));
  return find(chosenId.value) ?? (last !== undefined && isWell(last) ? last : all[0]);
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
export const recentModels = (): readonly string[] => listOf(recentName);

export async function loadModels(): Promise<void> {
  models.value = (await userJson<ListOf<Model>>('models')).data;
}
