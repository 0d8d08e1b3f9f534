import type { Store } from '../../store/store.ts';
import type { Accounts } from '../accounts.ts';
import type { Keys } from '../keys.ts';
import type { Identity, ProviderSettings } from './identity-provider.ts';

interface ProviderAccountsDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly keys: Keys;
}

/**
 * Id of the account of a person who has signed in; it is made for one who never did. The plan is that of the groups
 * which the provider names now. undefined: these let the person not in, and then the keys of the account open nothing.
 */
export function admitPerson(
  { store, accounts, keys }: ProviderAccountsDeps,
  { groups, defaultPlan }: ProviderSettings,
  { issuer, subject, names, groups: own }: Identity,
): string | undefined {
  const plan = groups.find(({ name }) => own.includes(name))?.plan ?? defaultPlan;
  return store.immediate(() => {
    const known = store.accounts.byIdentity(issuer, subject);
    if (plan === undefined) {
      for (const { id } of known === undefined ? [] : keys.list(known.id)) keys.revoke(id);
      return undefined;
    }
    if (known === undefined) {
      const { id } = accounts.create({ name: accounts.freeName(names), plan });
      store.accounts.setIdentity(issuer, subject, id);
      return id;
    }
    if (known.plan !== plan) accounts.change(known.id, { plan });
    return known.id;
  });
}
