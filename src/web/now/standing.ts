import { computed, signal } from '@preact/signals';
import { parsed } from '../state/stored.ts';
import type { ServerEvent } from '../api/types.ts';

export type Notice = Extract<ServerEvent, { type: 'notices' }>['data'][number];

const hiddenName = 'hearth-hidden-notices';

/** The notices that the server told operators last. */
export const notices = signal<readonly Notice[]>([]);

/** The ids of those that were hidden in this browser. */
export const hidden = signal(parsed<readonly Notice['id'][]>(localStorage.getItem(hiddenName), []));

/** Those that the server has forgotten never come again. */
export function hide(ids: readonly Notice['id'][]): void {
  hidden.value = ids.filter((one) => notices.value.some(({ id }) => id === one));
  localStorage.setItem(hiddenName, JSON.stringify(hidden.value));
}

/** The ids of the accounts that are there, and of the keys that work; undefined: they are still to come. */
export const present = signal<ReadonlySet<string> | undefined>(undefined);

/** Whether it is about an account or a key that is gone since. */
const isOver = ({ account_id: account, data }: Notice): boolean =>
  [account, data['key_id']].some((id) => typeof id === 'string' && present.value?.has(id) === false);

/** Those that still stand: of two about the same the newer one holds, such as 100 % of a budget after 80 %. */
export const standing = computed(() =>
  [...Map.groupBy(notices.value, subjectOf).values()]
    .flatMap(([first]) => first ?? [])
    .filter((one) => !hidden.value.includes(one.id) && !isOver(one)),
);

const subjectOf = ({ type, account_id: account, data }: Notice): string =>
  [type.split('.', 1), account, ...about.map((field) => data[field])].join(' ');

const about = ['owner', 'key_id', 'measure', 'period', 'model', 'folder'];
