import { computed, effect, signal } from '@preact/signals';
import type { ApiKey } from '../api/types.ts';
import { adminJson, secrets } from './session.ts';

/** The admin key of this tab, as far as is known. */
export const ownKey = signal<ApiKey>();

effect(() => {
  const { admin } = secrets.value;
  ownKey.value = undefined;
  if (admin === undefined) return;
  void adminJson<ApiKey>('keys/self').then(
    (own) => {
      if (secrets.value.admin === admin) ownKey.value = own;
    },
    () => undefined,
  );
});

/** Whether the server lets the key change things. */
export const mayChange = computed(() => !ownKey.value?.scopes);

/** Whether the server lets it make accounts, keys and invitations: of its plans, where it may not change anything. */
export const mayMake = computed(() => ownKey.value?.scopes?.some((scope) => scope !== 'read') ?? true);
