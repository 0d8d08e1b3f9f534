import { computed, signal } from '@preact/signals';
import { parsed } from '../state/stored.ts';
import type { ServerEvent } from '../api/types.ts';

export type Notice = Extract<ServerEvent, { type: 'notices' }>['data'][number];

const hiddenName = 'hearth-hidden-notices';

/** The notices that the server told operators last. */
export const notices = signal<readonly Notice[]>([]);

/** The ids of those that were hidden in this browser. */
export const hidden = signal(parsed<readonly Notice['id'][]>(localStorage.getItem(hiddenName), []));

addEventListener('storage', ({ key, newValue }) => {
  if (key === hiddenName) hidden.value = parsed(newValue, []);
});

/** Those that the server has forgotten never come again. */
export function hide(ids: readonly Notice['id'][]): void {
  hidden.value = ids.filter((one) => notices.value.some(({ id }) => id === one));
  localStorage.setItem(hiddenName, JSON.stringify(hidden.value));
}

/** Those that still stand: of two about the same the newer one holds, such as 100 % of a budget after 80 %. */
export const standing = computed(() =>
  [...Map.groupBy(notices.value, subjectOf).values()].flatMap(([first]) => (first?.stands ? [first] : [])),
);

export const isHidden = ({ id }: Notice): boolean => hidden.value.includes(id);

/** How often this browser has changed accounts or keys, whose notices may stand no longer. */
export const changes = signal(0);

const subjectOf = ({ type, account_id: account, data }: Notice): string =>
  [type.split('.', 1), account, ...about.map((field) => data[field])].join(' ');

const about = ['owner', 'key_id', 'measure', 'period', 'model', 'folder'];
