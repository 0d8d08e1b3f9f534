import { computed, effect, signal } from '@preact/signals';
import type { ApiKey } from '../api/types.ts';
import { adminJson, secrets } from './session.ts';

/** What the admin key of this tab is limited to; null: it may do everything, as far as is known. */
const scopes = signal<ApiKey['scopes']>(null);

effect(() => {
  const { admin } = secrets.value;
  scopes.value = null;
  if (admin === undefined) return;
  void adminJson<ApiKey>('keys/self').then(
    (own) => {
      if (secrets.value.admin === admin) scopes.value = own.scopes;
    },
    () => undefined,
  );
});

/** Whether the server lets it change what is there. */
export const mayChange = computed(() => scopes.value === null);

/** Whether the server lets it make accounts, keys and invitations: of its plans, where it may not change anything. */
export const mayMake = computed(() => scopes.value?.some((scope) => scope !== 'read') ?? true);
