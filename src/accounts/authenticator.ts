import type { Store } from '../store/store.ts';
import { keyState, parseList } from './keys.ts';
import type { PlanBook } from './plans.ts';
import { toStorageTrouble } from '../errors/storage-trouble.ts';
import { hashSecret } from './secrets.ts';
import type { KeyWithAccountRow } from '../store/tables/key-table.ts';
import type { Authenticator, Clock, Principal } from './types.ts';

/** Far above the length of any key: a longer text is not looked up. */
const maxSecretChars = 256;
/** The time of a key's last use is written at most this often. */
const lastUsedStepMs = 60_000;

export interface AuthenticatorDeps {
  readonly store: Store;
  readonly plans: PlanBook;
  readonly now: Clock;
}

/** Writes when the key was last used; a full disk is no reason to refuse a request that only reads. */
function noteUse(store: Store, keyId: string, nowMs: number): void {
  try {
    store.keys.touch(keyId, nowMs);
  } catch (error) {
    if (toStorageTrouble(error) === undefined) throw error;
  }
}

/**
 * An authenticator that asks the database each time, so that a change by another process holds for the next request.
 * Keys are looked up by their hash: the time that takes tells nothing about the secret.
 */
export function createAuthenticator({ store, plans, now }: AuthenticatorDeps): Authenticator {
  const principalOf = (row: KeyWithAccountRow | undefined): Principal | undefined => {
    const nowMs = now();
    if (row === undefined || keyState(row, nowMs) !== 'active') return undefined;
    if (row.lastUsedAtMs === null || Math.abs(nowMs - row.lastUsedAtMs) >= lastUsedStepMs) {
      noteUse(store, row.id, nowMs);
    }
    return toPrincipal(row, plans, nowMs);
  };
  return {
    authenticate: (secret) =>
      secret.length > maxSecretChars ? undefined : principalOf(store.keys.byHash(hashSecret(secret))),
    ofKey: (keyId) => principalOf(store.keys.byId(keyId)),
  };
}

/** The principal of a key as it would be at its next request. */
export function toPrincipal(row: KeyWithAccountRow, plans: PlanBook, nowMs: number): Principal {
  const holder = { plan: row.plan, planSetAtMs: row.planSetAtMs, createdAtMs: row.accountCreatedAtMs };
  const plan = plans.inForce(holder, nowMs);
  return {
    keyId: row.id,
    accountId: row.accountId,
    accountName: row.accountName,
    kind: row.kind,
    allowedModels: parseList(row.allowedModels),
    scopes: parseList(row.scopes),
    parallel: row.parallel,
    planName: plan.name,
    planSinceMs: plan.sinceMs,
    planEndsAtMs: plan.endsAtMs,
  };
}
