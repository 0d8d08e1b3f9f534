import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Accounts } from '../accounts.ts';
import { bootstrapAccountName } from '../types.ts';
import type { Store } from '../../store/store.ts';
import { keyState, type Keys } from '../keys.ts';
import { createSecret, hashSecret, redactSecret } from '../secrets.ts';
import type { Clock } from '../types.ts';

const codeLifetimeMs = 10 * 60_000;
const sessionMs = 12 * 3_600_000;
/** Codes that may wait to be used; another one replaces the oldest. */
const maxCodes = 1000;
/** Of the keys of sessions, which signing out revokes. */
const sessionKeyName = 'page';

/** The secrets of a session of the page: one for /v1, and for the machine's owner one for /admin/v1. */
interface SessionSecrets {
  readonly user: string;
  readonly admin?: string;
}

interface SignInDeps {
  readonly accounts: Pick<Accounts, 'list'>;
  readonly keys: Pick<Keys, 'create' | 'row'>;
  readonly store: Store;
  readonly now: Clock;
}

interface WaitingCode {
  readonly hash: Buffer;
  /** undefined: the owner's, who may administrate. */
  readonly accountId: string | undefined;
  readonly expiresAtMs: number;
}

/** One-time codes that sign people in to the page. They are held in memory, as hashes only. */
export class SignInCodes {
  readonly #deps: SignInDeps;
  #codes: WaitingCode[] = [];

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** A code that works once within ten minutes: for this account, or for the owner of the machine. */
  create(accountId?: string): string {
    const code = randomBytes(18).toString('base64url');
    const waiting = { hash: hashSecret(code), accountId, expiresAtMs: this.#deps.now() + codeLifetimeMs };
    this.#codes = [...this.#codes, waiting].slice(-maxCodes);
    return code;
  }

  /** Keys that expire after 12 hours; undefined: the code is unknown, used or too old, or its account is gone. */
  redeem(code: string): SessionSecrets | undefined {
    const hash = hashSecret(code);
    const found = this.#codes.find((waiting) => timingSafeEqual(waiting.hash, hash));
    this.#codes = this.#codes.filter((waiting) => waiting !== found);
    const { accounts, keys, now } = this.#deps;
    if (found === undefined || found.expiresAtMs <= now()) return undefined;
    const all = accounts.list();
    const { accountId } = found;
    const owner =
      accountId === undefined
        ? (all.find(({ name }) => name === bootstrapAccountName) ?? all[0])
        : all.find(({ id }) => id === accountId);
    if (owner === undefined) return undefined;
    if (accountId !== undefined) return { user: this.#sessionKey(accountId) };
    const key = { accountId: owner.id, name: sessionKeyName, expiresAtMs: now() + sessionMs };
    return { user: keys.create(key).secret, admin: keys.create({ ...key, kind: 'admin' }).secret };
  }

  /**
   * The secret of a key of the account for a session. All sessions of an account use the same balances, so that another
   * sign-in gives no new allowances, and one that is over has its key used again, so that lists do not grow.
   */
  #sessionKey(accountId: string): string {
    const { store, keys, now } = this.#deps;
    return store.immediate(() => {
      const nowMs = now();
      const own = store.keys
        .list()
        .filter((row) => row.accountId === accountId && row.name === sessionKeyName && row.kind === 'user')
        .filter((row) => (row.allowedModels ?? row.scopes ?? row.parallel) === null);
      const expiresAtMs = nowMs + sessionMs;
      const over = own.find((row) => keyState(row, nowMs) === 'expired');
      if (over === undefined) {
        const balanceId = own[0]?.balanceId;
        return keys.create({ accountId, name: sessionKeyName, expiresAtMs, balanceId }).secret;
      }
      const secret = createSecret('user');
      const stored = { hash: hashSecret(secret), redacted: redactSecret(secret), expiresAtMs };
      store.keys.setSecret(over.id, stored);
      return secret;
    });
  }

  /** Ends a key that `redeem` made; false: it is another one, which stays. */
  end(keyId: string): boolean {
    const { keys, store, now } = this.#deps;
    const { name, expiresAtMs } = keys.row(keyId);
    const isOfSession = name === sessionKeyName && expiresAtMs !== null;
    if (isOfSession) store.keys.setExpiry(keyId, now());
    return isOfSession;
  }
}
