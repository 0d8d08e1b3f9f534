import { Accounts } from '../../../src/accounts/accounts.ts';
import { createAuthenticator } from '../../../src/accounts/authenticator.ts';
import { Keys } from '../../../src/accounts/keys.ts';
import { PlanBook, defaultPlans } from '../../../src/accounts/plans.ts';
import type { Store } from '../../../src/store/store.ts';
import { openTempStore } from '../store/temp-store.ts';

export const dayMs = 86_400_000;

/** Accounts, keys and an authenticator on a store of their own, with a clock that stands still until it is set. */
export function openServices() {
  const temp = openTempStore();
  const clock = { nowMs: Date.UTC(2026, 10, 20) };
  return { ...servicesOn(temp.store, clock), temp, clock };
}

/** The same on a store that is open already, as another process sees it. */
export function servicesOn(store: Store, clock: { nowMs: number }) {
  const now = () => clock.nowMs;
  const plans = new PlanBook(defaultPlans, clock.nowMs);
  return {
    store,
    plans,
    accounts: new Accounts({ store, plans, now }),
    keys: new Keys({ store, now }),
    authenticator: createAuthenticator({ store, plans, now }),
  };
}
